// SPDX-License-Identifier: Zlib
#include "pliant/touch/ElementRowKernels.h"

#include <cstddef>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

constexpr int kColumns = 4;  ///< of the sum, that are in registers together; a divisor of kSquareSide
constexpr int kSums = 8;     ///< of a product, the doubles of the widest register

/// Four columns, from `column` on, of `registers` vectors from `row` on.
template <int lanes, int registers>
PLIANT_INLINE void addTile(const double* rows, int count, int size, int row, int column, double* sum) {
    using Vector = typename Lanes<double, lanes>::Vector;
    Vector tile[kColumns][registers];
    for (int c = 0; c < kColumns; ++c)
        for (int v = 0; v < registers; ++v) tile[c][v] = Vector{};
    for (int k = 0; k < count; ++k) {
        const double* of = rows + static_cast<std::ptrdiff_t>(k) * size;
        Vector along[registers];
        for (int v = 0; v < registers; ++v) loadLanes(along[v], of + row + lanes * v);
        for (int c = 0; c < kColumns; ++c)
            for (int v = 0; v < registers; ++v) tile[c][v] += along[v] * of[column + c];
    }
    for (int c = 0; c < kColumns; ++c)
        for (int v = 0; v < registers; ++v) {
            double* to = sum + static_cast<std::ptrdiff_t>(column + c) * size + row + lanes * v;
            Vector all;
            loadLanes(all, to);
            all += tile[c][v];
            storeLanes(to, all);
        }
}

template <int lanes>
PLIANT_INLINE void addSquaresOn(const RowsView& of, double* sum) {
    const int size = of.size;
    for (int column = 0; column < size; column += kColumns) {
        int row = column / lanes * lanes;
        for (; row + 2 * lanes <= size; row += 2 * lanes) addTile<lanes, 2>(of.rows, of.count, size, row, column, sum);
        for (; row < size; row += lanes) addTile<lanes, 1>(of.rows, of.count, size, row, column, sum);
    }
}

/// In eight partial sums whatever the registers are.
template <int lanes>
PLIANT_INLINE double product(const double* a, const double* b, int n) {
    using Vector = typename Lanes<double, lanes>::Vector;
    constexpr int registers = kSums / lanes;
    Vector sums[registers];
    for (int v = 0; v < registers; ++v) sums[v] = Vector{};
    int j = 0;
    for (; j + kSums <= n; j += kSums)
        for (int v = 0; v < registers; ++v) {
            Vector x, y;
            loadLanes(x, a + j + lanes * v);
            loadLanes(y, b + j + lanes * v);
            sums[v] += x * y;
        }
    double all[kSums];
    for (int v = 0; v < registers; ++v) storeLanes(all + lanes * v, sums[v]);
    for (int k = 0; j < n; ++j, ++k) all[k] += a[j] * b[j];
    return ((all[0] + all[4]) + (all[1] + all[5])) + ((all[2] + all[6]) + (all[3] + all[7]));
}

template <int lanes>
PLIANT_INLINE void multiplyRowsOn(const RowsView& of, const double* z, double* out) {
    const double* row = of.rows;
    for (int k = 0; k < of.count; ++k, row += of.stride) out[k] = product<lanes>(row, z, of.size);
}

/// Of `registers` vectors from `first` on.
template <int lanes, int registers>
PLIANT_INLINE void addPart(const RowsView& of, const double* factors, int first, double* sum) {
    using Vector = typename Lanes<double, lanes>::Vector;
    Vector part[registers];
    for (int v = 0; v < registers; ++v) loadLanes(part[v], sum + first + lanes * v);
    const double* row = of.rows + first;
    for (int k = 0; k < of.count; ++k, row += of.stride) {
        if (factors[k] == 0.0) continue;
        for (int v = 0; v < registers; ++v) {
            Vector x;
            loadLanes(x, row + lanes * v);
            part[v] += x * factors[k];
        }
    }
    for (int v = 0; v < registers; ++v) storeLanes(sum + first + lanes * v, part[v]);
}

/// What is left of the columns goes in halves of a register: one by one each would wait for its own sum.
template <int lanes>
PLIANT_INLINE void addRowsFrom(const RowsView& of, const double* factors, int first, double* sum) {
    for (; first + lanes <= of.size; first += lanes) addPart<lanes, 1>(of, factors, first, sum);
    if constexpr (lanes > 2) {
        addRowsFrom<lanes / 2>(of, factors, first, sum);
    } else if (first < of.size) {
        for (int k = 0; k < of.count; ++k)
            if (factors[k] != 0.0)
                sum[first] += of.rows[static_cast<std::ptrdiff_t>(k) * of.stride + first] * factors[k];
    }
}

template <int lanes>
PLIANT_INLINE void addRowsOn(const RowsView& of, const double* factors, double* sum) {
    int first = 0;
    for (; first + 4 * lanes <= of.size; first += 4 * lanes) addPart<lanes, 4>(of, factors, first, sum);
    addRowsFrom<lanes>(of, factors, first, sum);
}

#define PLIANT_ROW_KERNELS(Target, name, lanes)                                         \
    Target void addSquares##name(const RowsView& of, double* sum) {                     \
        addSquaresOn<lanes>(of, sum);                                                   \
    }                                                                                   \
    Target void multiplyRows##name(const RowsView& of, const double* z, double* out) {  \
        multiplyRowsOn<lanes>(of, z, out);                                              \
    }                                                                                   \
    Target void addRows##name(const RowsView& of, const double* factors, double* sum) { \
        addRowsOn<lanes>(of, factors, sum);                                             \
    }                                                                                   \
    constexpr ElementRowKernels k##name{addSquares##name, multiplyRows##name, addRows##name};
PLIANT_ROW_KERNELS(, Baseline, kLanesBaseline / 2)
#if defined(__x86_64__)
PLIANT_ROW_KERNELS(PLIANT_TARGET_AVX2, Avx2, kLanesAvx2 / 2)
PLIANT_ROW_KERNELS(PLIANT_TARGET_AVX512, Avx512, kLanesAvx512 / 2)
#endif
#undef PLIANT_ROW_KERNELS

const ElementRowKernels& chosenKernels() {
    static const ElementRowKernels chosen =
        elementRowKernelsBy(lanesInUse()).addRows ? elementRowKernelsBy(lanesInUse()) : kBaseline;
    return chosen;
}

}  // namespace

ElementRowKernels elementRowKernelsBy(int laneCount) {
    if (laneCount == kLanesBaseline) return kBaseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (laneCount == kLanesAvx512 && __builtin_cpu_supports("avx512f")) return kAvx512;
    if (laneCount == kLanesAvx2 && __builtin_cpu_supports("avx2")) return kAvx2;
#endif
    return {};
}

void addSquares(const RowsView& of, double* sum) {
    chosenKernels().addSquares(of, sum);
}

void multiplyRows(const RowsView& of, const double* z, double* out) {
    chosenKernels().multiplyRows(of, z, out);
}

void addRows(const RowsView& of, const double* factors, double* sum) {
    chosenKernels().addRows(of, factors, sum);
}

}  // namespace pliant
