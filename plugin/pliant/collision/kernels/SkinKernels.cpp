// SPDX-License-Identifier: Zlib
#include "pliant/collision/kernels/SkinKernels.h"

#include <cmath>
#include <cstring>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

using Column = Floats<4>;

/// The blended map of a point: sum_b w_b of R_b and t_b.
PLIANT_INLINE void blend(const float* columns, const int* bones, const float* weights, Column (&map)[4]) {
    for (Column& column : map) column = Column{};
    for (int b = 0; b < kSkinBones && weights[b] > 0.0f; ++b) {
        const float* bone = columns + kBoneFloats * bones[b];
        for (int k = 0; k < 4; ++k) {
            Column column;
            loadLanes(column, bone + 4 * k);
            map[k] += column * weights[b];
        }
    }
}

/// What scales add to the shape at rest: sum_b w_b (scale_b - 1) R_b x.
PLIANT_INLINE Column grown(const float* columns, const int* bones, const float* weights, const float* rest) {
    Column sum{};
    for (int b = 0; b < kSkinBones && weights[b] > 0.0f; ++b) {
        const float* bone = columns + kBoneFloats * bones[b];
        const float growth = weights[b] * (bone[15] - 1.0f);
        for (int k = 0; k < 3; ++k) {
            Column column;
            loadLanes(column, bone + 4 * k);
            sum += column * (growth * rest[k]);
        }
    }
    return sum;
}

/// What sumGrowth() is asked.
struct Growth {
    const double* panels;
    int panelRows, rows;
    const float *q, *p;
    double *sumsOfQ, *sumsOfP;
};

/// `side` panels side by side, so that their sums do not wait for each other.
template <int lanes, int side>
PLIANT_INLINE void sumPanels(const Growth& of, int first) {
    using Numbers = typename Lanes<double, lanes>::Vector;
    constexpr int registers = kGrowthColumns / lanes;
    const double* panels = of.panels + first * of.panelRows * kGrowthColumns;
    Numbers sumOfQ[side][registers] = {}, sumOfP[side][registers] = {};
    for (int j = 0; j < of.rows; ++j, panels += kGrowthColumns) {
        const double q = std::abs(static_cast<double>(of.q[j])), p = std::abs(static_cast<double>(of.p[j]));
        for (int panel = 0; panel < side; ++panel)
            for (int k = 0; k < registers; ++k) {
                Numbers growth;
                std::memcpy(&growth, panels + panel * of.panelRows * kGrowthColumns + lanes * k, sizeof growth);
                sumOfQ[panel][k] += growth * q;
                sumOfP[panel][k] += growth * p;
            }
    }
    std::memcpy(of.sumsOfQ + kGrowthColumns * first, sumOfQ, sizeof sumOfQ);
    std::memcpy(of.sumsOfP + kGrowthColumns * first, sumOfP, sizeof sumOfP);
}

/// Eight sums at a time at most: the baseline has sixteen registers.
template <int lanes>
PLIANT_INLINE void sumGrowthOn(const Growth& of, int count) {
    constexpr int side = lanes / 2;
    int panel = 0;
    for (; panel + side <= count; panel += side) sumPanels<lanes, side>(of, panel);
    for (; panel < count; ++panel) sumPanels<lanes, 1>(of, panel);
}

using SumGrowth = void (*)(const Growth&, int);

void sumGrowthBaseline(const Growth& of, int count) {
    sumGrowthOn<2>(of, count);
}

#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void sumGrowthAvx2(const Growth& of, int count) {
    sumGrowthOn<4>(of, count);
}

PLIANT_TARGET_AVX512 void sumGrowthAvx512(const Growth& of, int count) {
    sumGrowthOn<8>(of, count);
}
#endif

SumGrowth sumGrowthOf([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
    if (set == InstructionSet::Avx512) return sumGrowthAvx512;
    if (set == InstructionSet::Avx2) return sumGrowthAvx2;
#endif
    return sumGrowthBaseline;
}

}  // namespace

void skinSpheres(const float* columns, const int* bones, const float* weights, int count, float* spheres,
                 const float* rest) {
    for (int i = 0; i < count; ++i, bones += kSkinBones, weights += kSkinBones, spheres += 4) {
        Column map[4], sphere;
        blend(columns, bones, weights, map);
        loadLanes(sphere, spheres);
        Column now = ((map[0] * sphere[0] + map[1] * sphere[1]) + map[2] * sphere[2]) + map[3];
        if (rest) now += grown(columns, bones, weights, rest + 4 * i);
        now[3] = sphere[3] * map[3][3];
        storeLanes(spheres, now);
    }
}

void sumGrowth(const double* panels, int count, int panelRows, int rows, const float* q, const float* p,
               double* sumsOfQ, double* sumsOfP) {
    static const SumGrowth chosen = sumGrowthOf(widestInstructions());
    chosen({panels, panelRows, rows, q, p, sumsOfQ, sumsOfP}, count);
}

void sumGrowthWith(InstructionSet set, const double* panels, int count, int panelRows, int rows, const float* q,
                   const float* p, double* sumsOfQ, double* sumsOfP) {
    sumGrowthOf(set)({panels, panelRows, rows, q, p, sumsOfQ, sumsOfP}, count);
}

}  // namespace pliant
