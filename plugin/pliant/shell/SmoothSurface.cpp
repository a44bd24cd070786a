// SPDX-License-Identifier: Zlib
#include "pliant/shell/SmoothSurface.h"

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <cmath>

#include "pliant/math/DisjointSets.h"

namespace pliant {

namespace {

int cornerOf(const OrientedSurface& s, int triangle, int vertex) {
    int k = 0;
    while (k < 2 && s.triangles(k, triangle) != vertex) ++k;
    return 3 * triangle + k;
}

void groupCorners(const OrientedSurface& s, SmoothSurface& smooth) {
    const int m = s.triangleCount();
    DisjointSets corners(static_cast<std::size_t>(3 * m)), patches(static_cast<std::size_t>(m));
    for (const SurfaceEdge& e : s.edges) {
        if (std::abs(e.turn) > sharpTurn) continue;
        for (const int v : {e.a, e.b}) corners.join(cornerOf(s, e.left, v), cornerOf(s, e.right, v));
        patches.join(e.left, e.right);
    }
    for (int c = 0; c < 3 * m; ++c) smooth.cornerGroups.push_back(corners.lowest(c));
    for (int t = 0; t < m; ++t) smooth.patches.push_back(patches.lowest(t));
}

/// Normals of a group are summed with the weights 1 / (|a|^2 |b|^2) of the cross product of a corner's sides, which
/// give the exact normal of every vertex of a polyhedron inscribed in a sphere [M99]. Where a large triangle meets
/// small ones (a flat side and its rounded edge) they would follow the small ones alone: there areas are the weights.
void addCornerNormals(const OrientedSurface& s, SmoothSurface& smooth) {
    const int m = s.triangleCount();
    VectorX least = VectorX::Constant(3 * m, 1e300), most = VectorX::Zero(3 * m);
    Points byArea = Points::Zero(3, 3 * m), byMax = Points::Zero(3, 3 * m);
    for (int c = 0; c < 3 * m; ++c) {
        const int t = c / 3, k = c % 3, group = smooth.cornerGroups[static_cast<std::size_t>(c)];
        const Vector3 x = s.points.col(s.triangles(k, t));
        const Vector3 a = s.points.col(s.triangles((k + 1) % 3, t)) - x,
                      b = s.points.col(s.triangles((k + 2) % 3, t)) - x;
        if (!(s.areas[t] > 1e-14 * s.diagonal * s.diagonal)) continue;
        least[group] = std::min(least[group], s.areas[t]);
        most[group] = std::max(most[group], s.areas[t]);
        byArea.col(group) += s.areas[t] * s.normals.col(t);
        byMax.col(group) += s.areas[t] / (a.squaredNorm() * b.squaredNorm()) * s.normals.col(t);
    }
    smooth.cornerNormals.resize(3, 3 * m);
    for (int c = 0; c < 3 * m; ++c) {
        const int group = smooth.cornerGroups[static_cast<std::size_t>(c)];
        const Vector3 n = most[group] > 8.0 * least[group] ? byArea.col(group) : byMax.col(group);
        const double length = n.norm();
        smooth.cornerNormals.col(c) = length > 0.0 ? Vector3(n / length) : Vector3(s.normals.col(c / 3));
    }
}

/// The symmetric map of the triangle's plane that takes its sides to the changes of the normal along them, in the least
/// squares sense [R04]; exact for spheres and circular cylinders.
Matrix3 triangleCurvature(const OrientedSurface& s, const SmoothSurface& smooth, int t) {
    const Vector3 normal = s.normals.col(t);
    const double size2 = s.areas[t];
    if (!(size2 > 1e-14 * s.diagonal * s.diagonal)) return Matrix3::Zero();
    const Vector3 u = (s.points.col(s.triangles(1, t)) - s.points.col(s.triangles(0, t))).normalized();
    const Vector3 v = normal.cross(u);
    Matrix3 A = Matrix3::Zero();
    Vector3 b = Vector3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vector3 side = s.points.col(s.triangles((k + 1) % 3, t)) - s.points.col(s.triangles(k, t));
        const Vector3 change = smooth.cornerNormals.col(3 * t + (k + 1) % 3) - smooth.cornerNormals.col(3 * t + k);
        const double su = side.dot(u), sv = side.dot(v);
        const Vector3 first(su, sv, 0.0), second(0.0, su, sv);  // of the unknowns uu, uv, vv
        A += first * first.transpose() + second * second.transpose();
        b += first * change.dot(u) + second * change.dot(v);
    }
    const Vector3 x = A.ldlt().solve(b);
    if (!x.allFinite()) return Matrix3::Zero();
    return x[0] * u * u.transpose() + x[1] * (u * v.transpose() + v * u.transpose()) + x[2] * v * v.transpose();
}

}  // namespace

Vector3 SmoothSurface::normalAt(int triangle, const Vector3& weights) const {
    const Vector3 n = cornerNormals.middleCols<3>(3 * triangle) * weights;
    const double length = n.norm();
    return length > 1e-6 ? Vector3(n / length) : Vector3(cornerNormals.col(3 * triangle));
}

SmoothSurface smoothSurface(const OrientedSurface& surface) {
    SmoothSurface smooth;
    groupCorners(surface, smooth);
    addCornerNormals(surface, smooth);
    for (int t = 0; t < surface.triangleCount(); ++t) smooth.curvature.push_back(triangleCurvature(surface, smooth, t));
    return smooth;
}

}  // namespace pliant
