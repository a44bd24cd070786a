// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/EdgesOfShapes.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/narrowphase/FixedNeighbours.h"
#include "btPliant/narrowphase/HullEdges.h"
#include "btPliant/narrowphase/NearbyTriangles.h"
#include "btPliant/narrowphase/PassedFaces.h"
#include "btPliant/narrowphase/ShapePoints.h"
#include "btPliant/narrowphase/SortContacts.h"
#include "btPliant/narrowphase/SurfaceSprings.h"

namespace btPliantInternal {

using pliant::Aabb;
using pliant::ShapeEdge;
using pliant::ShapeEdges;
using pliant::Vector3;

namespace {

/// In features of contacts, beyond the numbers of triangles and below those of points of shapes.
constexpr int kEdgeOfShape = kShapePoint - 0x01000000;
constexpr int kLargestEdgeNumber = 0x00ffffff;  ///< Larger ones begin again.
/// Faces that turn by less do not make an edge, rad (35 degrees), as within reduced bodies (touch/SurfaceEdges.cpp).
constexpr double kSharpTurnOfShape = 0.6108652381980153;
constexpr int kEdgesOfRim = 64;
/// Of the arc for which a tangent to a rim stands, that it reaches to either side, so that the next one begins before
/// it ends: there it is off the rim by 0.3 % of the radius.
constexpr double kRimOverlap = 0.75;

bool meets(const ShapeEdge& edge, const Aabb& box) {
    return (edge.start.cwiseMin(edge.end).array() <= box.upper.array()).all() &&
           (box.lower.array() <= edge.start.cwiseMax(edge.end).array()).all();
}

/// Where edges end at a corner.
void markEnds(std::vector<ShapeEdge>& edges) {
    constexpr double goesOn = 0.866;  // cosine of 30 degrees
    struct End {
        Vector3 place, inward;
        bool* isEnd;
    };
    static thread_local std::vector<End> ends;
    ends.clear();
    for (ShapeEdge& edge : edges) {
        const Vector3 way = (edge.end - edge.start).normalized();
        ends.push_back({edge.start, way, &edge.isEnd[0]});
        ends.push_back({edge.end, -way, &edge.isEnd[1]});
    }
    std::sort(ends.begin(), ends.end(), [](const End& x, const End& y) {
        return std::lexicographical_compare(x.place.data(), x.place.data() + 3, y.place.data(), y.place.data() + 3);
    });
    for (std::size_t i = 0, next = 0; i < ends.size(); i = next) {
        for (next = i; next < ends.size() && ends[next].place == ends[i].place;) ++next;
        for (std::size_t k = i; k < next; ++k) {
            *ends[k].isEnd = true;
            for (std::size_t other = i; other < next; ++other)
                if (ends[k].inward.dot(ends[other].inward) < -goesOn) *ends[k].isEnd = false;
        }
    }
}

void add(ShapeEdge edge, int number, const Aabb& near, ShapeEdges& out) {
    if (!meets(edge, near)) return;
    edge.number = kEdgeOfShape + (number & kLargestEdgeNumber);
    out.list.push_back(edge);
}

}  // namespace

void edgesOfBox(const PlacedShape& placed, const Aabb& near, ShapeEdges& out) {
    const auto& box = static_cast<const btBoxShape&>(placed.shape);
    const pliant::RigidTransform world = toEigen(placed.transform);
    const Vector3 half = toEigen(box.getHalfExtentsWithMargin());
    out.thickness = half.minCoeff();
    if (!(out.thickness < out.mostThickness)) return;
    for (int axis = 0, number = 0; axis < 3; ++axis) {
        const int second = (axis + 1) % 3, third = (axis + 2) % 3;
        for (const double y : {-1.0, 1.0})
            for (const double z : {-1.0, 1.0}) {
                Vector3 start, outward = Vector3::Zero();
                start[axis] = -half[axis];
                start[second] = y * half[second];
                start[third] = z * half[third];
                outward[second] = y;
                outward[third] = z;
                ShapeEdge edge;
                edge.start = world.translation + world.rotation * start;
                start[axis] = half[axis];
                edge.end = world.translation + world.rotation * start;
                edge.outward = world.rotation * outward.normalized();
                edge.halfTurn = 0.25 * M_PI;
                edge.room = 2.0 * half.minCoeff();
                add(edge, number++, near, out);
            }
    }
    markEnds(out.list);
}

// Of tangents: where chords end, edges that cross the corner between them would meet neither.
void edgesOfCylinder(const PlacedShape& placed, const Aabb& near, ShapeEdges& out) {
    const auto& cylinder = static_cast<const btCylinderShape&>(placed.shape);
    const pliant::RigidTransform world = toEigen(placed.transform);
    const int axis = cylinder.getUpAxis();
    const double radius = static_cast<double>(cylinder.getRadius());
    const double half = static_cast<double>(cylinder.getHalfExtentsWithMargin()[axis]);
    constexpr double turn = 2.0 * M_PI / kEdgesOfRim;
    const auto radial = [&](double angle) {
        return Vector3(std::cos(angle) * world.rotation.col((axis + 1) % 3) +
                       std::sin(angle) * world.rotation.col((axis + 2) % 3));
    };
    out.thickness = std::min(radius, half);
    if (!(out.thickness < out.mostThickness)) return;
    for (const double side : {-1.0, 1.0}) {
        const Vector3 along = side * world.rotation.col(axis), centre = world.translation + half * along;
        for (int i = 0; i < kEdgesOfRim; ++i) {
            ShapeEdge edge;
            const double angle = i * turn;
            const Vector3 tangent = radial(angle + 0.5 * M_PI);
            edge.start = centre + radius * (radial(angle) - kRimOverlap * turn * tangent);
            edge.end = centre + radius * (radial(angle) + kRimOverlap * turn * tangent);
            edge.outward = (radial(angle) + along).normalized();
            edge.halfTurn = 0.25 * M_PI;
            edge.room = 2.0 * out.thickness;
            add(edge, i + (side > 0.0 ? kEdgesOfRim : 0), near, out);
        }
    }
}

void edgesOfPolyhedron(const PlacedShape& placed, const Aabb& near, ShapeEdges& out) {
    if (placed.shape.getShapeType() != CONVEX_HULL_SHAPE_PROXYTYPE) return;
    const HullEdges& hull = HullEdges::of(static_cast<const btConvexHullShape&>(placed.shape));
    const pliant::RigidTransform world = toEigen(placed.transform);
    out.rounding = static_cast<double>(placed.shape.getMargin());
    out.thickness = hull.halfThickness() + out.rounding;
    if (!(out.thickness < out.mostThickness)) return;
    int number = 0;
    for (const HullEdges::Edge& local : hull.edges()) {
        ++number;
        const Vector3 turn = local.normal[0] + local.normal[1];
        ShapeEdge edge;
        edge.start = world.translation + world.rotation * local.start;
        edge.end = world.translation + world.rotation * local.end;
        edge.halfTurn = std::atan2((local.normal[0] - local.normal[1]).norm(), turn.norm());
        if (2.0 * edge.halfTurn < kSharpTurnOfShape || turn.isZero(0.0)) continue;
        edge.outward = world.rotation * turn.normalized();
        edge.room = 2.0 * out.thickness;
        add(edge, number, near, out);
    }
    markEnds(out.list);
}

void edgesOfTriangles(const PlacedShape& placed, const Aabb& near, ShapeEdges& out) {
    NearbyTriangles& nearby = NearbyTriangles::ofThread();
    const auto& shape = static_cast<const btConcaveShape&>(placed.shape);
    if (nearby.shape != &shape) {
        btVector3 lower, upper;
        btTransformAabb(toBullet(near.lower), toBullet(near.upper), shape.getMargin(), placed.transform.inverse(),
                        lower, upper);
        nearby.shape = &shape;
        nearby.atSeams.clear();
        nearby.patch.collect(shape, placed.transform, lower, upper);
    }
    out.rounding = static_cast<double>(placed.shape.getMargin());
    for (int e = 0; e < static_cast<int>(nearby.patch.edges().size()); ++e) {
        ShapeEdge edge;
        if (!nearby.patch.fold(e, edge.outward, edge.halfTurn) || 2.0 * edge.halfTurn < kSharpTurnOfShape) continue;
        const TrianglePatch::Edge& ends = nearby.patch.edges()[static_cast<std::size_t>(e)];
        edge.start = nearby.patch.corners()[static_cast<std::size_t>(ends.corner[0])].place;
        edge.end = nearby.patch.corners()[static_cast<std::size_t>(ends.corner[1])].place;
        add(edge, ends.feature, near, out);
    }
    markEnds(out.list);
}

namespace {

class Surroundings : public pliant::ShapeSurroundings {
public:
    Surroundings(const ContactPair& pair, const RelativeWay& ways, double slop)
        : m_neighbours(pair, slop), m_ways(ways) {}

