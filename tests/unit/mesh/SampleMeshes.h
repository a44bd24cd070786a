// SPDX-License-Identifier: Zlib
// Small meshes that several tests use.
#pragma once

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant::test {

/// nx x ny x nz bricks with edges `size`, first corner at `origin`; vertices z fastest.
inline VolumeMesh brickBlock(int nx, int ny, int nz, const Vector3& size = Vector3::Ones(),
                             const Vector3& origin = Vector3::Zero()) {
    VolumeMesh mesh;
    mesh.kind = ElementKind::Brick;
    mesh.materials.resize(1);
    const auto vertex = [&](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
    mesh.positions.resize(3, (nx + 1) * (ny + 1) * (nz + 1));
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j)
            for (int k = 0; k <= nz; ++k)
                mesh.positions.col(vertex(i, j, k)) = origin + Vector3(i, j, k).cwiseProduct(size);
    mesh.elements.resize(8, nx * ny * nz);
    int e = 0;
    for (int i = 0; i < nx; ++i)
        for (int j = 0; j < ny; ++j)
            for (int k = 0; k < nz; ++k)
                mesh.elements.col(e++) << vertex(i, j, k), vertex(i + 1, j, k), vertex(i + 1, j + 1, k),
                    vertex(i, j + 1, k), vertex(i, j, k + 1), vertex(i + 1, j, k + 1), vertex(i + 1, j + 1, k + 1),
                    vertex(i, j + 1, k + 1);
    mesh.elementMaterial.assign(static_cast<std::size_t>(e), 0);
    return mesh;
}

/// The corner tetrahedron of the unit cube: volume 1/6.
inline VolumeMesh cornerTetrahedron() {
    VolumeMesh mesh;
    mesh.kind = ElementKind::Tetrahedron;
    mesh.materials.resize(1);
    mesh.positions.resize(3, 4);
    mesh.positions << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
    mesh.elements.resize(4, 1);
    mesh.elements << 0, 1, 2, 3;
    mesh.elementMaterial = {0};
    return mesh;
}

inline Triangles oneTriangle(int a, int b, int c) {
    Triangles t(3, 1);
    t(0, 0) = a;
    t(1, 0) = b;
    t(2, 0) = c;
    return t;
}

inline void addTriangles(SurfaceMesh& mesh, const Points& positions, const Triangles& triangles) {
    const Eigen::Index n = mesh.positions.cols(), m = mesh.triangles.cols();
    mesh.positions.conservativeResize(3, n + positions.cols());
    mesh.positions.rightCols(positions.cols()) = positions;
    mesh.triangles.conservativeResize(3, m + triangles.cols());
    mesh.triangles.rightCols(triangles.cols()) = triangles.array() + static_cast<int>(n);
    mesh.triangleMaterial.assign(static_cast<std::size_t>(mesh.triangles.cols()), 0);
    mesh.materials.resize(1);
}

/// Adds the closed surface of an axis-aligned box.
inline void addBox(SurfaceMesh& mesh, const Vector3& lower, const Vector3& upper) {
    Points x(3, 8);
    for (int c = 0; c < 8; ++c)
        x.col(c) = Vector3(c & 1 ? upper[0] : lower[0], c & 2 ? upper[1] : lower[1], c & 4 ? upper[2] : lower[2]);
    Triangles t(3, 12);
    t << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
        2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,   //
        3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
    addTriangles(mesh, x, t);
}

inline SurfaceMesh box(const Vector3& lower, const Vector3& upper) {
    SurfaceMesh mesh;
    addBox(mesh, lower, upper);
    return mesh;
}

/// Adds a closed tube around the curve centre(s), s in [0, 1), which closes upon itself.
template <typename Curve>
void addTube(SurfaceMesh& mesh, const Curve& centre, double radius, int along, int around) {
    const double pi = std::acos(-1.0);
    Points x(3, along * around);
    Triangles t(3, 2 * along * around);
    for (int a = 0; a < along; ++a) {
        const double s = static_cast<double>(a) / along, h = 1e-4;
        const Vector3 tangent = (Vector3(centre(s + h)) - Vector3(centre(s - h))).normalized();
        const Vector3 u = tangent.unitOrthogonal(), v = tangent.cross(u);
        for (int b = 0; b < around; ++b) {
            const double angle = 2.0 * pi * b / around;
            x.col(a * around + b) = Vector3(centre(s)) + radius * (std::cos(angle) * u + std::sin(angle) * v);
            const int p = a * around + b, q = a * around + (b + 1) % around;
            const int p1 = (a + 1) % along * around + b, q1 = (a + 1) % along * around + (b + 1) % around;
            t.col(2 * p) << p, p1, q;
            t.col(2 * p + 1) << q, p1, q1;
        }
    }
    addTriangles(mesh, x, t);
}

}  // namespace pliant::test
