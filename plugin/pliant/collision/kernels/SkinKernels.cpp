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

template <int lanes>
PLIANT_INLINE void sumGrowthOn(const double* panels, int count, int panelRows, int rows, const float* q, double* sums) {
    using Numbers = typename Lanes<double, lanes>::Vector;
    constexpr int registers = kGrowthColumns / lanes;
    for (int panel = 0; panel < count; ++panel, panels += panelRows * kGrowthColumns, sums += kGrowthColumns) {
        Numbers sum[registers] = {};
        for (int j = 0; j < rows; ++j) {
            const double size = std::abs(static_cast<double>(q[j]));
            for (int k = 0; k < registers; ++k) {
                Numbers growth;
                std::memcpy(&growth, panels + kGrowthColumns * j + lanes * k, sizeof growth);
                sum[k] += growth * size;
            }
        }
        std::memcpy(sums, sum, sizeof sum);
    }
}

using SumGrowth = void (*)(const double*, int, int, int, const float*, double*);

void sumGrowthBaseline(const double* panels, int count, int panelRows, int rows, const float* q, double* sums) {
    sumGrowthOn<2>(panels, count, panelRows, rows, q, sums);
}

#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void sumGrowthAvx2(const double* panels, int count, int panelRows, int rows, const float* q,
                                      double* sums) {
    sumGrowthOn<4>(panels, count, panelRows, rows, q, sums);
}

PLIANT_TARGET_AVX512 void sumGrowthAvx512(const double* panels, int count, int panelRows, int rows, const float* q,
                                          double* sums) {
    sumGrowthOn<8>(panels, count, panelRows, rows, q, sums);
}

SumGrowth chooseSumGrowth() {
    if (lanesInUse() == kLanesAvx512) return sumGrowthAvx512;
    return lanesInUse() == kLanesAvx2 ? sumGrowthAvx2 : sumGrowthBaseline;
}
#else
SumGrowth chooseSumGrowth() {
    return sumGrowthBaseline;
}
#endif

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

void sumGrowth(const double* panels, int count, int panelRows, int rows, const float* q, double* sums) {
    static const SumGrowth chosen = chooseSumGrowth();
    chosen(panels, count, panelRows, rows, q, sums);
}

}  // namespace pliant