    Vector3 wayOf(const Vector3& place) override { return m_neighbours.wayLeft(place, m_ways.at(place), 1.0).way; }
    bool isCovered(const Vector3& place, const Vector3& normal) override { return m_neighbours.cover(place, normal); }

private:
    FixedNeighbours m_neighbours;
    const RelativeWay& m_ways;
};

}  // namespace

void touchEdgesOfShape(const ContactPair& pair, const PlacedShape& placed, double step, double reach,
                       SkeletonContacts& out) {
    const pliant::TouchingBody ours = dataOf(pair.a).touching();
    if (!pair.collider.sharpEdges || hasSurfaceSprings(pair) || !pliant::hasEdges(ours)) return;
    // How thick something of triangles is nobody knows.
    if (placed.shape.isConcave() && !ours.field->model().isThin()) return;
    static thread_local ShapeEdges edges;
    edges.list.clear();
    edges.thickness = edges.rounding = 0.0;
    edges.firstPoint = kShapePoint;
    edges.mostThickness = ours.field->model().isThin() ? 1e30 : ours.field->model().pointSpacing();
    Aabb near = ours.body->worldBounds();
    near.lower.array() -= reach;
    near.upper.array() += reach;
    pair.collider.sharpEdges(placed, near, edges);
    if (edges.list.empty()) return;
    edges.slop = slidingSlop(dataOf(pair.a));
    const std::size_t before = out.size();
    const RelativeWay ways(pair, pair.query ? 0.0 : step);  // a question is about now
    Surroundings around(pair, ways, edges.slop);
    pliant::collideEdges(ours, edges, around, reach, 0, out);
    if (out.size() == before) return;
    for (std::size_t i = before; i < out.size(); ++i) out[i].closing = -out[i].normal.dot(ways.at(out[i].pointA));
    sortByFeature(out);
}

}  // namespace btPliantInternal
