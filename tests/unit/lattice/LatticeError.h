// SPDX-License-Identifier: Zlib
// How well a contact lattice moves what the drawn surface moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/model/ContactSurface.h"

namespace pliant::test {

/// Displacement of x (mesh frame) per unit of coordinate j, by the lattice.
inline Vector3 latticeDisplacement(const ContactLattice& lattice, const Vector3& x, int j) {
    const Vector3 t = (x - lattice.origin) / lattice.spacing;
    Eigen::Vector3i at;
    for (int k = 0; k < 3; ++k) at[k] = std::clamp(static_cast<int>(std::floor(t[k])), 0, lattice.cells[k] - 1);
    const int cell =
        lattice.cellNumbers[static_cast<std::size_t>(at[0] + lattice.cells[0] * (at[1] + lattice.cells[1] * at[2]))];
    const Vector3 inside = t - lattice.cellPlaces.col(cell).cast<double>();
    Vector3 sum = Vector3::Zero();
    for (int c = 0; c < 8; ++c) {
        double weight = 1.0;
        for (int k = 0; k < 3; ++k) weight *= c >> k & 1 ? inside[k] : 1.0 - inside[k];
        sum += weight * lattice.basis.block<3, 1>(3 * lattice.cellVertices(c, cell), j).cast<double>();
    }
    return sum;
}

/// Distances between where the lattice and where the simulation mesh move the drawn vertices.
struct LatticeError {
    double percentile99 = 0.0, largest = 0.0;  ///< relative to the column's largest displacement; worst column
};

inline LatticeError latticeError(const ContactLattice& lattice, const SurfaceMesh& surface, const VolumeMesh& mesh,
                                 const MatrixX& meshBasis, int columns) {
    const MatrixX rows = interpolateBasis(embed(mesh, surface.positions), meshBasis);
    LatticeError error;
    for (int j = 0; j < columns; ++j) {
        std::vector<double> errors;
        double largest = 0.0;
        for (int v = 0; v < surface.vertexCount(); ++v) {
            const Vector3 u = rows.block<3, 1>(3 * v, j);
            errors.push_back((latticeDisplacement(lattice, surface.positions.col(v), j) - u).norm());
            largest = std::max(largest, u.norm());
        }
        std::sort(errors.begin(), errors.end());
        error.percentile99 = std::max(error.percentile99, errors[errors.size() * 99 / 100] / largest);
        error.largest = std::max(error.largest, errors.back() / largest);
    }
    return error;
}

}  // namespace pliant::test
