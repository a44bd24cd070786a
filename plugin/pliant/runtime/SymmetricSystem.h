// SPDX-License-Identifier: Zlib
// Packed symmetric systems of one body, outside of the lanes: upper triangle, row by row (kernels::packedIndex).
// Private to runtime/. Nothing here allocates.
#pragma once

namespace pliant {

/// y = S x, n rows.
void multiplySymmetric(int n, const double* S, const double* x, double* y);
/// y = U'U x for a packed factor whose diagonal holds 1 / U_aa. y must not be x; `scratch` n numbers.
void multiplyFactored(int n, const double* U, const double* x, double* y, double* scratch);
/// Solves S x = b in place by Cholesky; S is overwritten. @return false (b untouched) when S is not positive definite.
bool solvePositive(int n, double* S, double* b);
/// Inverse of a possibly indefinite S by L D L' with the complete pivoting of Bunch and Parlett (1971): 1 x 1 and 2 x 2
/// pivots. @param inverse packed, written; @param scratch n (n + 3) numbers @return false when S is singular to
/// rounding
bool invertIndefinite(int n, const double* S, double* inverse, double* scratch);

}  // namespace pliant
