// SPDX-License-Identifier: Zlib
#include "btPliant/solver/PenaltySpring.h"

#include <algorithm>
#include <cmath>

namespace btPliantInternal {

namespace {

/// The root of a x^2 + b x - c that is not negative, with a > 0 and c >= 0.
double positiveRoot(double a, double b, double c) {
    const double root = std::sqrt(b * b + 4.0 * a * c);
    return b > 0.0 ? 2.0 * c / (b + root) : (root - b) / (2.0 * a);
}

}  // namespace

// With b = h W / 2 the depth at the end is d_1 = D - b P.
double PenaltySpring::solve(double impulse, double added, double response) const {
    const double b = 0.5 * step * response, k = step * stiffness, d0 = start;
    const double D = freeEnd - 0.5 * step * added + b * impulse;
    if (!(d0 > 0.0)) {  // comes in: P (d_1 - d_0) = k d_1^2 / 2
        if (!(D > 0.0)) return 0.0;
        const double d1 = positiveRoot(1.0 + 0.5 * b * k, -d0 - D, -d0 * D);
        return 0.5 * k * d1 * d1 / (d1 - d0);
    }
    // stays: P = k (d_0 + d_1) / 2 + c (d_1 - d_0)
    const double P = (0.5 * k * (d0 + D) + damping * (D - d0)) / (1.0 + b * (0.5 * k + damping));
    if (D - b * P >= 0.0) return std::max(0.0, P);
    // leaves by the way x = d_0 - d_1: P = k d_0^2 / (2 x) - c x
    const double elastic = 0.5 * k * d0 * d0;
    const double x = positiveRoot(1.0 + b * damping, D - d0, b * elastic);
    return std::max(0.0, elastic / x - damping * x);
}

}  // namespace btPliantInternal
