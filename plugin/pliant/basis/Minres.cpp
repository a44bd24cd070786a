// SPDX-License-Identifier: Zlib
#include "pliant/basis/Minres.h"

#include <cmath>

namespace pliant {

MinresResult minres(const LinearOperator& A, const LinearOperator& preconditioner, const VectorX& b, double tolerance,
                    int mostIterations) {
    MinresResult result;
    result.x = VectorX::Zero(b.size());
    // Lanczos vectors: r before, z behind the preconditioner; w are the search directions.
    VectorX r0 = VectorX::Zero(b.size()), r1 = b, z = preconditioner(b);
    double beta = std::sqrt(std::max(0.0, r1.dot(z)));
    if (beta == 0.0) return result;
    const double start = beta;
    VectorX w0 = VectorX::Zero(b.size()), w1 = w0;
    double betaBefore = 0.0, phi = beta;
    double c = -1.0, s = 0.0;           // last Givens rotation
    double delta = 0.0, epsilon = 0.0;  // entries of the rotated tridiagonal matrix above the diagonal
    while (result.iterations < mostIterations) {
        ++result.iterations;
        const VectorX v = z / beta;
        VectorX r2 = A(v);
        if (result.iterations > 1) r2 -= (beta / betaBefore) * r0;
        const double alpha = v.dot(r2);
        r2 -= (alpha / beta) * r1;
        r0 = r1;
        r1 = r2;
        z = preconditioner(r2);
        betaBefore = beta;
        beta = std::sqrt(std::max(0.0, r2.dot(z)));

        const double epsilonBefore = epsilon;
        const double above = c * delta + s * alpha, diagonal = s * delta - c * alpha;
        epsilon = s * beta;
        delta = -c * beta;
        const double gamma = std::hypot(diagonal, beta);
        if (gamma == 0.0) break;
        c = diagonal / gamma;
        s = beta / gamma;
        const VectorX w = (v - epsilonBefore * w0 - above * w1) / gamma;
        w0 = w1;
        w1 = w;
        result.x += (c * phi) * w;
        phi *= s;
        result.residual = std::abs(phi) / start;
        if (result.residual <= tolerance || beta <= 1e-15 * start) break;
    }
    return result;
}

}  // namespace pliant
