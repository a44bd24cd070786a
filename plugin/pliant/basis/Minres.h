// SPDX-License-Identifier: Zlib
// MINRES [PS75] with a preconditioner, for symmetric systems that may be indefinite or singular but
// consistent.
#pragma once

#include <functional>

#include "pliant/math/Types.h"

namespace pliant {

using LinearOperator = std::function<VectorX(const VectorX&)>;

struct MinresResult {
    VectorX x;              ///< Solution, iterated from zero.
    int iterations = 0;     ///< Number of products with A.
    double residual = 0.0;  ///< Norm |b - A x| relative to |b|, both in the metric of the preconditioner.
};

/// A x = b. @param A symmetric  @param preconditioner symmetric, positive definite on the span that b and A reach,
/// close to the inverse of |A|  @param tolerance of `residual`
MinresResult minres(const LinearOperator& A, const LinearOperator& preconditioner, const VectorX& b, double tolerance,
                    int mostIterations);

}  // namespace pliant
