// SPDX-License-Identifier: Zlib
// Sums of squares b b' of many rows for the widest vectors that the machine has. Internal to touch/. Each entry is
// summed over the rows in their order, so every instruction set gives the same bits.
#pragma once

#include "pliant/math/Api.h"

namespace pliant {

constexpr int kSquareSide = 8;  ///< Rows are filled up with zeros to a multiple of this length.

/// Adds the sum of b b' to a matrix: its lower triangle; of what is above, anything.
/// @param rows `count` of them, of `size` numbers each @param size a multiple of kSquareSide
/// @param sum size x size, column by column
PLIANT_INTERNAL_API void addSquares(const double* rows, int count, int size, double* sum);

/// The same in registers of as many doubles as half of `laneCount`, 4, 8 or 16. @return false where the processor has
/// none of that width
PLIANT_INTERNAL_API bool addSquaresBy(int laneCount, const double* rows, int count, int size, double* sum);

}  // namespace pliant
