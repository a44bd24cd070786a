// SPDX-License-Identifier: Zlib
// G = sum over elements of W'W: every coefficient of a quartic energy, 1/2 m(q)' G m(q), before symmetrisation.
#pragma once

#include <functional>
#include <vector>

#include "pliant/math/Types.h"
#include "pliant/math/WorkShares.h"
#include "pliant/polynomial/StrainSamples.h"

namespace pliant {

/// Called before each block of elements with the number of elements done; may throw to stop.
using BlockProgress = std::function<void(int elementsDone)>;

/// @param samples   strains of the mesh
/// @param elements  summed in this order, in fixed blocks: part of the result's bits
/// @param shares    who sums which part of them
/// @param mixes     of each G: rows x rowsPerElement(), what makes W of the samples; an empty one means the samples
/// @return one N x N matrix per mix; only the lower triangles are meaningful
/// Runs on the threads of the caller's oneTBB arena; same bits for any number of them.
std::vector<MatrixX> gramMatrices(const StrainSamples& samples, const std::vector<int>& elements,
                                  const std::vector<MatrixX>& mixes, const BlockProgress& progress = {},
                                  const WorkShares& shares = {});

}  // namespace pliant
