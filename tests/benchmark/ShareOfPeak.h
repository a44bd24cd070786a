// SPDX-License-Identifier: Zlib
// CPU seconds of one thread, and their share of what the same run's DGEMM reaches on one core.
#pragma once

#include <benchmark/benchmark.h>
#include <tbb/task_arena.h>
#include <time.h>

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <random>

#include "pliant/fem/Blas.h"
#include "unit/fem/BeamMesh.h"

extern "C" {  // BLAS
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            double*, const int*);
}

namespace pliant::test {

/// 1,736 bricks, or six tetrahedra for each.
inline VolumeMesh bridge(ElementKind kind = ElementKind::Brick) {
    return beamMesh({31, 8, 7, 3.1, 0.8, 0.7, kind});
}

inline MatrixX randomMatrix(Eigen::Index rows, Eigen::Index columns) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    MatrixX matrix(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = uniform(engine);
    return matrix;
}

inline double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline double seconds(const std::function<void()>& work) {
    const double start = threadSeconds();
    work();
    return threadSeconds() - start;
}

/// Flops per second of DGEMM at 1,000 on one core, best of ten, measured once. BLAS is kept to the calling thread: the
/// clock is that thread's, and a product shared with a second one would look twice as fast.
inline double peak() {
    static const double rate = [] {
        const BlasSection oneThread;
        const int n = 1000;
        const MatrixX A = randomMatrix(n, n), B = A;
        MatrixX C(n, n);
        const double one = 1.0, zero = 0.0;
        double best = 1e9;
        for (int i = 0; i < 10; ++i)
            best = std::min(best, seconds([&] {
                                dgemm_("N", "T", &n, &n, &n, &one, A.data(), &n, B.data(), &n, &zero, C.data(), &n);
                            }));
        return 2.0 * n * n * n / best;
    }();
    return rate;
}

/// Runs the work on one core and reports the fastest repetition, on a machine that others use too.
inline void measure(benchmark::State& state, double flops, const std::function<void()>& work) {
    const BlasSection oneThread;
    double best = 1e9;
    tbb::task_arena one(1);
    for (auto _ : state) {
        const double time = one.execute([&] { return seconds(work); });
        best = std::min(best, time);
        state.SetIterationTime(time);
    }
    state.counters["seconds"] = best;
    state.counters["Gflop"] = flops * 1e-9;
    state.counters["Gflop/s"] = flops * 1e-9 / best;
    state.counters["share"] = flops / best / peak();
}

}  // namespace pliant::test
