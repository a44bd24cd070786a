// SPDX-License-Identifier: Zlib
// What an element does with the rows of its points, for the widest vectors that the machine has. Internal to touch/.
// Each sum has one order everywhere, so every instruction set gives the same bits.
#pragma once

#include "pliant/math/Api.h"

namespace pliant {

constexpr int kSquareSide = 8;  ///< Rows whose squares are added are filled up with zeros to a multiple of this length.

/// Rows b of `size` numbers each, `stride` numbers from one to the next.
struct RowsView {
    const double* rows;
    int count, stride, size;
};

/// Adds the sum of b b' to a matrix: its lower triangle; of what is above, anything.
/// @param of without gaps, of a multiple of kSquareSide numbers @param sum size x size, column by column
PLIANT_INTERNAL_API void addSquares(const RowsView& of, double* sum);

/// Multiplies every row with a vector. @param z `size` numbers @param out receives `count` of them
PLIANT_INTERNAL_API void multiplyRows(const RowsView& of, const double* z, double* out);

/// Adds every row times its factor. @param factors `count` of them @param sum `size` numbers
PLIANT_INTERNAL_API void addRows(const RowsView& of, const double* factors, double* sum);

/// The same in registers of one width.
struct ElementRowKernels {
    void (*addSquares)(const RowsView&, double*) = nullptr;
    void (*multiplyRows)(const RowsView&, const double*, double*) = nullptr;
    void (*addRows)(const RowsView&, const double*, double*) = nullptr;
};
/// @param laneCount twice the number of doubles in a register: 4, 8 or 16 @return null pointers where the processor has
/// no registers of that width
PLIANT_INTERNAL_API ElementRowKernels elementRowKernelsBy(int laneCount);

}  // namespace pliant
