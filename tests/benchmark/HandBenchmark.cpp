// SPDX-License-Identifier: Zlib
// Systems of six unknowns of a static tool: all directions held, and some of them free.
#include <benchmark/benchmark.h>

#include "pliant/hand/ScaledSolve.h"

namespace {

using namespace pliant;

void solve(benchmark::State& state, int held) {
    Matrix6 slope = Matrix6::Zero();
    for (int i = 0; i < held; ++i) {
        Vector6 row;
        for (int j = 0; j < 6; ++j) row[j] = 1.0 / (1.0 + i + 2 * j) + (i == j ? 1.0 : 0.0);
        slope -= 1e3 * row * row.transpose();
    }
    const Vector6 wrench = Vector6::Ones();
    for (auto _ : state) {
        benchmark::DoNotOptimize(slope);
        benchmark::DoNotOptimize(solveScaled(slope, wrench, 1.0, 1.0));
    }
}

BENCHMARK_CAPTURE(solve, allHeld, 6);
BENCHMARK_CAPTURE(solve, threeFree, 3);

}  // namespace

BENCHMARK_MAIN();
