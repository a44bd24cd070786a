// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceContacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pliant/collision/pair/SkeletonQueries.h"
#include "pliant/touch/SurfaceCap.h"

namespace pliant {

namespace {

/// Where a smooth point of a surface looks the same way as the other surface does beside it, by more than this cosine,
/// the two do not touch there: the point is on the far side of a thin body.
constexpr double kSameSide = 0.2;
/// Cosine between the two surfaces' normals up to which smooth parts of both face each other. Where they do not, the
/// field's nearest surface is a face around the corner: it is touched elsewhere, or not at all.
constexpr double kFacing = -0.7;
/// Distances between surface points within which a sharp point takes the normal of a smooth contact beside it.
constexpr double kBeside = 2.5;
/// Distances between surface points that the surface is from the nearest one of them at most, stretched as it may be.
constexpr double kGap = 1.5;
/// What a distance at rest is multiplied with at most where a body is stretched: distances change no faster along a
/// way.
constexpr double kLongestStretch = 1.5;
/// Of the distance between surface points, that points are followed behind a sheet.
constexpr double kBehind = 1.0;
constexpr double kLengthRounding = 1e-6;  ///< of lengths in single precision
constexpr int kCapIterations = 2;         ///< of the point of a cap that is nearest to the other surface
constexpr double kSameCapPoint = 0.05;    ///< of the way to it, by which it may be off
constexpr double kAlike = 0.95;           ///< cosine between normals of one face
/// The same of what is apart, and may be beside an edge: there the way to it is taken for the normal.
constexpr double kFlat = 0.999;

double thicknessOf(const TouchingBody& body) {
    return body.field ? body.field->model().surface().thickness
                      : static_cast<double>(body.body->model().skeleton().radii.maxCoeff());
}

double thinnerOf(const TouchingBody& a, const TouchingBody& b) {
    return std::min(thicknessOf(a), thicknessOf(b));
}

/// Metres that points are looked for within. What has gone through a sheet is behind it, and must not be lost there.
double lookedWithin(double margin, const TouchingBody& solid, const SurfaceSides& sides) {
    return sides.anyIsThrough() ? std::max(margin, kBehind * solid.field->model().pointSpacing()) : margin;
}

/// One way round: segments of `points` in the field of `solid`.
class PointsInField {
public:
    PointsInField(const TouchingBody& points, const TouchingBody& solid, bool pointsAreFirst)
        : m_points(points),
          m_solid(solid),
          m_pointsAreFirst(pointsAreFirst),
          m_solidBounds(solid.body->worldBounds()),
          m_largestCap(points.field ? points.field->model().largestCapHeight() + solid.field->model().largestCapHeight()
                                    : 0.0),
          m_hasSheet(thinnerOf(points, solid) < solid.field->model().pointSpacing()) {}

    /// @param touching m, that contacts are within @param apart m, that the bodies are from each other at least
    void find(double touching, double way, double apart, SurfaceSides& sides, SurfaceCandidates& candidates,
              std::vector<SkeletonContact>& out) {
        m_touching = touching;
        const double margin = lookedWithin(touching, m_solid, sides);
        sides.begin(m_solid.body->worldFromBody().translation - m_points.body->worldFromBody().translation, way);
        static thread_local PassContacts pass;
        pass.sharp.clear();
        pass.faces.clear();
        const bool isCovered = candidates.cover(*m_points.body, *m_solid.body, margin, thinnerOf(m_points, m_solid));
        candidates.advance(*m_points.body, *m_solid.body);
        if (apart > margin) {
            if (!isCovered) candidates.keep(*m_points.body, *m_solid.body, apart, {});
        } else if (isCovered) {
            addListed(margin, sides, candidates, out, pass);
        } else {
            addAndList(margin, sides, candidates, out, pass);
        }
        sides.end();
        for (SkeletonContact& contact : pass.sharp) {
            follow(contact, pass.faces);
            out.push_back(contact);
        }
    }

private:
    /// Of one pass over the points.
    struct PassContacts {
        std::vector<SkeletonContact> sharp;  ///< of sharp points, not in the result as yet
        std::vector<SkeletonContact> faces;  ///< of smooth points on a face of the other body
    };

