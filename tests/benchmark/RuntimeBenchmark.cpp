// SPDX-License-Identifier: Zlib
// The deformation step: one body, and 512 bodies of one model, beside the bare matrix product of the same run.
// Counters: flop/s of the stiffness product 2 p (r + p) per body alone, bytes of its coefficients.
#include <benchmark/benchmark.h>

#include <random>

#include "pliant/runtime/BodyBatch.h"

extern "C" {
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*, const float*, const int*,
            const float*, const int*, const float*, float*, const int*);
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
}

namespace {

using namespace pliant;

/// A model of the right size with made-up, small nonlinear terms.
std::shared_ptr<const ReducedModel> makeModel(int r) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    auto model = std::make_shared<ReducedModel>();
    const auto n = static_cast<std::size_t>(r);
    const auto random = [&](auto& values, double scale) {
        for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = scale * uniform(engine);
    };
    StrainEnergyPolynomial& energy = model->energy;
    energy.linearStiffness = MatrixX::Zero(r, r);
    for (int i = 0; i < r; ++i) energy.linearStiffness(i, i) = 400.0 * (1 + i);
    energy.cubic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(n)));
    energy.quartic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(n)));
    random(energy.cubic, 1.0);
    random(energy.quartic, 0.1);
    model->basis = MatrixX::Constant(3, r, 0.1);
    model->inertia.mass = 1.0;
    model->inertia.principalInertia = Vector3(1.0, 1.5, 2.0);
    model->inertia.translation = model->inertia.rotation = MatrixX::Zero(3, r);
    model->inertia.first.assign(n, Matrix3::Zero());
    model->inertia.second.assign(n * n, Matrix3::Zero());
    model->inertia.coriolis.assign(n * n, Vector3::Zero());
    for (std::size_t i = 0; i < n; ++i) {
        random(model->inertia.first[i], 0.1);
        for (std::size_t j = i; j < n; ++j) {
            random(model->inertia.second[i * n + j], 0.1);
            model->inertia.second[j * n + i] = model->inertia.second[i * n + j].transpose();
            if (j == i) continue;
            random(model->inertia.coriolis[i * n + j], 0.1);
            model->inertia.coriolis[j * n + i] = -model->inertia.coriolis[i * n + j];
        }
    }
    return model;
}

void step(benchmark::State& state, int r, int count, bool doublePrecision, Coupling coupling, int workerCount,
          int blockSize) {
    BatchSettings settings;
    settings.doublePrecision = doublePrecision;
    settings.coupling = coupling;
    settings.blockSize = blockSize;
    settings.damping.stiffness = 1e-3;
    BodyBatch batch(makeModel(r), settings);
    std::vector<int> bodies;
    FrameMotion frame;
    frame.angularVelocity = Vector3(0.5, 1.0, 0.2);
    for (int i = 0; i < count; ++i) {
        bodies.push_back(batch.add());
        batch.q(i).setConstant(1e-2 * std::cos(i));
        batch.resetAcceleration(i);
        batch.setFrame(i, frame);
    }
    const Workers workers(workerCount);
    for (auto unused : state) batch.step(1.0 / 240.0, bodies, workers);
    const double pairs = 0.5 * r * (r + 1), columns = pairs + r;
    state.counters["flop/s"] =
        benchmark::Counter(2.0 * pairs * columns * count, benchmark::Counter::kIsIterationInvariantRate);
    state.counters["coefficient_bytes"] = pairs * columns * (doublePrecision ? 8.0 : 4.0);
    for (const int body : bodies)
        if (!batch.q(body).allFinite()) state.SkipWithError("not finite");
}

void oneBody(benchmark::State& state) {
    step(state, static_cast<int>(state.range(0)), 1, true, Coupling::None, 1, static_cast<int>(state.range(1)));
}
BENCHMARK(oneBody)
    ->ArgNames({"r", "blockSize"})
    ->ArgsProduct({{12, 15, 20, 30, 40}, {1, 32}})
    ->Unit(benchmark::kMicrosecond);

void manyBodies(benchmark::State& state) {
    const int coupling = static_cast<int>(state.range(3));
    step(state, static_cast<int>(state.range(0)), 512, state.range(1) != 0,
         coupling == 2 ? Coupling::Full : Coupling::None, static_cast<int>(state.range(2)), 32);
}
BENCHMARK(manyBodies)
    ->ArgNames({"r", "double", "workers", "coupling"})
    ->ArgsProduct({{20, 40}, {0, 1}, {1}, {0, 2}})
    ->Args({40, 0, 2, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// The same product by the BLAS of this machine: p x (r + p) times (r + p) x 512.
template <class Scalar, class Product>
void bareProduct(benchmark::State& state, const Product& product) {
    const int r = static_cast<int>(state.range(0)), pairs = r * (r + 1) / 2, columns = pairs + r, bodies = 512;
    const Eigen::Matrix<Scalar, -1, -1> A = Eigen::Matrix<Scalar, -1, -1>::Random(pairs, columns),
                                        B = Eigen::Matrix<Scalar, -1, -1>::Random(columns, bodies);
    Eigen::Matrix<Scalar, -1, -1> C(pairs, bodies);
    const Scalar one = 1, zero = 0;
    for (auto unused : state)
        product("N", "N", &pairs, &bodies, &columns, &one, A.data(), &pairs, B.data(), &columns, &zero, C.data(),
                &pairs);
    benchmark::DoNotOptimize(C.data());
    state.counters["flop/s"] =
        benchmark::Counter(2.0 * pairs * columns * bodies, benchmark::Counter::kIsIterationInvariantRate);
}
void bareProductSingle(benchmark::State& state) {
    bareProduct<float>(state, sgemm_);
}
void bareProductDouble(benchmark::State& state) {
    bareProduct<double>(state, dgemm_);
}
BENCHMARK(bareProductSingle)->ArgName("r")->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(bareProductDouble)->ArgName("r")->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);

/// Contact rows: 48 responses of one body.
void contactResponses(benchmark::State& state) {
    const int r = static_cast<int>(state.range(0)), rows = 48;
    BodyBatch batch(makeModel(r), {});
    const int body = batch.add();
    batch.step(1.0 / 240.0, {body}, Workers(1));
    std::vector<double> angular(3 * rows, 0.3), modal(static_cast<std::size_t>(r * rows), 0.2), turn(angular.size()),
        change(modal.size());
    for (auto unused : state) batch.responses(body, rows, angular.data(), modal.data(), turn.data(), change.data());
    // Two triangular solves a row. CSV wants the same counters everywhere.
    state.counters["flop/s"] = benchmark::Counter(2.0 * r * r * rows, benchmark::Counter::kIsIterationInvariantRate);
}
BENCHMARK(contactResponses)->ArgName("r")->Arg(20)->Arg(40)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
