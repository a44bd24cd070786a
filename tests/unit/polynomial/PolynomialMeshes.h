// SPDX-License-Identifier: Zlib
// Blocks of unequal bricks or tetrahedra, and bases without any structure.
#pragma once

#include <random>

#include "pliant/mesh/VolumeMesh.h"
#include "unit/fem/BeamMesh.h"

namespace pliant::test {

/// a x b x c bricks of unequal sides, or six tetrahedra for each, in two isotropic materials that take turns, one of
/// them with a negative Poisson ratio.
inline VolumeMesh block(ElementKind kind, int a, int b, int c) {
    VolumeMesh mesh = beamMesh({a, b, c, 0.1 * a, 0.15 * b, 0.08 * c, kind});
    mesh.materials = {{"soft", 1000.0, 1e5, 0.45}, {"auxetic", 700.0, 3e6, -0.3}};
    for (int e = 0; e < mesh.elementCount(); ++e) mesh.elementMaterial[static_cast<std::size_t>(e)] = e % 2;
    return mesh;
}

/// The same with all laws side by side.
inline VolumeMesh mixedBlock(ElementKind kind, int a, int b, int c) {
    VolumeMesh mesh = block(kind, a, b, c);
    mesh.materials.push_back(orthotropicMaterial());
    mesh.materials.push_back(generalMaterial());
    for (int e = 0; e < mesh.elementCount(); ++e) mesh.elementMaterial[static_cast<std::size_t>(e)] = e % 4;
    return mesh;
}

inline MatrixX randomMatrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    MatrixX matrix(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = uniform(engine);
    return matrix;
}

inline MatrixX randomBasis(const VolumeMesh& mesh, int r) {
    return randomMatrix(3 * mesh.vertexCount(), r, 3);
}

}  // namespace pliant::test
