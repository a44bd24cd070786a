// SPDX-License-Identifier: Zlib
// A free body's basis without the rigid motion that files of others may leave in it.
#pragma once

#include "pliant/basis/RigidModes.h"

namespace pliant {

/// Run time moves a free body's frame by itself: columns that move or turn it, too, would count momentum twice.
struct ElasticPart {
    MatrixX basis;  ///< Basis U_e, 3n x r', U_e' M U_e = 1, M-orthogonal to the rigid modes (mean-axis conditions).
    /// T, r x r': U T = U_e + rigid motion. The energy of U_e s is that of T s where T s does not turn the body.
    MatrixX coordinates;
    double rigidShare = 0.0;  ///< Largest share of a column of U that was rigid motion, 0 to 1.
    /// Share of rotation in what T s moves, to which the energy of T s is exact to first order.
    double turningShare = 0.0;
};

/// Columns of U (3n x r), in their order, made orthonormal in M on the complement of the rigid modes; those of which
/// nothing is left are used to turn the others back, and dropped.
/// @param rigid Rg, 3n x 6, translations first. @throws Error where U holds nothing but rigid motion
ElasticPart elasticPart(const SparseMatrix& M, const MatrixX& rigid, const MatrixX& U);

}  // namespace pliant
