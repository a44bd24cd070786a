// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/fem/FullModel.h"
#include "pliant/model/InertiaIntegrals.h"

namespace pliant {

/// D_j, H0_j, S_j, S_ij and C_ij [S] out of the product M U alone: the mass matrix integrates products of fields of the
/// mesh exactly, and the rest position is one of them. Leaves mass and principal moments to the caller.
/// @param M 3n x 3n  @param restPositions 3 x n, body frame  @param basis 3n x r, body frame
InertiaIntegrals massIntegrals(const SparseMatrix& M, const Points& restPositions, const MatrixX& basis);

}  // namespace pliant
