// SPDX-License-Identifier: Zlib
// Closed surfaces whose volume is known: that of the polyhedron, from a formula of its own where there is one.
#pragma once

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "unit/mesh/SampleMeshes.h"

namespace pliant::test {

/// Volume inside of closed triangles, as a sum of tetrahedra from the first corner.
inline double enclosedVolume(const SurfaceMesh& mesh) {
    const Vector3 o = mesh.positions.col(0);
    double volume = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                      c = mesh.positions.col(mesh.triangles(2, t));
        volume += (a - o).dot((b - o).cross(c - o)) / 6.0;
    }
    return volume;
}

inline void turnInsideOut(SurfaceMesh& mesh) {
    mesh.triangles.row(1).swap(mesh.triangles.row(2));
}

/// A closed tube of elliptic cross-section along a curve: rings of `around` points, flat ends or, for a closed curve,
/// none. @param centre(s), s in [0, 1]; the section lies in the plane of `side(s)` and `up(s)`, both of their radii's
/// length
template <typename Curve, typename Axis>
SurfaceMesh tube(int along, int around, const Curve& centre, const Axis& side, const Axis& up) {
    SurfaceMesh mesh;
    mesh.positions.resize(3, (along + 1) * around + 2);
    for (int i = 0; i <= along; ++i)
        for (int j = 0; j < around; ++j) {
            const double s = double(i) / along, a = 2.0 * M_PI * j / around;
            mesh.positions.col(i * around + j) = centre(s) + std::cos(a) * side(s) + std::sin(a) * up(s);
        }
    const int first = (along + 1) * around, last = first + 1;
    mesh.positions.col(first) = centre(0.0);
    mesh.positions.col(last) = centre(1.0);
    std::vector<Eigen::Vector3i> triangles;
    for (int j = 0; j < around; ++j) {
        const int k = (j + 1) % around;
        for (int i = 0; i < along; ++i) {
            triangles.emplace_back(i * around + j, i * around + k, (i + 1) * around + k);
            triangles.emplace_back(i * around + j, (i + 1) * around + k, (i + 1) * around + j);
        }
        triangles.emplace_back(first, k, j);
        triangles.emplace_back(last, along * around + j, along * around + k);
    }
    mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t) mesh.triangles.col(static_cast<Eigen::Index>(t)) = triangles[t];
    mesh.triangleMaterial.assign(triangles.size(), 0);
    mesh.materials.resize(1);
    if (enclosedVolume(mesh) < 0.0) turnInsideOut(mesh);
    return mesh;
}

/// A profile in the x-z half plane, turned about z; it starts and ends on the axis.
inline SurfaceMesh turned(const std::vector<std::pair<double, double>>& profile, int around) {
    SurfaceMesh mesh;
    const int rings = static_cast<int>(profile.size());
    mesh.positions.resize(3, rings * around);
    for (int i = 0; i < rings; ++i)
        for (int j = 0; j < around; ++j) {
            const double a = 2.0 * M_PI * j / around, x = profile[static_cast<std::size_t>(i)].first;
            mesh.positions.col(i * around + j) =
                Vector3(x == 0.0 ? 0.0 : x * std::cos(a), x == 0.0 ? 0.0 : x * std::sin(a),
                        profile[static_cast<std::size_t>(i)].second);
        }
    std::vector<Eigen::Vector3i> triangles;
    for (int i = 0; i + 1 < rings; ++i)
        for (int j = 0; j < around; ++j) {
            const int k = (j + 1) % around;
            triangles.emplace_back(i * around + j, i * around + k, (i + 1) * around + k);
            triangles.emplace_back(i * around + j, (i + 1) * around + k, (i + 1) * around + j);
        }
    mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t) mesh.triangles.col(static_cast<Eigen::Index>(t)) = triangles[t];
    mesh.triangleMaterial.assign(triangles.size(), 0);
    mesh.materials.resize(1);
    if (enclosedVolume(mesh) < 0.0) turnInsideOut(mesh);
    return mesh;
}

inline SurfaceMesh sphere(double radius) {
    std::vector<std::pair<double, double>> profile;
    for (int i = 0; i <= 24; ++i)
        profile.emplace_back(i == 0 || i == 24 ? 0.0 : radius * std::sin(M_PI * i / 24),
                             -radius * std::cos(M_PI * i / 24));
    return turned(profile, 48);
}

/// A cup of 8 cm with walls of 3 mm.
inline SurfaceMesh cup() {
    return turned({{0.0, 0.0}, {0.035, 0.0}, {0.04, 0.1}, {0.037, 0.1}, {0.032, 0.003}, {0.0, 0.003}}, 40);
}

/// Four turns of wire of 6 mm, 6 cm wide, 12 cm high.
inline SurfaceMesh spring() {
    const double R = 0.03, r = 0.003, turns = 4.0, height = 0.12;
    const auto angle = [&](double s) { return 2.0 * M_PI * turns * s; };
    const auto centre = [&](double s) { return Vector3(R * std::cos(angle(s)), R * std::sin(angle(s)), height * s); };
    const std::function<Vector3(double)> out = [&](double s) {
        return Vector3(r * std::cos(angle(s)), r * std::sin(angle(s)), 0.0);
    };
    const std::function<Vector3(double)> up = [&](double) { return Vector3(0.0, 0.0, r); };
    return tube(240, 12, centre, out, up);
}

/// About an axis that is none of the grid's.
inline SurfaceMesh rotated(SurfaceMesh mesh) {
    mesh.positions =
        (Eigen::AngleAxisd(0.7, Vector3(1.0, 2.0, -0.5).normalized()).toRotationMatrix() * mesh.positions).eval();
    return mesh;
}

}  // namespace pliant::test
