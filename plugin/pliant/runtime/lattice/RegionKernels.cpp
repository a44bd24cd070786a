// SPDX-License-Identifier: Zlib
#include "pliant/runtime/lattice/RegionKernels.h"

#include <cstring>

#include "pliant/math/InstructionSet.h"
#include "pliant/math/InstructionTargets.h"

namespace pliant {
namespace {

template <class Scalar>
struct Wide {
    static constexpr int lanes = 64 / static_cast<int>(sizeof(Scalar));
    typedef Scalar Type __attribute__((vector_size(64)));
};

constexpr int panel = 16;

/// One body: 16 rows are accumulated side by side.
template <class Scalar>
PLIANT_INLINE void solveOne(const RegionView& region, const Scalar* b, Scalar* x) {
    constexpr int vectors = panel / Wide<Scalar>::lanes;
    const int columns = 3 * region.free;
    const auto* values = static_cast<const Scalar*>(region.inverse);
    for (int row = 0; row < region.inverseRows; row += panel) {
        typename Wide<Scalar>::Type sum[vectors] = {};
        for (int j = 0; j < columns; ++j, values += panel)
            for (int k = 0; k < vectors; ++k) {
                typename Wide<Scalar>::Type value;
                std::memcpy(&value, values + k * Wide<Scalar>::lanes, sizeof value);
                sum[k] += value * b[j];
            }
        std::memcpy(x + row, sum, sizeof sum);
    }
}

/// 16 bodies: eight rows at a time, each number of the inverse meets all lanes.
template <class Scalar>
PLIANT_INLINE void solveMany(const RegionView& region, const Scalar* b, Scalar* x) {
    constexpr int vectors = latticeLanes / Wide<Scalar>::lanes, rows = 8;
    const int columns = 3 * region.free;
    for (int row = 0; row < region.inverseRows; row += rows) {
        const auto* values = static_cast<const Scalar*>(region.inverse) + row / panel * panel * columns + row % panel;
        typename Wide<Scalar>::Type sum[rows][vectors] = {};
        for (int j = 0; j < columns; ++j, values += panel) {
            typename Wide<Scalar>::Type lane[vectors];
            std::memcpy(lane, b + j * latticeLanes, sizeof lane);
            for (int r = 0; r < rows; ++r)
                for (int k = 0; k < vectors; ++k) sum[r][k] += values[r] * lane[k];
        }
        std::memcpy(x + row * latticeLanes, sum, sizeof sum);
    }
}

/// Into the region's axes: R'(part) - map (r; u).
template <int lanes>
PLIANT_INLINE void intoRegion(const double* part, const double* rotation, const double* map, const double* rest,
                              double* out) {
    for (int i = 0; i < 3; ++i)
        for (int l = 0; l < lanes; ++l)
            out[i * lanes + l] =
                (rotation[(3 * i) * lanes + l] * part[l] + rotation[(3 * i + 1) * lanes + l] * part[lanes + l] +
                 rotation[(3 * i + 2) * lanes + l] * part[2 * lanes + l]) -
                (map[i * lanes + l] * rest[0] + map[(3 + i) * lanes + l] * rest[1] +
                 map[(6 + i) * lanes + l] * rest[2] + map[(9 + i) * lanes + l] * rest[3]);
    for (int l = 0; l < lanes; ++l) out[3 * lanes + l] = 0.0;
}

/// Row of the right-hand side: -(K y + M z), in blocks of three columns padded to four rows.
template <int lanes>
PLIANT_INLINE void blockRow(const RegionView& region, int row, const double* y, const double* z, double* sum) {
    for (int i = 0; i < 4 * lanes; ++i) sum[i] = 0.0;
    for (int e = region.first[row]; e < region.first[row + 1]; ++e) {
        const double* block = region.blocks + 12 * e;
        const double* at = y + 4 * lanes * region.column[e];
        const double* other = z + 4 * lanes * region.column[e];
        const double mass = region.mass[e];
        for (int i = 0; i < 4; ++i)
            for (int l = 0; l < lanes; ++l)
                sum[i * lanes + l] -=
                    ((block[i] * at[l] + block[4 + i] * at[lanes + l]) + block[8 + i] * at[2 * lanes + l]) +
                    mass * other[i * lanes + l];
    }
}

template <int lanes, class Scalar>
PLIANT_INLINE void rightSide(const RegionView& region, const RegionGroup& group) {
    auto* right = static_cast<Scalar*>(group.right);
    double gravity[3 * lanes], sum[4 * lanes];
    const double* R = group.rotation;
    const auto turnedBack = [&](const double* world, int i, int l) {
        return R[(3 * i) * lanes + l] * world[l] + R[(3 * i + 1) * lanes + l] * world[lanes + l] +
               R[(3 * i + 2) * lanes + l] * world[2 * lanes + l];
    };
    for (int i = 0; i < 3; ++i)
        for (int l = 0; l < lanes; ++l) gravity[i * lanes + l] = turnedBack(group.gravity, i, l);
    for (int row = 0; row < region.free; ++row) {
        const int local = region.freeLocal[row];
        blockRow<lanes>(region, row, group.y, group.z, sum);
        for (int i = 0; i < 3 * lanes; ++i) sum[i] += region.weight[local] * gravity[i];
        if (group.impulse) {
            const double* impulse = group.impulse + 3 * lanes * region.global[local];
            for (int i = 0; i < 3; ++i)
                for (int l = 0; l < lanes; ++l) sum[i * lanes + l] += turnedBack(impulse, i, l);
        }
        for (int i = 0; i < 3 * lanes; ++i) right[3 * lanes * row + i] = static_cast<Scalar>(sum[i]);
    }
}

template <int lanes, class Scalar>
PLIANT_INLINE void stepRegion(const RegionView& region, const RegionGroup& group) {
    for (int k = 0; k < region.functions; ++k) {
        const int part = 3 * lanes * region.global[k];
        intoRegion<lanes>(group.stiffnessPart + part, group.rotation, group.stiffnessMap, region.rest + 4 * k,
                          group.y + 4 * lanes * k);
        intoRegion<lanes>(group.massPart + part, group.rotation, group.massMap, region.rest + 4 * k,
                          group.z + 4 * lanes * k);
    }
    rightSide<lanes, Scalar>(region, group);
    auto* solution = static_cast<Scalar*>(group.solution);
    if constexpr (lanes == 1)
        solveOne<Scalar>(region, static_cast<const Scalar*>(group.right), solution);
    else
        solveMany<Scalar>(region, static_cast<const Scalar*>(group.right), solution);
    const double* R = group.rotation;
    for (int row = 0; row < region.free; ++row) {
        const int local = region.freeLocal[row];
        const Scalar* x = solution + 3 * lanes * row;
        double* change = group.change + 3 * lanes * region.global[local];
        for (int i = 0; i < 3; ++i)
            for (int l = 0; l < lanes; ++l)
                change[i * lanes + l] +=
                    region.blend[local] * ((R[i * lanes + l] * static_cast<double>(x[l]) +
                                            R[(3 + i) * lanes + l] * static_cast<double>(x[lanes + l])) +
                                           R[(6 + i) * lanes + l] * static_cast<double>(x[2 * lanes + l]));
    }
}

#define PLIANT_REGION_KERNELS(name, target)                                                            \
    target void stepOneSingle##name(const RegionView& r, const RegionGroup& g) {                       \
        stepRegion<1, float>(r, g);                                                                    \
    }                                                                                                  \
    target void stepManySingle##name(const RegionView& r, const RegionGroup& g) {                      \
        stepRegion<latticeLanes, float>(r, g);                                                         \
    }                                                                                                  \
    target void stepOneDouble##name(const RegionView& r, const RegionGroup& g) {                       \
        stepRegion<1, double>(r, g);                                                                   \
    }                                                                                                  \
    target void stepManyDouble##name(const RegionView& r, const RegionGroup& g) {                      \
        stepRegion<latticeLanes, double>(r, g);                                                        \
    }                                                                                                  \
    target void solveSingle##name(const RegionView& r, const float* b, float* x) {                     \
        solveOne<float>(r, b, x);                                                                      \
    }                                                                                                  \
    target void solveDouble##name(const RegionView& r, const double* b, double* x) {                   \
        solveOne<double>(r, b, x);                                                                     \
    }                                                                                                  \
    const RegionKernels kernels##name{stepOneSingle##name,  stepManySingle##name, stepOneDouble##name, \
                                      stepManyDouble##name, solveSingle##name,    solveDouble##name};

PLIANT_REGION_KERNELS(Baseline, )
#if defined(__x86_64__)
PLIANT_REGION_KERNELS(Avx2, PLIANT_TARGET_AVX2)
PLIANT_REGION_KERNELS(Avx512, PLIANT_TARGET_AVX512)
#endif

const RegionKernels& chooseKernels() {
#if defined(__x86_64__)
    if (widestInstructions() == InstructionSet::Avx512) return kernelsAvx512;
    if (widestInstructions() == InstructionSet::Avx2) return kernelsAvx2;
#endif
    return kernelsBaseline;
}

}  // namespace

const RegionKernels& regionKernels() {
    static const RegionKernels& chosen = chooseKernels();
    return chosen;
}

}  // namespace pliant
