// SPDX-License-Identifier: Zlib
#include "pliant/touch/SquareKernels.h"

#include <cstddef>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

constexpr int kColumns = 4;  ///< of the sum, that are in registers together; a divisor of kSquareSide

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
PLIANT_INLINE void addSquaresOn(const double* rows, int count, int size, double* sum) {
    for (int column = 0; column < size; column += kColumns) {
        int row = column / lanes * lanes;
        for (; row + 2 * lanes <= size; row += 2 * lanes) addTile<lanes, 2>(rows, count, size, row, column, sum);
        for (; row < size; row += lanes) addTile<lanes, 1>(rows, count, size, row, column, sum);
    }
}

using Squares = void (*)(const double*, int, int, double*);

void squaresBaseline(const double* rows, int count, int size, double* sum) {
    addSquaresOn<kLanesBaseline / 2>(rows, count, size, sum);
}
#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void squaresAvx2(const double* rows, int count, int size, double* sum) {
    addSquaresOn<kLanesAvx2 / 2>(rows, count, size, sum);
}
PLIANT_TARGET_AVX512 void squaresAvx512(const double* rows, int count, int size, double* sum) {
    addSquaresOn<kLanesAvx512 / 2>(rows, count, size, sum);
}
#endif

/// Null where the processor has no registers of that width.
Squares kernelOf(int lanes) {
    if (lanes == kLanesBaseline) return squaresBaseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (lanes == kLanesAvx512 && __builtin_cpu_supports("avx512f")) return squaresAvx512;
    if (lanes == kLanesAvx2 && __builtin_cpu_supports("avx2")) return squaresAvx2;
#endif
    return nullptr;
}

Squares chooseKernel() {
    const Squares kernel = kernelOf(lanesInUse());
    return kernel ? kernel : squaresBaseline;
}

}  // namespace

void addSquares(const double* rows, int count, int size, double* sum) {
    static const Squares chosen = chooseKernel();
    chosen(rows, count, size, sum);
}

bool addSquaresBy(int laneCount, const double* rows, int count, int size, double* sum) {
    const Squares kernel = kernelOf(laneCount);
    if (kernel) kernel(rows, count, size, sum);
    return kernel != nullptr;
}

}  // namespace pliant
