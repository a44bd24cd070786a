// SPDX-License-Identifier: Zlib
#include "pliant/touch/EdgeContacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pliant {
namespace {

/// Radians that the way between two edges may be beyond the faces of one: those of plates that lie or stand flat on
/// each other are at the end of what lies between the faces.
constexpr double kBeyondFaces = 0.1;
/// Radians that it has to be within the faces of the thick one where the edges overlap by more than the thin one is
/// thick.
constexpr double kWithinFaces = 0.3;
/// Sine of the angle from which on edges cross. Edges that all but run beside each other meet at points of both.
constexpr double kCrossing = 0.05;
/// Of a piece, by which a crossing may be beyond its end: where the next piece begins, no rounding is to lose it.
constexpr double kBeyondEnd = 1e-3;

/// Cosine of the angle within which a point looks the way that edges part in, as one beside their crossing does.
constexpr double kBesideCrossing = 0.5;

/// A piece of an edge where it is now.
struct PlacedEdge {
    const SharpEdge* edge = nullptr;                            ///< Of a body.
    const ShapeEdge* fixed = nullptr;                           ///< Of a shape.
    Vector3 start = Vector3::Zero(), extent = Vector3::Zero();  ///< world, m
    Aabb box;                                                   ///< world, m
};

bool boxesMeet(const Aabb& a, const Aabb& b) {
    return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

Aabb grown(Aabb box, double by) {
    box.lower.array() -= by;
    box.upper.array() += by;
    return box;
}

/// Pieces that reach into a box. @return the box around them, without a volume where there are none
Aabb placeEdges(const TouchingBody& body, const Aabb& within, std::vector<PlacedEdge>& placed) {
    placed.clear();
    const Vector3& origin = body.body->worldFromBody().translation;
    Aabb all{within.upper, within.lower};
    for (const SharpEdge& edge : body.field->model().edges()) {
        const Vector3 a = origin + centreOf(body.body->rotatedSphere(edge.first)),
                      b = origin + centreOf(body.body->rotatedSphere(edge.second));
        const Aabb box{a.cwiseMin(b), a.cwiseMax(b)};
        if (!boxesMeet(box, within)) continue;
        placed.push_back({&edge, nullptr, a, b - a, box});
        all.lower = all.lower.cwiseMin(box.lower);
        all.upper = all.upper.cwiseMax(box.upper);
    }
    return all;
}

/// The edges of a shape that reach into a box.
void placeEdges(const ShapeEdges& shape, const Aabb& within, std::vector<PlacedEdge>& placed) {
    placed.clear();
    for (const ShapeEdge& edge : shape.list) {
        const Aabb box = grown({edge.start.cwiseMin(edge.end), edge.start.cwiseMax(edge.end)}, shape.rounding);
        if (boxesMeet(box, within)) placed.push_back({nullptr, &edge, edge.start, edge.end - edge.start, box});
    }
}

/// Where two edges come nearest, inside of both.
struct Crossing {
    double s = 0.0, t = 0.0;           ///< Places along the edges, 0..1.
    Vector3 normal = Vector3::Zero();  ///< Unit, across both.
    double distance = 0.0;             ///< From B to A along it, m.
};

/// Of edges that are not side by side, beyond their ends as well.
Crossing nearestPlaces(const PlacedEdge& a, const PlacedEdge& b) {
    const Vector3 &u = a.extent, &v = b.extent, w = a.start - b.start, across = u.cross(v);
    const double sine2 = across.squaredNorm();
    Crossing crossing;
    crossing.s = v.cross(w).dot(across) / sine2;
    crossing.t = u.cross(w).dot(across) / sine2;
    crossing.normal = across / std::sqrt(sine2);
    crossing.distance = w.dot(crossing.normal);
    return crossing;
}

bool cross(const PlacedEdge& a, const PlacedEdge& b, Crossing& crossing) {
    const double uu = a.extent.squaredNorm(), vv = b.extent.squaredNorm(),
                 sine2 = a.extent.cross(b.extent).squaredNorm();
    if (!(sine2 > kCrossing * kCrossing * uu * vv)) return false;
    crossing = nearestPlaces(a, b);
    const auto isOn = [](double at) { return at >= -kBeyondEnd && at <= 1.0 + kBeyondEnd; };
    return isOn(crossing.s) && isOn(crossing.t);
}

class EdgePair {
public:
    EdgePair(const TouchingBody& a, const TouchingBody& b, std::size_t first, std::vector<SkeletonContact>& out)
        : m_a(a), m_b(&b), m_thicknessA(thicknessOf(a)), m_thicknessB(thicknessOf(b)), m_first(first), m_out(out) {}
    EdgePair(const TouchingBody& a, const ShapeEdges& b, ShapeSurroundings& around, std::size_t first,
             std::vector<SkeletonContact>& out)
        : m_a(a),
          m_shape(&b),
          m_around(&around),
          m_thicknessA(thicknessOf(a)),
          m_thicknessB(b.thickness),
          m_first(first),
          m_out(out) {}

    void add(const PlacedEdge& a, const PlacedEdge& b, double margin) {
        Crossing c;
        const double rounding = m_shape ? m_shape->rounding : 0.0;
        const double deepest = depthBetween(roomOf(a), roomOf(b)) - rounding;
        if (!cross(a, b, c) || !(std::abs(c.distance) <= std::max(margin + rounding, deepest))) return;
        const Vector3 outOfA = outwardOf(m_a, a), outOfB = m_shape ? b.fixed->outward : outwardOf(*m_b, b);
        if (c.normal.dot(outOfB) < 0.0) {
            c.normal = -c.normal;
            c.distance = -c.distance;
        }
        if (!(c.distance <= margin + rounding && c.distance >= -deepest)) return;
        const double depth = rounding - c.distance;
        if (!isBetweenFaces(c.normal, outOfB, reachOf(b, m_thicknessB, depth)) ||
            !isBetweenFaces(-c.normal, outOfA, reachOf(a, m_thicknessA, depth)))
            return;
        if (meetsBesideEnd(a, b, c)) return;
        if (m_around && m_around->isCovered(b.start + c.t * b.extent, c.normal)) return;
        addContact(a, b, c);
    }

    /// Sharp points beside a crossing take the plane across the edges: where they are apart as yet, the way from such a
    /// point to the other body's edge looks aside, and by it what is nearer than the edges themselves would let them
    /// by. Beside the crossing is what is no farther across its normal than twice what both are thick; no point becomes
    /// deeper by it than the deeper one of what it was and of the edges.
    /// @param firstOfEdges of the contacts that have been added
    void lead(std::size_t firstOfEdges) const {
        const double reach = 4.0 * (ledWithin(m_thicknessA) + ledWithin(m_thicknessB));
        for (std::size_t i = m_first; i < firstOfEdges; ++i) {
            SkeletonContact& point = m_out[i];
            const bool isOfA = isPointOfA(point);
            if (isOfA ? !isSharpPoint(m_a, point.segmentA) : m_b && !isSharpPoint(*m_b, point.segmentB)) continue;
            double least = std::numeric_limits<double>::max();
            const SkeletonContact* nearest = nullptr;
            for (std::size_t j = firstOfEdges; j < m_out.size(); ++j) {
                const double squared = asideSquared(m_out[j], point);
                if (squared > least || squared > reach * reach || m_out[j].normal.dot(point.normal) < kBesideCrossing)
                    continue;
                least = squared;
                nearest = &m_out[j];
            }
            if (nearest) takePlane(*nearest, isOfA, point);
        }
    }

private:
    static bool isSharpPoint(const TouchingBody& body, int segment) {
        return body.field->model().isSharp(body.body->model().skeleton().segments(0, segment));
    }

    /// Of what is thick, no more than the other measures.
    double ledWithin(double thickness) const {
        const double spacing =
            std::max(m_a.field->model().pointSpacing(), m_b ? m_b->field->model().pointSpacing() : 0.0);
        return thickness < spacing ? thickness : std::min(m_thicknessA, m_thicknessB);
    }

    bool isPointOfA(const SkeletonContact& contact) const {
        if (m_b) return (contact.feature & 1u) == 0;
        return static_cast<int>((contact.feature >> 1) & 0xffffffffu) - 1 < m_shape->firstPoint;
    }

    /// How far a point is from the crossing across its normal, squared, m^2.
    static double asideSquared(const SkeletonContact& edges, const SkeletonContact& point) {
        const Vector3 &n = edges.normal, ofA = point.pointA - edges.pointA, ofB = point.pointB - edges.pointB;
        return std::max((ofA - ofA.dot(n) * n).squaredNorm(), (ofB - ofB.dot(n) * n).squaredNorm());
    }

    static void takePlane(const SkeletonContact& edges, bool isOfA, SkeletonContact& point) {
        const double distance =
            isOfA ? edges.normal.dot(point.pointA - edges.pointB) : edges.normal.dot(edges.pointA - point.pointB);
        if (distance < std::min(point.distance, edges.distance)) return;
        point.normal = edges.normal;
        point.distance = distance;
        if (isOfA)
            point.pointB = point.pointA - distance * edges.normal;
        else
            point.pointA = point.pointB + distance * edges.normal;
    }

    /// Of two plates that lie on each other, what is farther behind than half of both is the far side of one.
    /// @param roomOfA,roomOfB distances of both edges from the next ones of their bodies, m
    double depthBetween(double roomOfA, double roomOfB) const {
        return std::min(0.5 * (roomOfA + roomOfB), m_thicknessA + m_thicknessB);
    }

    static const bool (&endsOf(const PlacedEdge& placed))[2] {
        return placed.fixed ? placed.fixed->isEnd : placed.edge->isEnd;
    }

    static bool isBesideEnd(const bool (&isEnd)[2], double along, double length, double within) {
        return (isEnd[0] && along * length < within) || (isEnd[1] && (1.0 - along) * length < within);
    }

    /// Whether the way off the end of an edge is shorter than that across it, where they meet: the corner there is what
    /// touches then, if it does not slide past, as over the seam between two boxes.
    bool meetsBesideEnd(const PlacedEdge& a, const PlacedEdge& b, const Crossing& now) const {
        Crossing then = now;
        const double distance = now.distance - (m_shape ? m_shape->rounding : 0.0);
        if (m_around && distance > 0.0) {
            const Vector3 way = m_around->wayOf(a.start + now.s * a.extent);
            PlacedEdge moved = a;
            moved.start += std::min(1.0, distance / std::max(-way.dot(now.normal), distance)) * way;
            then = nearestPlaces(moved, b);
        }
        const double within = std::max(-distance, m_shape ? m_shape->slop : 0.0);
        return isBesideEnd(endsOf(a), then.s, a.extent.norm(), within) ||
               isBesideEnd(endsOf(b), then.t, b.extent.norm(), within);
    }

    static double roomOf(const PlacedEdge& placed) { return placed.fixed ? placed.fixed->room : placed.edge->room; }
    static double halfTurnOf(const PlacedEdge& placed) {
        return placed.fixed ? placed.fixed->halfTurn : placed.edge->halfTurn;
    }

    /// Half-way between the faces, and across the edge, as the body is bent now.
    static Vector3 outwardOf(const TouchingBody& body, const PlacedEdge& placed) {
        const Vector3 carried = body.field->carriedNormal(*body.body, placed.edge->first, placed.edge->outward);
        return (carried - carried.dot(placed.extent) / placed.extent.squaredNorm() * placed.extent).normalized();
    }

    /// Angle from half-way between the faces of an edge up to which edges part by each other. Near a face of the thick
    /// body that face is the nearer way out by far, but for what is hardly deeper than the thin one is thick.
    double reachOf(const PlacedEdge& placed, double thickness, double depth) const {
        const double thinner = std::min(m_thicknessA, m_thicknessB);
        const bool isDeep = thickness > thinner && depth > 2.0 * thinner;
        return halfTurnOf(placed) + (isDeep ? -kWithinFaces : kBeyondFaces);
    }

    static bool isBetweenFaces(const Vector3& way, const Vector3& outward, double reach) {
        return way.dot(outward) > std::cos(reach);
    }

    /// A place along an edge as that beside one of its ends.
    static float placeOn(const TouchingBody& body, const PlacedEdge& placed, double along, bool fromFirst,
                         int& segment) {
        const int sphere = fromFirst ? placed.edge->first : placed.edge->second;
        segment = body.body->model().ownerSegment(sphere);
        return body.field->placeBeside(*body.body, sphere, (fromFirst ? along : along - 1.0) * placed.extent);
    }

    void addContact(const PlacedEdge& a, const PlacedEdge& b, const Crossing& crossing) {
        SkeletonContact c;
        const double rounding = m_shape ? m_shape->rounding : 0.0;
        c.pointA = a.start + crossing.s * a.extent;
        c.pointB = b.start + crossing.t * b.extent + rounding * crossing.normal;
        c.normal = crossing.normal;
        c.distance = crossing.distance - rounding;
        c.radiusA = m_thicknessA;
        c.radiusB = m_b ? m_thicknessB : 0.0;
        // Any end will do that no other contact is beside of; the nearer ones first.
        for (int i = 0; i < 8; ++i) {
            c.parameterA = placeOn(m_a, a, crossing.s, (crossing.s < 0.5) == ((i & 2) == 0), c.segmentA);
            if (m_b) c.parameterB = placeOn(*m_b, b, crossing.t, (crossing.t < 0.5) == ((i & 4) == 0), c.segmentB);
            c.feature = contactFeature(c.segmentA, m_b ? c.segmentB : b.fixed->number, 1 - (i & 1));
            if (!isTaken(c.feature)) break;
            if (i == 7) return;
        }
        m_out.push_back(c);
    }

    bool isTaken(std::uint64_t feature) const {
        return std::any_of(m_out.begin() + static_cast<std::ptrdiff_t>(m_first), m_out.end(),
                           [feature](const SkeletonContact& c) { return c.feature == feature; });
    }

    const TouchingBody& m_a;
    const TouchingBody* m_b = nullptr;  ///< Of the two of these one is there.
    const ShapeEdges* m_shape = nullptr;
    ShapeSurroundings* m_around = nullptr;  ///< With a shape.
    double m_thicknessA, m_thicknessB;
    std::size_t m_first;
    std::vector<SkeletonContact>& m_out;
};

/// Visits all that are near each other, in the order of one coordinate. Sorts `ofB`.
void crossAll(const std::vector<PlacedEdge>& ofA, const Aabb& boxOfA, std::vector<PlacedEdge>& ofB, double around,
              double margin, EdgePair& pair) {
    Eigen::Index axis = 0;
    (boxOfA.upper - boxOfA.lower).maxCoeff(&axis);
    std::sort(ofB.begin(), ofB.end(), [axis](const PlacedEdge& x, const PlacedEdge& y) {
        if (x.box.lower[axis] != y.box.lower[axis]) return x.box.lower[axis] < y.box.lower[axis];
        return x.edge != y.edge ? x.edge < y.edge : x.fixed < y.fixed;
    });
    double longest = 0.0;
    for (const PlacedEdge& edge : ofB) longest = std::max(longest, edge.box.upper[axis] - edge.box.lower[axis]);
    for (const PlacedEdge& edge : ofA) {
        const Aabb reach = grown(edge.box, around);
        auto other = std::lower_bound(ofB.begin(), ofB.end(), reach.lower[axis] - longest,
                                      [axis](const PlacedEdge& x, double least) { return x.box.lower[axis] < least; });
        for (; other != ofB.end() && other->box.lower[axis] <= reach.upper[axis]; ++other)
            if (boxesMeet(reach, other->box)) pair.add(edge, *other, margin);
    }
}

/// The pieces of both sides, whose memory stays with the thread.
struct EdgesOfBoth {
    std::vector<PlacedEdge> ofA, ofB;

    static EdgesOfBoth& ofThread() {
        static thread_local EdgesOfBoth edges;
        return edges;
    }
};

}  // namespace

bool hasEdges(const TouchingBody& body) {
    return body.field && !body.body->skin() && !body.field->model().edges().empty();
}

void collideEdges(const TouchingBody& a, const TouchingBody& b, double margin, std::size_t first,
                  std::vector<SkeletonContact>& out) {
    if (!hasEdges(a) || !hasEdges(b) || !(a.field->model().isThin() || b.field->model().isThin())) return;
    EdgesOfBoth& edges = EdgesOfBoth::ofThread();
    const double around = std::max(margin, thicknessOf(a) + thicknessOf(b));
    const Aabb near = placeEdges(a, grown(b.body->worldBounds(), around), edges.ofA);
    if (edges.ofA.empty()) return;
    placeEdges(b, grown(near, around), edges.ofB);
    if (edges.ofB.empty()) return;
    const std::size_t firstOfEdges = out.size();
    EdgePair pair(a, b, first, out);
    crossAll(edges.ofA, near, edges.ofB, around, margin, pair);
    pair.lead(firstOfEdges);
}

void collideEdges(const TouchingBody& a, const ShapeEdges& b, ShapeSurroundings& around, double margin,
                  std::size_t first, std::vector<SkeletonContact>& out) {
    if (!hasEdges(a) || b.list.empty()) return;
    const SurfaceModel& model = a.field->model();
    if (!model.isThin() && !(b.thickness < model.pointSpacing())) return;
    Aabb all{b.list.front().start, b.list.front().start};
    for (const ShapeEdge& edge : b.list) {
        all.lower = all.lower.cwiseMin(edge.start).cwiseMin(edge.end);
        all.upper = all.upper.cwiseMax(edge.start).cwiseMax(edge.end);
    }
    EdgesOfBoth& edges = EdgesOfBoth::ofThread();
    const double reach = std::max(margin, thicknessOf(a) + b.thickness) + b.rounding;
    const Aabb near = placeEdges(a, grown(all, reach), edges.ofA);
    if (edges.ofA.empty()) return;
    placeEdges(b, grown(near, reach), edges.ofB);
    if (edges.ofB.empty()) return;
    const std::size_t firstOfEdges = out.size();
    EdgePair pair(a, b, around, first, out);
    crossAll(edges.ofA, near, edges.ofB, reach, margin, pair);
    pair.lead(firstOfEdges);
}

}  // namespace pliant
