// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/PairProducts.h"

#include "pliant/math/InstructionSet.h"
#include "pliant/math/InstructionTargets.h"

namespace pliant {
namespace {

constexpr int chunk = 8;  // whole chunks: what a row writes too much, the next one overwrites

PLIANT_INLINE void normalPairsOn(const SlopeLanes& a, int r, double scale, double* row) {
    const double *x = a.values, *y = x + a.stride, *z = y + a.stride;
    for (int i = 0; i < r; ++i) {
        const double xi = scale * x[i], yi = scale * y[i], zi = scale * z[i];
        for (int j = i; j < r; j += chunk)
            for (int k = 0; k < chunk; ++k) row[j - i + k] = xi * x[j + k] + yi * y[j + k] + zi * z[j + k];
        row[0] *= 0.5;
        row += r - i;
    }
}

PLIANT_INLINE void shearPairsOn(const SlopeLanes& a, const SlopeLanes& b, int r, double scale, double* row) {
    const double *x = a.values, *y = x + a.stride, *z = y + a.stride;
    const double *u = b.values, *v = u + b.stride, *w = v + b.stride;
    for (int i = 0; i < r; ++i) {
        const double xi = scale * x[i], yi = scale * y[i], zi = scale * z[i];
        const double ui = scale * u[i], vi = scale * v[i], wi = scale * w[i];
        for (int j = i; j < r; j += chunk)
            for (int k = 0; k < chunk; ++k)
                row[j - i + k] =
                    (xi * u[j + k] + yi * v[j + k] + zi * w[j + k]) + (ui * x[j + k] + vi * y[j + k] + wi * z[j + k]);
        row[0] *= 0.5;
        row += r - i;
    }
}

struct Kernels {
    void (*normal)(const SlopeLanes&, int, double, double*);
    void (*shear)(const SlopeLanes&, const SlopeLanes&, int, double, double*);
};

void normalBaseline(const SlopeLanes& a, int r, double scale, double* row) {
    normalPairsOn(a, r, scale, row);
}
void shearBaseline(const SlopeLanes& a, const SlopeLanes& b, int r, double scale, double* row) {
    shearPairsOn(a, b, r, scale, row);
}

#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void normalAvx2(const SlopeLanes& a, int r, double scale, double* row) {
    normalPairsOn(a, r, scale, row);
}
PLIANT_TARGET_AVX2 void shearAvx2(const SlopeLanes& a, const SlopeLanes& b, int r, double scale, double* row) {
    shearPairsOn(a, b, r, scale, row);
}
PLIANT_TARGET_AVX512 void normalAvx512(const SlopeLanes& a, int r, double scale, double* row) {
    normalPairsOn(a, r, scale, row);
}
PLIANT_TARGET_AVX512 void shearAvx512(const SlopeLanes& a, const SlopeLanes& b, int r, double scale, double* row) {
    shearPairsOn(a, b, r, scale, row);
}

Kernels chooseKernels() {
    if (widestInstructions() == InstructionSet::Avx512) return {normalAvx512, shearAvx512};
    if (widestInstructions() == InstructionSet::Avx2) return {normalAvx2, shearAvx2};
    return {normalBaseline, shearBaseline};
}
#else
Kernels chooseKernels() {
    return {normalBaseline, shearBaseline};
}
#endif

const Kernels& kernels() {
    static const Kernels chosen = chooseKernels();
    return chosen;
}

}  // namespace

void normalPairs(SlopeLanes a, int r, double scale, double* row) {
    kernels().normal(a, r, scale, row);
}

void shearPairs(SlopeLanes a, SlopeLanes b, int r, double scale, double* row) {
    kernels().shear(a, b, r, scale, row);
}

}  // namespace pliant
