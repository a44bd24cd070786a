// SPDX-License-Identifier: Zlib
#include "pliant/runtime/StrainRateTerms.h"

namespace pliant {

StrainRateScratch::StrainRateScratch(const StrainRateDamping& damping) {
    if (damping.empty()) return;
    const auto r = static_cast<std::size_t>(damping.r), N = static_cast<std::size_t>(damping.gram.rows());
    half.resize(r * N);
    matrix.resize(r * (r + 1) / 2);
    vectors.resize(3 * r);
}

// Row i of (dm/dq)' collects the monomial q_i and, with q_j, every pair that i is in: twice for the pair (i, i).
void strainRateMatrix(const StrainRateDamping& damping, double share, const double* q, StrainRateScratch& scratch) {
    const int r = damping.r;
    const Eigen::Index N = damping.gram.rows();
    const auto row = [&](int i) { return VectorView(scratch.half.data() + i * N, N); };
    for (int i = 0; i < r; ++i) row(i) = damping.gram.col(i);  // G is symmetric
    Eigen::Index pair = r;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j, ++pair) {
            row(i) += q[j] * damping.gram.col(pair);
            row(j) += q[i] * damping.gram.col(pair);
        }
    double* entry = scratch.matrix.data();
    for (int a = 0; a < r; ++a) {
        const double* left = scratch.half.data() + a * N;
        double* const sums = scratch.vectors.data();
        for (int b = 0; b < r; ++b) sums[b] = left[b];
        const double* next = left + r;
        for (int i = 0; i < r; ++i)
            for (int j = i; j < r; ++j, ++next) {
                sums[i] += q[j] * *next;
                sums[j] += q[i] * *next;
            }
        for (int b = a; b < r; ++b) *entry++ = share * sums[b];
    }
}

}  // namespace pliant
