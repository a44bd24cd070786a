// SPDX-License-Identifier: Zlib
// Beams made of bricks or tetrahedra, and fields without symmetry, for tests.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant::test {

struct BeamShape {
    int nx = 4, ny = 1, nz = 1;                      // cells
    double length = 1.0, width = 0.1, height = 0.1;  // metres along x, y, z
    ElementKind kind = ElementKind::Brick;
};

inline int beamVertex(const BeamShape& s, int i, int j, int k) {
    return (i * (s.ny + 1) + j) * (s.nz + 1) + k;
}

/// Corner at the origin; tetrahedra are the six Kuhn simplices of each cell.
inline VolumeMesh beamMesh(const BeamShape& s) {
    VolumeMesh mesh;
    mesh.kind = s.kind;
    mesh.positions.resize(3, (s.nx + 1) * (s.ny + 1) * (s.nz + 1));
    for (int i = 0; i <= s.nx; ++i)
        for (int j = 0; j <= s.ny; ++j)
            for (int k = 0; k <= s.nz; ++k)
                mesh.positions.col(beamVertex(s, i, j, k)) =
                    Vector3(s.length * i / s.nx, s.width * j / s.ny, s.height * k / s.nz);
    std::vector<std::vector<int>> elements;
    for (int i = 0; i < s.nx; ++i)
        for (int j = 0; j < s.ny; ++j)
            for (int k = 0; k < s.nz; ++k) {
                const auto v = [&](int a, int b, int c) { return beamVertex(s, i + a, j + b, k + c); };
                if (s.kind == ElementKind::Brick) {
                    elements.push_back({v(0, 0, 0), v(1, 0, 0), v(1, 1, 0), v(0, 1, 0), v(0, 0, 1), v(1, 0, 1),
                                        v(1, 1, 1), v(0, 1, 1)});
                    continue;
                }
                constexpr int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {1, 0, 2}, {2, 1, 0}};
                for (int p = 0; p < 6; ++p) {
                    int at[3] = {0, 0, 0};
                    std::vector<int> corners = {v(0, 0, 0)};
                    for (const int axis : paths[p]) {
                        at[axis] = 1;
                        corners.push_back(v(at[0], at[1], at[2]));
                    }
                    if (p >= 3) std::swap(corners[2], corners[3]);  // odd permutations are mirrored
                    elements.push_back(corners);
                }
            }
    mesh.elements.resize(mesh.cornersPerElement(), static_cast<Eigen::Index>(elements.size()));
    for (std::size_t e = 0; e < elements.size(); ++e)
        for (std::size_t c = 0; c < elements[e].size(); ++c)
            mesh.elements(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(e)) = elements[e][c];
    mesh.elementMaterial.assign(elements.size(), 0);
    mesh.materials.resize(1);
    mesh.materials[0].poissonRatio = 0.3;
    return mesh;
}

/// Wood-like, its grain along a direction that is none of the mesh's axes.
inline ElasticMaterial orthotropicMaterial() {
    ElasticMaterial material;
    material.name = "grain";
    material.density = 600.0;
    material.law = MaterialLaw::Orthotropic;
    material.orthotropic.youngsModuli = Vector3(9e6, 2e6, 1e6);
    material.orthotropic.poissonRatios = Vector3(0.4, 0.3, 0.05);
    material.orthotropic.shearModuli = Vector3(8e5, 3e5, 9e5);
    material.orthotropic.axes << 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6;
    return material;
}

/// Positive definite without any symmetry: every strain component makes every stress component.
inline ElasticMaterial generalMaterial() {
    ElasticMaterial material;
    material.name = "crystal";
    material.density = 900.0;
    material.law = MaterialLaw::General;
    for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j)
            material.stiffness(i, j) =
                1e6 * ((i == j ? 3.0 - 0.2 * i : 0.0) + 0.8 * std::sin(1.0 + i) * std::sin(1.0 + j) +
                       0.3 * std::cos(2.0 * i) * std::cos(2.0 * j));
    return material;
}

/// Vertices of the face x = 0.
inline std::vector<int> clampedEnd(const BeamShape& s) {
    std::vector<int> vertices;
    for (int j = 0; j <= s.ny; ++j)
        for (int k = 0; k <= s.nz; ++k) vertices.push_back(beamVertex(s, 0, j, k));
    return vertices;
}

/// Smooth field of size `amplitude` (m) without any symmetry; `seed` turns it into another one.
inline VectorX wavyField(const VolumeMesh& mesh, double amplitude, double seed = 0.0) {
    VectorX u(3 * mesh.positions.cols());
    const Vector3 low = mesh.positions.rowwise().minCoeff();
    const double size = (mesh.positions.rowwise().maxCoeff() - low).norm();
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v) {
        const Vector3 p = (mesh.positions.col(v) - low) / size;
        u.segment<3>(3 * v) << std::sin(3.0 * p.x() + 2.0 * p.y() + p.z() + 0.5 + seed),
            std::cos(2.0 * p.x() - 4.0 * p.y() + p.z() + 1.7 * seed),
            std::sin(p.x() + 3.0 * p.y() - 5.0 * p.z() + 1.0 - 0.6 * seed);
    }
    return amplitude * u;
}

/// Slope of log(error) over log(step) between the first and the last pair.
inline double convergenceSlope(const std::vector<double>& steps, const std::vector<double>& errors) {
    return std::log(errors.front() / errors.back()) / std::log(steps.front() / steps.back());
}

}  // namespace pliant::test