    /// Where a segment comes nearest to the solid: a lone sphere at its centre, a capsule where the lowest of a few
    /// points of its axis is.
    struct Nearest {
        int segment = -1;
        Vector3 point = Vector3::Zero();  ///< on the axis, world, m
        double parameter = 0.0, radius = 0.0;
        FieldSample sample;
        double distance() const { return sample.distance - radius; }
    };

    /// Of several segments. Most stand for points of a surface, without length, which are asked for side by side.
    /// @param surfacePoints the solid's nearest ones to the segments' starts where they are known already, or null
    void nearestOf(const CapsuleSegment* segments, const NearestPoint* surfacePoints, int count,
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

    Nearest at(const CapsuleSegment& s, double parameter) const {
        Nearest nearest;
        nearest.segment = s.index;
        nearest.parameter = parameter;
        nearest.point = (1.0 - parameter) * s.end[0] + parameter * s.end[1];
        nearest.radius = (1.0 - parameter) * s.radius[0] + parameter * s.radius[1];
        nearest.sample = m_solid.field->sample(*m_solid.body, nearest.point);
        return nearest;
    }

    /// @param first at the start of the axis
    Nearest alongAxis(const CapsuleSegment& s, const Nearest& first) const {
        const double length = (s.end[1] - s.end[0]).norm();
        if (length == 0.0) return first;
        Nearest best = first;
        const int parts = std::min(8, 1 + static_cast<int>(length / std::max(s.radius[0], s.radius[1])));
        for (int k = 1; k <= parts; ++k) {
            const Nearest next = at(s, static_cast<double>(k) / parts);
            if (next.distance() < best.distance()) best = next;
        }
        return best;
    }

    /// Metres that a place outside of the solid is from its surface at least; no bound inside and close to it. With p
    /// the surface point nearest to the place, at distance d, y the nearest place of the surface, at distance s, and
    /// h = |p - y|: the surface does not fall away from y by more than 120 degrees, so that d^2 <= s^2 + s h + h^2.
    /// Which side the place is on costs more than the rest of the bound: it is looked at where that is above `needed`
    /// metres alone, and else the bound may be one of a place outside.
    double distanceBound(const Vector3& place, const NearestPoint& nearest, double needed) const {
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

    bool mayTouch(const Vector3& centre, double radius) const {
        return !(distanceBound(centre, m_solid.field->nearestPoint(*m_solid.body, centre), radius) > radius);
    }

    int sphereOf(int segment) const { return m_points.body->model().skeleton().segments(0, segment); }

    /// Distance less what the cap stands out, m. A cap reaches farther than that only beside its own directions, where
    /// the caps of its neighbours are nearer.
    double clearanceOf(const Nearest& nearest) const { return nearest.distance() - capOf(nearest.segment); }

    double capOf(int segment) const {
        return m_points.field ? m_points.field->model().capHeight(sphereOf(segment)) : 0.0;
    }

    /// Whether a point may be within the margin as far as the solid's box tells. Beyond its own box a field tells less
    /// than the distance: without this, which points count would depend on when a list was made, because the descent
    /// of the tree that makes it leaves out what is far from the solid's box.
    /// Segments of strands are few, and always in the list when they are near.
    bool isNearBox(const Nearest& nearest, double margin) const {
        if (!m_points.field) return true;
        const Vector3 reach = Vector3::Constant(margin + m_largestCap + nearest.radius);
        return (nearest.point.array() <= (m_solidBounds.upper + reach).array()).all() &&
               (nearest.point.array() >= (m_solidBounds.lower - reach).array()).all();
    }

    void addListed(double margin, SurfaceSides& sides, SurfaceCandidates& candidates, std::vector<SkeletonContact>& out,
                   PassContacts& pass) const {
        static thread_local std::vector<SurfaceCandidate*> due;
        static thread_local std::vector<CapsuleSegment> segments;
        static thread_local std::vector<Nearest> found;
        due.clear();
        segments.clear();
        for (SurfaceCandidate& candidate : candidates.segments()) {
            if (!(static_cast<double>(candidate.clearance) <= margin)) continue;
            due.push_back(&candidate);
            segments.push_back(m_points.body->segment(candidate.segment));
        }
        nearestOf(segments.data(), nullptr, static_cast<int>(segments.size()), found);
        for (std::size_t i = 0; i < found.size(); ++i) due[i]->clearance = roundedDown(clearanceOf(found[i]));
        for (Nearest& nearest : found) add(nearest, margin, sides, out, pass);
    }

    /// Makes a new list on the way. Of points that are too far to touch, a bound of the clearance is all that is asked
    /// for: it costs a third of the clearance.
    void addAndList(double margin, SurfaceSides& sides, SurfaceCandidates& candidates,
                    std::vector<SkeletonContact>& out, PassContacts& pass) const {
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
        const double around = reach + m_largestCap;
        const auto near = [&](const Vector3& centre, double radius) { return mayTouch(centre, radius + around); };
        visitSegmentsNear(*m_points.body, m_solidBounds, around, near,
                          [&](const CapsuleSegment& s) { visited.push_back(s.index); });
        std::sort(visited.begin(), visited.end());
        for (const int index : visited) {
            const CapsuleSegment s = m_points.body->segment(index);
            const NearestPoint nearest = m_solid.field->nearestPoint(*m_solid.body, s.end[0]);
            const double clearance = clearanceBound(s, nearest, margin);
            if (clearance > reach) continue;
            listed.push_back({s.index, roundedDown(clearance)});
            if (clearance > margin) continue;
            segments.push_back(s);
            surfacePoints.push_back(nearest);
        }
        nearestOf(segments.data(), surfacePoints.data(), static_cast<int>(segments.size()), found);
        takeMeasured(found, reach, listed);
        candidates.keep(*m_points.body, *m_solid.body, reach, listed);
        for (Nearest& nearest : found) add(nearest, margin, sides, out, pass);
    }

    /// At most the clearance of a segment where it is above the margin.
    double clearanceBound(const CapsuleSegment& s, const NearestPoint& nearest, double margin) const {
        const double reach = (s.end[1] - s.end[0]).norm() + std::max(s.radius[0], s.radius[1]) + capOf(s.index);
        return distanceBound(s.end[0], nearest, margin + reach) - reach;
    }

    /// Puts clearances that were measured in the place of their bounds, and drops what is beyond the reach. Both
    /// ascending by segment.
    void takeMeasured(const std::vector<Nearest>& found, double reach, std::vector<SurfaceCandidate>& listed) const {
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

    /// A sharp point just inside of a sharp edge of the other body may be nearer to the face around the corner; the
    /// smooth contacts beside it tell which face it is on. Those with an edge say nothing: the plane across their
    /// normal is none of the body's.
    void follow(SkeletonContact& sharp, const std::vector<SkeletonContact>& faces) const {
        const double reach = kBeside * m_points.field->model().pointSpacing();
        const Vector3& own = m_pointsAreFirst ? sharp.pointA : sharp.pointB;
        const SkeletonContact* nearest = nullptr;
        double least = reach * reach;
        for (const SkeletonContact& c : faces) {
            const double squared = ((m_pointsAreFirst ? c.pointA : c.pointB) - own).squaredNorm();
            if (squared > least) continue;
            least = squared;
            nearest = &c;
        }
        if (!nearest || nearest->normal.dot(sharp.normal) > kAlike) return;
        const double distance =
            m_pointsAreFirst ? nearest->normal.dot(own - nearest->pointB) : nearest->normal.dot(nearest->pointA - own);
        if (distance < -2.0 * thicknessOf(m_solid)) return;  // the plane is another part's
        sharp.normal = nearest->normal;
        sharp.distance = distance;
        if (m_pointsAreFirst)
            sharp.pointB = own - sharp.distance * sharp.normal;
        else
            sharp.pointA = own + sharp.distance * sharp.normal;
    }

    void add(Nearest& nearest, double margin, SurfaceSides& sides, std::vector<SkeletonContact>& out,
             PassContacts& pass) const {
        if (!(clearanceOf(nearest) <= margin) || !isNearBox(nearest, margin)) return;
        sides.keepSide(*m_solid.field, *m_solid.body, nearest.segment, nearest.point, nearest.sample);
        if (!(clearanceOf(nearest) <= m_touching)) return;
        if (nearest.sample.normal.isZero(0.0)) return;  // in the middle of the solid no way out is the shortest
        const int sphere = sphereOf(nearest.segment);
        bool isSharp = false, isFace = false;
        if (m_points.field && m_points.field->model().isSurfacePoint(sphere)) {
            const Vector3 outward = m_points.field->surfaceNormal(*m_points.body, sphere);
            const double facing = outward.dot(nearest.sample.normal);
            isSharp = m_points.field->model().isSharp(sphere);
            if (facing > (isSharp ? kSameSide : kFacing)) return;
            isFace = !isSharp && (m_hasSheet || facing < -(nearest.distance() > 0.0 ? kFlat : kAlike));
            reachWithCap(sphere, outward, m_touching, nearest);
        }
        if (!(nearest.distance() <= m_touching)) return;
        (isSharp ? pass.sharp : out).push_back(contact(nearest));
        if (isFace) pass.faces.push_back(out.back());
    }

    /// Goes over to the point of the cap that is nearest to the solid. Where the solid is round, too, its surface falls
    /// away from the plane below the point itself, so it is asked at the point of the cap.
    void reachWithCap(int sphere, const Vector3& outward, double margin, Nearest& nearest) const {
        const PointShell& shell = m_points.field->model().surface().shell;
        const Vector3 middle = nearest.point;
        Vector3 last = Vector3::Zero();
        for (int i = 0; i < kCapIterations; ++i) {
            const Vector3 cap = capReach(shell, sphere, outward, nearest.sample.normal);
            const Vector3 way = cap - last;
            if (way.squaredNorm() <= kSameCapPoint * kSameCapPoint * cap.squaredNorm()) return;
            if (nearest.distance() - kLongestStretch * way.norm() > margin) return;
            const Vector3 point = middle + cap;
            const FieldSample there = m_solid.field->sampleBeside(*m_solid.body, point, nearest.sample);
            if (!(there.distance < nearest.sample.distance)) return;
            nearest.point = point;
            nearest.sample = there;
            last = cap;
        }
    }

    SkeletonContact contact(const Nearest& nearest) const {
        SkeletonContact c;
        const int segment = nearest.segment;
        const double distance = nearest.distance();
        const Vector3 normal = nearest.sample.normal, touching = nearest.point - nearest.radius * normal;
        const Vector3 foot = touching - distance * normal;
        const double pointRadius = nearest.radius > 0.0 ? nearest.radius : thicknessOf(m_points);
        const int other = m_solid.body->model().ownerSegment(m_solid.field->model().nearestPoint(nearest.sample.rest));
        if (m_pointsAreFirst) {
            c.segmentA = segment;
            c.segmentB = other;
            c.parameterA = static_cast<float>(nearest.parameter);
            c.pointA = touching;
            c.pointB = foot;
            c.normal = normal;
            c.radiusA = pointRadius;
            c.radiusB = thicknessOf(m_solid);
        } else {
            c.segmentA = other;
            c.segmentB = segment;
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

    const TouchingBody &m_points, &m_solid;
    bool m_pointsAreFirst;
    Aabb m_solidBounds;   ///< world, m
    double m_largestCap;  ///< m, of the points and of the surface between those of the solid, which bound its box
    bool m_hasSheet;      ///< one of the two is thinner than points are apart: edges are everywhere
    double m_touching = 0.0;
};

}  // namespace

namespace {

/// The sphere that lies farthest along a direction, and how far from the body's origin, m.
double farthestAlong(const DeformedBody& body, const Vector3& direction, int& sphere) {
    double most = -std::numeric_limits<double>::max();
    for (int i = 0; i < body.model().spheres().count(); ++i) {
        const double at = direction.dot(centreOf(body.rotatedSphere(i)));
        if (at <= most) continue;
        most = at;
        sphere = i;
    }
    return most;
}

bool holdsOrigin(const TouchingBody& solid, const DeformedBody& other) {
    if (!solid.field) return false;
    const Aabb bounds = solid.body->worldBounds();
    const Vector3 reach = Vector3::Constant(solid.field->model().largestCapHeight());
    const Vector3& origin = other.worldFromBody().translation;
    if ((origin.array() > (bounds.upper + reach).array()).any() ||
        (origin.array() < (bounds.lower - reach).array()).any())
        return false;
    return solid.field->sample(*solid.body, other.worldFromBody().translation).distance < 0.0;
}

/// Whether bodies overlap by so much that the nearest way out of a point says nothing of the way out of the body: faces
/// that look the same way meet all over, and edges alone may hold the bodies where they are.
bool isSwallowed(const TouchingBody& a, const TouchingBody& b) {
    const double apart = (a.body->worldFromBody().translation - b.body->worldFromBody().translation).norm();
    return apart < std::max(thicknessOf(a), thicknessOf(b)) && holdsOrigin(a, *b.body) && holdsOrigin(b, *a.body);
}

/// Bodies that all but coincide look the same way wherever they meet. One contact parts them along the line between
/// their origins, through both, so that it does not turn them.
void partCoinciding(const TouchingBody& a, const TouchingBody& b, std::vector<SkeletonContact>& out) {
    const Vector3 &originA = a.body->worldFromBody().translation, &originB = b.body->worldFromBody().translation;
    SkeletonContact c;
    c.normal = originA - originB;
    const double length = c.normal.norm();
    c.normal = length > 0.0 ? Vector3(c.normal / length) : Vector3(Vector3::UnitX());
    int lowest = 0, highest = 0;
    c.pointA = originA - farthestAlong(*a.body, -c.normal, lowest) * c.normal;
    c.pointB = originB + farthestAlong(*b.body, c.normal, highest) * c.normal;
    c.distance = (c.pointA - c.pointB).dot(c.normal);
    c.segmentA = a.body->model().ownerSegment(lowest);
    c.segmentB = b.body->model().ownerSegment(highest);
    c.radiusA = thicknessOf(a);
    c.radiusB = thicknessOf(b);
    c.feature = contactFeature(c.segmentA, c.segmentB, 0);
    if (c.distance < 0.0) out.push_back(c);
}

/// Whether a body has no capsule segments beside the points of its surface.
bool isAllSurface(const TouchingBody& body) {
    return body.field && body.field->model().surface().shell.count() == body.body->model().spheres().count();
}

/// Metres that two bodies are from each other at least, as a plane across the line between their origins tells; not
/// above zero: nothing is known. As the boxes of bodies, it takes the surface between their points to stand out by no
/// more than the caps do.
double gapBetween(const TouchingBody& a, const TouchingBody& b) {
    if (!isAllSurface(a) || !isAllSurface(b)) return 0.0;
    const Vector3 between = b.body->worldFromBody().translation - a.body->worldFromBody().translation;
    const double length = between.norm();
    if (!(length > 0.0)) return 0.0;
    const Vector3 n = between / length;
    const double caps = a.field->model().largestCapHeight() + b.field->model().largestCapHeight();
    const double gap = length * (1.0 - kLengthRounding) - a.field->reachAlong(n) - b.field->reachAlong(-n) - caps;
    return gap < kLargestMotion ? gap : 0.0;  // else there are no points, or no numbers
}

/// Whether the lists of a pair say that nothing is near, so that nobody has brought its fields up to date.
bool nothingIsNear(const TouchingBody& a, const TouchingBody& b, double margin, const SurfacePairSides& sides,
                   const SurfacePairCandidates& candidates) {
    return candidates.ofA.segments().empty() && candidates.ofB.segments().empty() &&
           !surfacesNeedBoxes(a, b, margin, sides, candidates);
}

}  // namespace

bool surfacesNeedBoxes(const TouchingBody& a, const TouchingBody& b, double margin, const SurfacePairSides& sides,
                       const SurfacePairCandidates& candidates) {
    const auto lacks = [margin](const TouchingBody& points, const TouchingBody& solid, const SurfaceSides& remembered,
                                const SurfaceCandidates& list) {
        return solid.field && !list.cover(*points.body, *solid.body, lookedWithin(margin, solid, remembered),
                                          thinnerOf(points, solid));
    };
    return lacks(a, b, sides.ofA, candidates.ofA) || lacks(b, a, sides.ofB, candidates.ofB);
}

void collideSurfaces(const TouchingBody& a, const TouchingBody& b, double margin, double way, SurfacePairSides& sides,
                     SurfacePairCandidates& candidates, std::vector<SkeletonContact>& out) {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    const double apart = nothingIsNear(a, b, margin, sides, candidates) ? 0.0 : gapBetween(a, b);
    if (b.field) PointsInField(a, b, true).find(margin, way, apart, sides.ofA, candidates.ofA, out);
    if (a.field) PointsInField(b, a, false).find(margin, way, apart, sides.ofB, candidates.ofB, out);
    const bool isUntouched = out.begin() + first == out.end();
    if (isUntouched ? holdsOrigin(a, *b.body) || holdsOrigin(b, *a.body) : isSwallowed(a, b)) partCoinciding(a, b, out);
    std::sort(out.begin() + first, out.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
