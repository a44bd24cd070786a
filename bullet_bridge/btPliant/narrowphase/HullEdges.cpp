// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/HullEdges.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <LinearMath/btConvexHullComputer.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

constexpr std::size_t kMostHulls = 16384;  ///< that are kept; shapes that are gone are not told of

/// FNV-1a, over words.
std::uint64_t hashOf(const btConvexHullShape& shape) {
    std::uint64_t hash = 14695981039346656037u;
    for (int i = 0; i < shape.getNumPoints(); ++i) {
        const btVector3 point = shape.getScaledPoint(i);
        for (int k = 0; k < 3; ++k) {
            std::uint64_t word = 0;
            std::memcpy(&word, &point.m_floats[k], sizeof point.m_floats[k]);
            hash = (hash ^ word) * 1099511628211u;
        }
    }
    return hash;
}

/// Unit normal of the face to the left of an edge, by the area that its corners enclose.
Vector3 normalOfFace(const btConvexHullComputer& hull, const btConvexHullComputer::Edge& edge) {
    const Vector3 origin = toEigen(hull.vertices[edge.getSourceVertex()]);
    Vector3 area = Vector3::Zero();
    const btConvexHullComputer::Edge* next = &edge;
    do {
        area += (toEigen(hull.vertices[next->getSourceVertex()]) - origin)
                    .cross(toEigen(hull.vertices[next->getTargetVertex()]) - origin);
        next = next->getNextEdgeOfFace();
    } while (next != &edge);
    return area.normalized();
}

/// What the hull measures along a direction, m.
double extentAlong(const btConvexHullComputer& hull, const Vector3& direction) {
    double least = 0.0, most = 0.0;
    for (int i = 0; i < hull.vertices.size(); ++i) {
        const double at = direction.dot(toEigen(hull.vertices[i]));
        least = i == 0 ? at : std::min(least, at);
        most = i == 0 ? at : std::max(most, at);
    }
    return most - least;
}

}  // namespace

const HullEdges& HullEdges::of(const btConvexHullShape& shape) {
    static thread_local std::unordered_map<const btConvexHullShape*, HullEdges> known;
    const std::uint64_t hash = hashOf(shape);
    const auto found = known.find(&shape);
    if (found != known.end() && found->second.m_hash == hash) return found->second;
    if (found == known.end() && known.size() >= kMostHulls) known.clear();
    HullEdges& hull = known[&shape];
    hull.m_hash = hash;
    hull.find(shape);
    return hull;
}

void HullEdges::find(const btConvexHullShape& shape) {
    m_edges.clear();
    m_halfThickness = 0.0;
    std::vector<btVector3> points;
    for (int i = 0; i < shape.getNumPoints(); ++i) points.push_back(shape.getScaledPoint(i));
    if (points.size() < 4) return;
    btConvexHullComputer hull;
    hull.compute(points[0].m_floats, static_cast<int>(sizeof(btVector3)), static_cast<int>(points.size()), 0, 0);
    if (hull.faces.size() < 4) return;
    double thinnest = 1e30;
    for (int f = 0; f < hull.faces.size(); ++f) {
        const Vector3 normal = normalOfFace(hull, hull.edges[hull.faces[f]]);
        if (!normal.isZero(0.0)) thinnest = std::min(thinnest, extentAlong(hull, normal));  // else it is a sliver
    }
    m_halfThickness = 0.5 * thinnest;
    for (int i = 0; i < hull.edges.size(); ++i) {
        const btConvexHullComputer::Edge& edge = hull.edges[i];
        if (edge.getSourceVertex() > edge.getTargetVertex()) continue;  // its reverse is there, too
        Edge found;
        found.start = toEigen(hull.vertices[edge.getSourceVertex()]);
        found.end = toEigen(hull.vertices[edge.getTargetVertex()]);
        found.normal[0] = normalOfFace(hull, edge);
        found.normal[1] = normalOfFace(hull, *edge.getReverseEdge());
        // Which way round faces run is the computer's matter: they look away from the other one's corners.
        const Vector3 inside = toEigen(hull.vertices[edge.getReverseEdge()->getNextEdgeOfFace()->getTargetVertex()]);
        if (found.normal[0].dot(inside - found.start) > 0.0)
            for (Vector3& normal : found.normal) normal = -normal;
        m_edges.push_back(found);
    }
}

}  // namespace btPliantInternal
