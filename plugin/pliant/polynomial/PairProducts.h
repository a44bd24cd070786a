// SPDX-License-Identifier: Zlib
// The inner loops of the strain rows, for the widest vectors that the processor has. Only products and sums in a fixed
// order, no fused ones: same bits on every processor.
#pragma once

namespace pliant {

/// A slope d u / dX_b: three lanes of numbers (components of u), `stride` apart; r numbers and at least 8 zeros each.
struct SlopeLanes {
    const double* values;
    int stride;
};

/// Writes row[(i, j)] = scale * (a_i . a_j), i <= j lexicographic, half of it for i = j: the quadratic part of a
/// normal strain, and up to 7 numbers behind the r(r+1)/2.
void normalPairs(SlopeLanes a, int r, double scale, double* row);

/// Writes row[(i, j)] = scale * (a_i . b_j + b_i . a_j), half of it for i = j: the quadratic part of an engineering
/// shear.
void shearPairs(SlopeLanes a, SlopeLanes b, int r, double scale, double* row);

}  // namespace pliant
