// SPDX-License-Identifier: Zlib
// Many Hessian products at once: the right-hand sides of modal derivatives.
#pragma once

#include <utility>
#include <vector>

#include "pliant/fem/FullModel.h"

namespace pliant {

/// @param psi     3n x k directions
/// @param pairs   (i, j) with 0 <= i, j < k
/// @param threads workers, 0 = all cores; the result has the same bits for any number
/// @return 3n x pairs.size(), column c: (H : psi_j) psi_i of pairs[c], see FullModel::hessianProduct
MatrixX hessianProducts(const FullModel& model, const MatrixX& psi, const std::vector<std::pair<int, int>>& pairs,
                        int threads = 0);

}  // namespace pliant
