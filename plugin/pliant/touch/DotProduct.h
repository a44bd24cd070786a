// SPDX-License-Identifier: Zlib
// Internal: products of rows with velocities.
#pragma once

namespace pliant {

/// Returns a.b in four partial sums, always the same ones: a single one waits for each addition.
inline double dotOf(const double* a, const double* b, int n) {
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    int j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; ++k) sums[k] += a[j + k] * b[j + k];
    for (; j < n; ++j) sums[0] += a[j] * b[j];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace pliant
