// SPDX-License-Identifier: Zlib
// Closed surfaces whose normals, curvatures and thickness are known.
#pragma once

#include <cmath>

#include "pliant/mesh/SurfaceMesh.h"
#include "unit/mesh/SampleMeshes.h"

namespace pliant::test {

/// The grid of a surface of revolution about z: `profile` from pole to pole (radius, height); poles have radius 0.
inline SurfaceMesh revolved(const Matrix<double, 2, Eigen::Dynamic>& profile, int sides) {
    const double pi = std::acos(-1.0);
    const int rings = static_cast<int>(profile.cols()) - 2;
    Points x(3, rings * sides + 2);
    Triangles t(3, 2 * rings * sides);
    int n = 0;
    const int top = rings * sides, bottom = top + 1;
    x.col(top) = Vector3(0.0, 0.0, profile(1, 0));
    x.col(bottom) = Vector3(0.0, 0.0, profile(1, rings + 1));
    for (int i = 0; i < rings; ++i)
        for (int k = 0; k < sides; ++k) {
            const double angle = 2.0 * pi * k / sides;
            x.col(i * sides + k) << profile(0, i + 1) * std::cos(angle), profile(0, i + 1) * std::sin(angle),
                profile(1, i + 1);
            const int a = i * sides + k, b = i * sides + (k + 1) % sides;
            if (i == 0) t.col(n++) << top, a, b;
            if (i + 1 == rings)
                t.col(n++) << bottom, b, a;
            else {
                t.col(n++) << a, a + sides, b;
                t.col(n++) << b, a + sides, b + sides;
            }
        }
    SurfaceMesh mesh;
    addTriangles(mesh, x, t.leftCols(n));
    return mesh;
}

/// An ellipsoid of revolution: half axes `across`, `across`, `along`.
inline SurfaceMesh spheroid(double across, double along, int rings) {
    const double pi = std::acos(-1.0);
    Matrix<double, 2, Eigen::Dynamic> profile(2, rings + 1);
    for (int i = 0; i <= rings; ++i) {
        const bool pole = i == 0 || i == rings;
        profile.col(i) << (pole ? 0.0 : across * std::sin(pi * i / rings)), along * std::cos(pi * i / rings);
    }
    return revolved(profile, 2 * rings);
}

/// A cylinder about z with flat ends.
inline SurfaceMesh cylinder(double radius, double length, int sides, int rings) {
    Matrix<double, 2, Eigen::Dynamic> profile(2, rings + 3);
    profile.col(0) << 0.0, 0.5 * length;
    for (int i = 0; i <= rings; ++i) profile.col(i + 1) << radius, length * (0.5 - static_cast<double>(i) / rings);
    profile.col(rings + 2) << 0.0, -0.5 * length;
    return revolved(profile, sides);
}

/// A torus about z.
inline SurfaceMesh torus(double radius, double tubeRadius, int along, int around) {
    const double pi = std::acos(-1.0);
    SurfaceMesh mesh;
    addTube(
        mesh, [&](double s) { return Vector3(radius * std::cos(2.0 * pi * s), radius * std::sin(2.0 * pi * s), 0.0); },
        tubeRadius, along, around);
    return mesh;
}

inline double areaOf(const SurfaceMesh& mesh) {
    double area = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t));
        area += 0.5 * (mesh.positions.col(mesh.triangles(1, t)) - a)
                          .cross(Vector3(mesh.positions.col(mesh.triangles(2, t)) - a))
                          .norm();
    }
    return area;
}

/// Largest distance of points of the surface from the nearest of `points`; `divisions` of them along a triangle's side.
template <typename Positions>
double largestGap(const SurfaceMesh& mesh, const Positions& points, int divisions) {
    double largest = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int i = 0; i < divisions; ++i)
            for (int k = 0; i + k < divisions; ++k) {
                const double u = (i + 1.0 / 3.0) / divisions, v = (k + 1.0 / 3.0) / divisions;
                const Vector3 x = (1.0 - u - v) * mesh.positions.col(mesh.triangles(0, t)) +
                                  u * mesh.positions.col(mesh.triangles(1, t)) +
                                  v * mesh.positions.col(mesh.triangles(2, t));
                largest = std::max(largest, std::sqrt((points.colwise() - x).colwise().squaredNorm().minCoeff()));
            }
    return largest;
}

}  // namespace pliant::test
