// SPDX-License-Identifier: Zlib
// The stages of a reduction that solve with the stiffness, and the mass-PCA of their shapes; see
// ReductionBenchmark.cpp.
#include <memory>

#include "ShareOfPeak.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/ModalDerivatives.h"

namespace {

using namespace pliant;
using namespace pliant::test;

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

}  // namespace
