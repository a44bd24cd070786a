// SPDX-License-Identifier: Zlib
// The stages of a reduction, one core, on 1,736 generated bricks (31 x 8 x 7); those that solve with the stiffness
// (SolveBenchmark.cpp) also on 14,400 (24 x 24 x 25). Each prints its flops and their share of what the same run's
// DGEMM reaches on one core. Times are CPU seconds of the one thread, the fastest of the repetitions: the machine may
// be busy with other things.
#include "ShareOfPeak.h"
#include "pliant/fem/FullModel.h"
#include "pliant/fem/HessianProducts.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/polynomial/GramMatrix.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/polynomial/StrainMixes.h"
#include "pliant/polynomial/StrainSamples.h"

namespace {

using namespace pliant;
using namespace pliant::test;

double pairsOf(double r) {
    return r * (r + 1.0) / 2.0;
}

void matrixProduct(benchmark::State& state) {
    measure(state, 2e9, [] {
        const int n = 1000;
        static const MatrixX A = randomMatrix(n, n);
        static MatrixX C(n, n);
        const double one = 1.0, zero = 0.0;
        dgemm_("N", "T", &n, &n, &n, &one, A.data(), &n, A.data(), &n, &zero, C.data(), &n);
    });
}

/// The bare DSYRK of the size that the polynomials need: 82 rows a brick.
void bareSyrk(benchmark::State& state) {
    const auto r = static_cast<double>(state.range(0));
    const int n = static_cast<int>(r + pairsOf(r)), k = 82 * 6, blocks = (1736 + 5) / 6;
    const MatrixX W = randomMatrix(n, k);
    MatrixX C = MatrixX::Zero(n, n);
    const double one = 1.0;
    measure(state, 1.0 * n * n * k * blocks, [&] {
        for (int block = 0; block < blocks; ++block) dsyrk_("L", "N", &n, &k, &one, W.data(), &n, &one, C.data(), &n);
    });
}

void polynomials(benchmark::State& state) {
    const auto kind = state.range(1) == 0 ? ElementKind::Brick : ElementKind::Tetrahedron;
    VolumeMesh mesh = bridge(kind);
    double rows = kind == ElementKind::Brick ? 82.0 : 7.0;
    if (state.range(2) == 1) {
        mesh.materials = {test::generalMaterial()};
        rows = kind == ElementKind::Brick ? 63.0 : 6.0;
    }
    const auto r = static_cast<double>(state.range(0)), N = r + pairsOf(r);
    const MatrixX U = randomMatrix(3 * mesh.vertexCount(), state.range(0));
    measure(state, N * N * rows * mesh.elementCount(), [&] { benchmark::DoNotOptimize(reduceEnergyParts(mesh, U)); });
}

/// Strain rows alone, 63 a brick.
void strainSamples(benchmark::State& state) {
    const VolumeMesh mesh = bridge();
    const MatrixX U = randomMatrix(3 * mesh.vertexCount(), state.range(0));
    const StrainSamples samples(mesh, U);
    MatrixX rows(samples.stride(), samples.rowsPerElement());
    const double perPair = 27 * 5 + 36 * 11;
    measure(state, perPair * pairsOf(static_cast<double>(state.range(0))) * mesh.elementCount(), [&] {
        for (int e = 0; e < mesh.elementCount(); ++e) samples.fill(e, rows.data());
    });
}

/// The 19 rows of the trace out of the 27 normal ones.
void traceRows(benchmark::State& state) {
    const VolumeMesh mesh = bridge();
    const auto r = static_cast<double>(state.range(0));
    const int N = static_cast<int>(r + pairsOf(r)), rows = 19, columns = 63;
    const MatrixX mix = traceMix(ElementKind::Brick), W = randomMatrix(N, columns);
    MatrixX result(N, rows);
    const double one = 1.0, zero = 0.0;
    measure(state, 2.0 * N * rows * columns * mesh.elementCount(), [&] {
        for (int e = 0; e < mesh.elementCount(); ++e)
            dgemm_("N", "T", &N, &rows, &columns, &one, W.data(), &N, mix.data(), &rows, &zero, result.data(), &N);
    });
}

void stiffnessAssembly(benchmark::State& state) {
    VolumeMesh mesh = bridge();
    if (state.range(0) == 1) mesh.materials = {test::generalMaterial()};
    const FullModel model(mesh);
    const VectorX u = test::wavyField(mesh, 0.05);
    SparseMatrix K = model.restStiffness();
    const double perPoint = state.range(0) == 1 ? 8 * 108 * 2 + 36 * (18 * 3 * 2 + 20) : 36 * 70;
    measure(state, perPoint * 27 * mesh.elementCount(), [&] { model.stiffness(u, K); });
}

void hessians(benchmark::State& state) {
    const FullModel model(bridge());
    const MatrixX psi = randomMatrix(model.degreesOfFreedom(), 20);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < 20; ++i)
        for (int j = i; j < 20; ++j) pairs.emplace_back(i, j);
    const double perPair = 8 * (3 * 54 + 20 + 3 * 3 * 8 * 2);
    measure(state, perPair * 210 * model.mesh().elementCount(),
            [&] { benchmark::DoNotOptimize(hessianProducts(model, psi, pairs, 1)); });
}

/// Another basis for the polynomials of a group, as an edit of density needs.
void transformation(benchmark::State& state) {
    const int r = static_cast<int>(state.range(0));
    StrainEnergyPolynomial polynomial = zeroPolynomial(r);
    polynomial.quartic = randomMatrix(polynomial.quartic.size(), 1);
    const MatrixX T = randomMatrix(r, r);
    const double p = pairsOf(r);
    measure(state, 2.0 * p * 4.0 * r * r * r, [&] { benchmark::DoNotOptimize(transformed(polynomial, T)); });
}

BENCHMARK(matrixProduct)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(bareSyrk)->Arg(20)->Arg(30)->Arg(40)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(polynomials)
    ->ArgNames({"r", "tetrahedra", "general"})
    ->Args({12, 0, 0})
    ->Args({20, 0, 0})
    ->Args({30, 0, 0})
    ->Args({40, 0, 0})
    ->Args({30, 0, 1})
    ->Args({30, 1, 0})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(strainSamples)->Arg(20)->Arg(30)->Arg(40)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(traceRows)->Arg(30)->Arg(40)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(stiffnessAssembly)->ArgName("general")->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(hessians)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(transformation)->Arg(30)->Arg(40)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
