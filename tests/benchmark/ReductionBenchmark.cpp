// SPDX-License-Identifier: Zlib
// The stages of a reduction, one core, on 1,736 generated bricks (31 x 8 x 7); those that solve with the stiffness also
// on 14,400 (24 x 24 x 25). Each prints its flops and their share of what the same run's DGEMM reaches on one core.
// Times are CPU seconds of the one thread, the fastest of the repetitions: the machine may be busy with other things.
#include <benchmark/benchmark.h>
#include <tbb/task_arena.h>
#include <time.h>

#include <Eigen/Core>
#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include "pliant/basis/LinearModes.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/ModalDerivatives.h"
#include "pliant/fem/FullModel.h"
#include "pliant/fem/HessianProducts.h"
#include "pliant/math/PolynomialSums.h"
#include "pliant/polynomial/GramMatrix.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/polynomial/StrainMixes.h"
#include "pliant/polynomial/StrainSamples.h"
#include "unit/fem/BeamMesh.h"

extern "C" {  // BLAS
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dsyrk_(const char*, const char*, const int*, const int*, const double*, const double*, const int*, const double*,
            double*, const int*);
}

namespace {

using namespace pliant;

VolumeMesh bridge(ElementKind kind = ElementKind::Brick) {
    return test::beamMesh({31, 8, 7, 3.1, 0.8, 0.7, kind});
}

MatrixX randomMatrix(Eigen::Index rows, Eigen::Index columns) {
    std::mt19937 engine(1);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    MatrixX matrix(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = uniform(engine);
    return matrix;
}

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds(const std::function<void()>& work) {
    const double start = threadSeconds();
    work();
    return threadSeconds() - start;
}

/// Flops per second of DGEMM at 1,000, best of ten, measured once.
double peak() {
    static const double rate = [] {
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
void measure(benchmark::State& state, double flops, const std::function<void()>& work) {
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

/// The two bodies whose stiffness is factored: free, and with what every stage after the factorisation needs.
struct SolvedBody {
    FullModel model;
    SymmetricSolver::Cost cost;
    std::unique_ptr<StaticCompliance> compliance;

    explicit SolvedBody(const VolumeMesh& mesh) : model(mesh), cost(SymmetricSolver::estimate(model.restStiffness())) {}
};

SolvedBody& solvedBody(bool large) {
    static std::unique_ptr<SolvedBody> bodies[2];
    std::unique_ptr<SolvedBody>& body = bodies[large ? 1 : 0];
    if (!body)
        body = std::make_unique<SolvedBody>(large ? test::beamMesh({24, 24, 25, 0.24, 0.26, 0.25, ElementKind::Brick})
                                                  : bridge());
    return *body;
}

const StaticCompliance& complianceOf(SolvedBody& body) {
    if (!body.compliance) body.compliance = std::make_unique<StaticCompliance>(body.model, std::vector<int>());
    return *body.compliance;
}

/// Assembly left out: K = L L' of the body held by six coordinates, as inertia relief needs it; or, pivoting, L D L' of
/// K - tau M, as a Sturm count needs it.
void factorisation(benchmark::State& state) {
    SolvedBody& body = solvedBody(state.range(0) == 1);
    const StaticCompliance& compliance = complianceOf(body);
    const bool sturm = state.range(1) == 1;
    const double tau = 1e-3 * compliance.stretchEigenvalue();
    const SparseMatrix A = body.model.restStiffness() + (sturm ? -tau : tau) * body.model.massMatrix();
    SymmetricSolver solver(sturm ? SymmetricSolver::Kind::Indefinite : SymmetricSolver::Kind::PositiveDefinite);
    solver.factor(A);  // orders; timed is what comes after
    measure(state, body.cost.flops, [&] { solver.factor(A); });
}

/// Right-hand sides side by side: 1; 4 as in a Lanczos step; 128 as in modal derivatives.
void staticSolves(benchmark::State& state) {
    SolvedBody& body = solvedBody(state.range(0) == 1);
    const StaticCompliance& compliance = complianceOf(body);
    const MatrixX loads = randomMatrix(body.model.degreesOfFreedom(), state.range(1));
    measure(state, 4.0 * body.cost.entries * static_cast<double>(state.range(1)),
            [&] { benchmark::DoNotOptimize(compliance.apply(loads)); });
}

/// k = 20 elastic modes from the factor on: block Lanczos and the Sturm count. Flops: those of the solves and the
/// count.
void lanczos(benchmark::State& state) {
    SolvedBody& body = solvedBody(state.range(0) == 1);
    const StaticCompliance& compliance = complianceOf(body);
    int steps = -2;  // told at the start, at the end, and before every block of four
    linearModes(compliance, 20, [&](const std::string&, double) { return ++steps, true; });
    measure(state, body.cost.flops + 4.0 * body.cost.entries * 4.0 * (steps + 1),
            [&] { benchmark::DoNotOptimize(linearModes(compliance, 20)); });
    state.counters["solves"] = 4.0 * (steps + 1);
}

/// 210 derivatives of 20 modes: Hessian products and solves.
void derivatives(benchmark::State& state) {
    SolvedBody& body = solvedBody(state.range(0) == 1);
    const StaticCompliance& compliance = complianceOf(body);
    const MatrixX psi = randomMatrix(body.model.degreesOfFreedom(), 20);
    const double product = 8 * (3 * 54 + 20 + 3 * 3 * 8 * 2);
    measure(state, 210.0 * (product * body.model.mesh().elementCount() + 4.0 * body.cost.entries),
            [&] { benchmark::DoNotOptimize(modalDerivatives(compliance, psi, 1)); });
}

/// r = 30 of 230 shapes: c^2 dense products of 3n twice, c products with M, and the columns at the end.
void massPcaOfShapes(benchmark::State& state) {
    SolvedBody& body = solvedBody(state.range(0) == 1);
    const auto rows = static_cast<double>(body.model.degreesOfFreedom()), c = 230.0;
    MatrixX A = randomMatrix(body.model.degreesOfFreedom(), 230);
    for (Eigen::Index j = 0; j < A.cols(); ++j) A.col(j) /= 1.0 + 0.1 * static_cast<double>(j * j);
    const auto nonZeros = static_cast<double>(body.model.massMatrix().nonZeros());
    measure(state, 4.0 * rows * c * c + 2.0 * nonZeros * c + 2.0 * rows * c * 36.0,
            [&] { benchmark::DoNotOptimize(massPca(body.model.massMatrix(), A, 30)); });
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
BENCHMARK(factorisation)
    ->ArgNames({"large", "sturm"})
    ->Args({0, 0})
    ->Args({0, 1})
    ->Args({1, 0})
    ->Args({1, 1})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(staticSolves)
    ->ArgNames({"large", "columns"})
    ->Args({0, 1})
    ->Args({0, 4})
    ->Args({0, 128})
    ->Args({1, 1})
    ->Args({1, 4})
    ->Args({1, 128})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(lanczos)->ArgName("large")->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(derivatives)->ArgName("large")->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(massPcaOfShapes)->ArgName("large")->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK(transformation)->Arg(30)->Arg(40)->UseManualTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
