// SPDX-License-Identifier: Zlib
#include "pliant/touch/PointsInField.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/collision/pair/SkeletonQueries.h"
#include "pliant/touch/SharpPoints.h"
#include "pliant/touch/SurfaceCap.h"

namespace pliant {

namespace {

/// Where a smooth point of a surface looks the same way as the other surface does beside it, by more than this cosine,
/// the two do not touch there: the point is on the far side of a thin body.
constexpr double kSameSide = 0.2;
/// Cosine between the two surfaces' normals up to which smooth parts of both face each other. Where they do not, the
/// field's nearest surface is a face around the corner: it is touched elsewhere, or not at all.
constexpr double kFacing = -0.7;
/// Distances between surface points that the surface is from the nearest one of them at most, stretched as it may be.
constexpr double kGap = 1.5;
/// What a distance at rest is multiplied with at most where a body is stretched: distances change no faster along a
/// way.
constexpr double kLongestStretch = 1.5;
constexpr double kPlaceRounding = 1e-5;  ///< of lengths, with room, between places in single precision
constexpr int kCapIterations = 2;        ///< of the point of a cap that is nearest to the other surface
constexpr double kSameCapPoint = 0.05;   ///< of the way to it, by which it may be off
constexpr double kAlike = 0.95;          ///< cosine between normals of one face
/// The same of what is apart, and may be beside an edge: there the way to it is taken for the normal.
constexpr double kFlat = 0.999;
constexpr int kMostParts = 8;  ///< of the axis of a segment, at whose ends distances are asked for

/// Where distances of three places of an axis, at -1, 0 and 1, suggest the lowest to be, in [-1, 1]: their squares are
/// those of a parabola where the axis passes an edge or a corner.
double lowestBetween(const double* distances) {
    double y[3];
    const bool areOutside = *std::min_element(distances, distances + 3) > 0.0;
    for (int k = 0; k < 3; ++k) y[k] = areOutside ? distances[k] * distances[k] : distances[k];
    const double curvature = y[0] - 2.0 * y[1] + y[2];
    return curvature > 0.0 ? std::clamp(0.5 * (y[0] - y[2]) / curvature, -1.0, 1.0) : 0.0;
}

}  // namespace

PointsInField::PointsInField(const TouchingBody& points, const TouchingBody& solid, bool pointsAreFirst)
    : m_points(points),
      m_solid(solid),
      m_pointsAreFirst(pointsAreFirst),
      m_solidBounds(solid.body->worldBounds()),
      m_largestCap(points.field ? points.field->model().largestCapHeight() + solid.field->model().largestCapHeight()
                                : 0.0),
      m_hasSheet(thinnerOf(points, solid) < solid.field->model().pointSpacing()) {}

void PointsInField::find(const SurfaceReach& touching, double way, double apart, SurfaceSides& sides,
                         SurfaceCandidates& candidates, std::vector<SkeletonContact>& out) {
    m_touching = touching.margin;
    const double margin = lookedWithin(touching.margin, m_solid, sides);
    m_ahead = sides.anyIsThrough() ? margin : lookedAhead(touching, m_points, m_solid);
    sides.begin(m_solid.body->worldFromBody().translation - m_points.body->worldFromBody().translation, way);
    static thread_local PassContacts pass;
    pass.sharp.clear();
    pass.faces.clear();
    const bool isCovered = candidates.cover(*m_points.body, *m_solid.body, margin, thinnerOf(m_points, m_solid));
    candidates.advance(*m_points.body, *m_solid.body);
    if (apart > m_ahead) {
        if (!isCovered) candidates.keep(*m_points.body, *m_solid.body, apart, {});
    } else if (isCovered) {
        addListed(margin, sides, candidates, out, pass);
    } else {
        addAndList(margin, sides, candidates, out, pass);
    }
    sides.end();
    for (SkeletonContact& contact : pass.sharp) {
        followFace(m_points, m_solid, m_pointsAreFirst, pass.faces, contact);
        out.push_back(contact);
    }
}

void PointsInField::nearestOf(const CapsuleSegment* segments, const NearestPoint* surfacePoints, int count,
                              std::vector<Nearest>& out) const {
    static thread_local std::vector<Vector3> points;
    static thread_local std::vector<FieldSample> samples;
    points.clear();
    for (int i = 0; i < count; ++i) points.push_back(segments[i].end[0]);
    samples.resize(points.size());
    m_solid.field->sampleTogether(*m_solid.body, points.data(), surfacePoints, count, samples.data());
    out.clear();
    for (int i = 0; i < count; ++i) {
        Nearest first;
        first.segment = segments[i].index;
        first.point = segments[i].end[0];
        first.radius = segments[i].radius[0];
        first.sample = samples[static_cast<std::size_t>(i)];
        out.push_back(alongAxis(segments[i], first));
    }
}

PointsInField::Nearest PointsInField::at(const CapsuleSegment& s, double parameter) const {
    Nearest nearest;
    nearest.segment = s.index;
    nearest.parameter = parameter;
    nearest.point = (1.0 - parameter) * s.end[0] + parameter * s.end[1];
    nearest.radius = (1.0 - parameter) * s.radius[0] + parameter * s.radius[1];
    nearest.sample = m_solid.field->sample(*m_solid.body, nearest.point);
    return nearest;
}

PointsInField::Nearest PointsInField::alongAxis(const CapsuleSegment& s, const Nearest& first) const {
    const double length = (s.end[1] - s.end[0]).norm();
    if (length == 0.0) return first;
    Nearest best = first;
    double distances[kMostParts + 1] = {first.sample.distance};  // of the axis
    int lowest = 0;
    const int parts = std::min(kMostParts, 1 + static_cast<int>(length / std::max(s.radius[0], s.radius[1])));
    for (int k = 1; k <= parts; ++k) {
        const Nearest next = at(s, static_cast<double>(k) / parts);
        distances[k] = next.sample.distance;
        if (!(next.distance() < best.distance())) continue;
        best = next;
        lowest = k;
    }
    if (parts < 2) return best;
    const int middle = std::clamp(lowest, 1, parts - 1);
    const double beside = lowestBetween(distances + middle - 1);
    if (beside == 0.0 || std::abs(beside) == 1.0) return best;  // these places are known
    const Nearest between = at(s, (middle + beside) / parts);
    return between.distance() < best.distance() ? between : best;
}

double PointsInField::distanceBound(const Vector3& place, const NearestPoint& nearest, double needed) const {
    constexpr double none = -std::numeric_limits<double>::max();
    if (nearest.sphere < 0) return none;
    const double gap = kGap * m_solid.field->model().pointSpacing();
    if (!(nearest.distance > gap) || !m_solid.field->model().isSurfacePoint(nearest.sphere)) return none;
    const double bound = 0.5 * (std::sqrt(4.0 * nearest.distance * nearest.distance - 3.0 * gap * gap) - gap);
    if (!(bound > needed)) return bound;
    const Vector3 point =
        m_solid.body->worldFromBody().translation + centreOf(m_solid.body->rotatedSphere(nearest.sphere));
    const bool isOutside = m_solid.field->surfaceNormal(*m_solid.body, nearest.sphere).dot(place - point) > 0.0;
    return isOutside ? bound : none;
}

bool PointsInField::mayTouch(const Vector3& centre, double radius) const {
    return !(distanceBound(centre, m_solid.field->nearestPoint(*m_solid.body, centre), radius) > radius);
}

double PointsInField::capOf(int segment) const {
    return m_points.field ? m_points.field->model().capHeight(sphereOf(segment)) : 0.0;
}

void PointsInField::findFront() {
    m_hasFront = isAllSurface(m_points) && isAllSurface(m_solid);
    if (!m_hasFront) return;
    m_front = (m_points.body->worldFromBody().translation - m_solid.body->worldFromBody().translation).normalized();
    m_frontAt = m_solid.field->reachAlong(m_front);
}

bool PointsInField::isNearSolid(const Vector3& point, double radius, double margin) const {
    if (!m_points.field) return true;
    const Vector3 around = Vector3::Constant(margin + m_largestCap + radius);
    const double ahead = m_front.dot(point - m_solid.body->worldFromBody().translation) - m_frontAt;
    if (m_hasFront && !(ahead <= m_ahead + m_largestCap + radius)) return false;
    return (point.array() <= (m_solidBounds.upper + around).array()).all() &&
           (point.array() >= (m_solidBounds.lower - around).array()).all();
}

void PointsInField::addListed(double margin, SurfaceSides& sides, SurfaceCandidates& candidates,
                              std::vector<SkeletonContact>& out, PassContacts& pass) {
    static thread_local std::vector<SurfaceCandidate*> due;
    static thread_local std::vector<CapsuleSegment> segments;
    static thread_local std::vector<Nearest> found;
    due.clear();
    segments.clear();
    if (candidates.segments().empty()) return;
    findFront();
    for (SurfaceCandidate& candidate : candidates.segments()) {
        if (!(static_cast<double>(candidate.clearance) <= margin)) continue;
        const CapsuleSegment s = m_points.body->segment(candidate.segment);
        if (m_hasFront && !isNearSolid(s.end[0], s.radius[0], margin)) continue;
        due.push_back(&candidate);
        segments.push_back(s);
    }
    if (segments.empty()) return;
    nearestOf(segments.data(), nullptr, static_cast<int>(segments.size()), found);
    for (std::size_t i = 0; i < found.size(); ++i) due[i]->clearance = roundedDown(clearanceOf(found[i]));
    add(found, margin, sides, out, pass);
}

void PointsInField::addAndList(double margin, SurfaceSides& sides, SurfaceCandidates& candidates,
                               std::vector<SkeletonContact>& out, PassContacts& pass) {
    static thread_local std::vector<int> visited;
    static thread_local std::vector<CapsuleSegment> segments;
    static thread_local std::vector<NearestPoint> surfacePoints;
    static thread_local std::vector<Nearest> found;
    static thread_local std::vector<SurfaceCandidate> listed;
    visited.clear();
    segments.clear();
    surfacePoints.clear();
    listed.clear();
    const double reach = margin + candidates.skin(thinnerOf(m_points, m_solid));
    const bool asksForNearest = reach > margin || m_solid.field->asksForNearest();
    findFront();
    const bool isKept = reach > margin || !m_hasFront || !(m_ahead < margin);
    collect(reach + m_largestCap, (isKept ? reach : m_ahead) + m_largestCap, visited);
    for (const int index : visited) {
        const CapsuleSegment s = m_points.body->segment(index);
        NearestPoint nearest;
        if (asksForNearest) nearest = m_solid.field->nearestPoint(*m_solid.body, s.end[0]);
        const double clearance = clearanceBound(s, nearest, margin);
        if (clearance > reach) continue;
        listed.push_back({s.index, roundedDown(clearance)});
        if (clearance > margin || (m_hasFront && !isNearSolid(s.end[0], s.radius[0], margin))) continue;
        segments.push_back(s);
        surfacePoints.push_back(nearest);
    }
    nearestOf(segments.data(), asksForNearest ? surfacePoints.data() : nullptr, static_cast<int>(segments.size()),
              found);
    takeMeasured(found, reach, listed);
    if (!isKept) listed.clear();
    candidates.keep(*m_points.body, *m_solid.body, isKept ? reach : -1.0, listed);
    add(found, margin, sides, out, pass);
}

void PointsInField::collect(double around, double ahead, std::vector<int>& segments) const {
    if (m_hasFront) {
        collectPoints(around, ahead, segments);
    } else {
        const auto near = [&](const Vector3& centre, double radius) { return mayTouch(centre, radius + around); };
        visitSegmentsNear(*m_points.body, m_solidBounds, around, near,
                          [&](const CapsuleSegment& s) { segments.push_back(s.index); });
    }
    std::sort(segments.begin(), segments.end());
    segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
}

void PointsInField::collectPoints(double around, double ahead, std::vector<int>& segments) const {
    const Vector3& origin = m_points.body->worldFromBody().translation;
    const double apart = m_front.dot(origin - m_solid.body->worldFromBody().translation);
    const double size = apart + (m_solidBounds.upper - m_solidBounds.lower).norm() + around;
    const double rounding = kPlaceRounding * size, reach = around + rounding;
    PlaneAndBox space;
    space.direction = m_front.cast<float>();
    space.most = static_cast<float>(m_frontAt + ahead + rounding - apart);
    space.lower = (m_solidBounds.lower - origin - Vector3::Constant(reach)).cast<float>();
    space.upper = (m_solidBounds.upper - origin + Vector3::Constant(reach)).cast<float>();
    const auto near = [&](const Vector3& centre, double radius) { return mayTouch(origin + centre, radius + around); };
    m_points.field->collectPoints(space, near, segments);
    for (int& sphere : segments) sphere = m_points.body->model().ownerSegment(sphere);
}

double PointsInField::clearanceBound(const CapsuleSegment& s, const NearestPoint& nearest, double margin) const {
    const double reach = (s.end[1] - s.end[0]).norm() + std::max(s.radius[0], s.radius[1]) + capOf(s.index);
    return distanceBound(s.end[0], nearest, margin + reach) - reach;
}

void PointsInField::takeMeasured(const std::vector<Nearest>& found, double reach,
                                 std::vector<SurfaceCandidate>& listed) const {
    std::size_t at = 0;
    for (const Nearest& nearest : found) {
        while (listed[at].segment != nearest.segment) ++at;
        listed[at].clearance = roundedDown(clearanceOf(nearest));
    }
    listed.erase(
        std::remove_if(listed.begin(), listed.end(),
                       [reach](const SurfaceCandidate& c) { return !(static_cast<double>(c.clearance) <= reach); }),
        listed.end());
}

/// A segment that may touch the solid.
struct PointsInField::Touching {
    Nearest nearest;
    int sphere = -1;
    bool isSharp = false, isFace = false;
    bool followsCap = false;  ///< the point of the cap is not known as yet
    // Of a surface point: its normal, and from there on the point that its cap is about and the ways from that to it.
    Vector3 outward = Vector3::Zero(), middle = Vector3::Zero(), middleToCap = Vector3::Zero(),
            nextToCap = Vector3::Zero();
};

void PointsInField::add(std::vector<Nearest>& found, double margin, SurfaceSides& sides,
                        std::vector<SkeletonContact>& out, PassContacts& pass) const {
    static thread_local std::vector<Touching> touching;
    touching.clear();
    for (const Nearest& nearest : found) {
        Touching next;
        if (admit(nearest, margin, sides, next)) touching.push_back(next);
    }
    reachWithCaps(touching);
    for (Touching& t : touching) {
        if (!(t.nearest.distance() <= m_touching)) continue;
        if (!t.middleToCap.isZero(0.0))
            t.nearest.parameter =
                static_cast<double>(m_points.field->placeBeside(*m_points.body, t.sphere, t.middleToCap));
        (t.isSharp ? pass.sharp : out).push_back(contact(t.nearest));
        if (t.isFace) pass.faces.push_back(out.back());
    }
}

bool PointsInField::admit(const Nearest& found, double margin, SurfaceSides& sides, Touching& touching) const {
    if (!(clearanceOf(found) <= margin) || !isNearSolid(found.point, found.radius, margin)) return false;
    touching.nearest = found;
    Nearest& nearest = touching.nearest;
    sides.keepSide(*m_solid.field, *m_solid.body, nearest.segment, nearest.point, nearest.sample);
    if (!(clearanceOf(nearest) <= m_touching)) return false;
    if (nearest.sample.normal.isZero(0.0)) return false;  // in the middle of the solid no way out is the shortest
    const int sphere = touching.sphere = sphereOf(nearest.segment);
    if (!m_points.field || !m_points.field->model().isSurfacePoint(sphere)) return true;
    touching.outward = m_points.field->surfaceNormal(*m_points.body, sphere);
    const double facing = touching.outward.dot(nearest.sample.normal);
    touching.isSharp = m_points.field->model().isSharp(sphere);
    if (facing > (touching.isSharp ? kSameSide : kFacing)) return false;
    touching.isFace = !touching.isSharp && (m_hasSheet || facing < -(nearest.distance() > 0.0 ? kFlat : kAlike));
    touching.followsCap = true;
    touching.middle = nearest.point;
    return true;
}

void PointsInField::reachWithCaps(std::vector<Touching>& touching) const {
    static thread_local std::vector<Vector3> points, ways;
    static thread_local std::vector<FieldSample> beside, samples;
    for (int i = 0; i < kCapIterations; ++i) {
        listCapPoints(touching, points, beside, ways);
        samples.resize(points.size());
        m_solid.field->sampleBeside(*m_solid.body, points.data(), beside.data(), ways.data(),
                                    static_cast<int>(points.size()), samples.data());
        std::size_t next = 0;
        for (Touching& t : touching) {
            if (!t.followsCap) continue;
            const FieldSample& there = samples[next];
            const Vector3& point = points[next++];
            // Where the field has no gradient, as in the middle of a tube, a contact would have no direction.
            t.followsCap = there.distance < t.nearest.sample.distance && !there.normal.isZero(0.0);
            if (!t.followsCap) continue;
            t.nearest.point = point;
            t.nearest.sample = there;
            t.middleToCap = t.nextToCap;
        }
    }
}

void PointsInField::listCapPoints(std::vector<Touching>& touching, std::vector<Vector3>& points,
                                  std::vector<FieldSample>& beside, std::vector<Vector3>& ways) const {
    points.clear();
    beside.clear();
    ways.clear();
    for (Touching& t : touching) {
        if (!t.followsCap) continue;
        const PointShell& shell = m_points.field->model().surface().shell;
        t.nextToCap = capReach(shell, t.sphere, t.outward, t.nearest.sample.normal);
        const Vector3 way = t.nextToCap - t.middleToCap;
        t.followsCap = way.squaredNorm() > kSameCapPoint * kSameCapPoint * t.nextToCap.squaredNorm() &&
                       !(t.nearest.distance() - kLongestStretch * way.norm() > m_touching);
        if (!t.followsCap) continue;
        points.push_back(t.middle + t.nextToCap);
        beside.push_back(t.nearest.sample);
        ways.push_back(way);
    }
}

SkeletonContact PointsInField::contact(const Nearest& nearest) const {
    SkeletonContact c;
    const int segment = nearest.segment;
    const double distance = nearest.distance();
    const Vector3 normal = nearest.sample.normal, touching = nearest.point - nearest.radius * normal;
    const Vector3 foot = touching - distance * normal;
    const double pointRadius = nearest.radius > 0.0 ? nearest.radius : thicknessOf(m_points);
    float place = 0.0f;
    const int other = m_solid.field->segmentBelow(*m_solid.body, nearest.sample, place);
    if (m_pointsAreFirst) {
        c.segmentA = segment;
        c.segmentB = other;
        c.parameterA = static_cast<float>(nearest.parameter);
        c.parameterB = place;
        c.pointA = touching;
        c.pointB = foot;
        c.normal = normal;
        c.radiusA = pointRadius;
        c.radiusB = thicknessOf(m_solid);
    } else {
        c.segmentA = other;
        c.segmentB = segment;
        c.parameterA = place;
        c.parameterB = static_cast<float>(nearest.parameter);
        c.pointA = foot;
        c.pointB = touching;
        c.normal = -normal;
        c.radiusA = thicknessOf(m_solid);
        c.radiusB = pointRadius;
    }
    c.distance = distance;
    c.feature = contactFeature(c.segmentA, c.segmentB, m_pointsAreFirst ? 0 : 1);
    return c;
}

}  // namespace pliant
