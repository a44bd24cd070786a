// SPDX-License-Identifier: Zlib
// Distributed contact of one pair: the making of a shell, a frame of the query as parts move past each other, a look at
// every point, and the convex element.
#include <benchmark/benchmark.h>

#include <random>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/touch/ConvexElement.h"
#include "pliant/touch/DistributedQuery.h"
#include "unit/touch/TouchSurfaces.h"

namespace {

using namespace pliant;

constexpr int kLevels = 5;

std::shared_ptr<const DistributedShell> shellOf(int points) {
    return std::make_shared<DistributedShell>(sampleShell(test::torusSurface(0.1, 0.03, 256), {}, points, nullptr),
                                              kLevels, nullptr);
}

const DistanceField& sampledTorus() {
    static const DistanceField field = [] {
        DistanceFieldOptions options;
        options.resolution = 256;
        return makeDistanceField(test::torusSurface(0.08, 0.025, 192), options);
    }();
    return field;
}

/// Two linked tori that touch and move at 0.1 m/s.
ShellPose linked(int frame) {
    const double t = 1e-3 * (frame % 2000);
    return {test::turned(Vector3::UnitX(), M_PI / 2, Vector3(0.126 + 0.0005 * std::sin(20 * t), 0, 0.1 * t))};
}

void makeShell(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(shellOf(static_cast<int>(state.range(0))));
}
BENCHMARK(makeShell)->Arg(256000)->Unit(benchmark::kMillisecond);

void query(benchmark::State& state) {
    const RigidField field(sampledTorus());
    DistributedQuery query(shellOf(static_cast<int>(state.range(0))), nullptr);
    DistributedQueryOptions options;
    options.step = 1e-3;
    std::vector<DistributedPoint> found;
    int frame = 0;
    double points = 0, contacts = 0;
    for (auto _ : state) {
        found.clear();
        query.placed().place(linked(frame++));
        query.find(field, options, found);
        points += query.counts().points;
        contacts += static_cast<double>(found.size());
    }
    state.counters["looked_at"] = points / frame;
    state.counters["contacts"] = contacts / frame;
}
BENCHMARK(query)->Arg(80000)->Arg(256000)->Arg(1020000)->Unit(benchmark::kMicrosecond);

void everyPoint(benchmark::State& state) {
    const RigidField field(sampledTorus());
    DistributedQuery query(shellOf(static_cast<int>(state.range(0))), nullptr);
    std::vector<DistributedPoint> found;
    query.placed().place(linked(0));
    for (auto _ : state) {
        found.clear();
        query.findAll(field, kLevels - 1, 0.0, found);
    }
    state.counters["ns_per_point"] =
        benchmark::Counter(1e-9 * static_cast<double>(state.iterations()) * query.placed().shell().pointCount(),
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK(everyPoint)->Arg(256000)->Unit(benchmark::kMicrosecond);

/// A frame of six and `range(1)` modes, `range(0)` points of which half touch.
void element(benchmark::State& state) {
    const auto points = static_cast<int>(state.range(0)), n = 6 + static_cast<int>(state.range(1));
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    const Eigen::MatrixXd rows = Eigen::MatrixXd::NullaryExpr(n, points, [&] { return normal(random); });
    const Eigen::VectorXd target = Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
    DistributedLaw law;
    law.stiffness = 1e8;
    ConvexElement element;
    for (auto _ : state) {
        element.start(n, law, 1e-3);
        for (int i = 0; i < points; ++i) {
            ConvexElementPoint point;
            point.area = 1e-5;
            point.depth = point.freeDepth = i % 2 == 0 ? 1e-4 : -1e-4;
            element.add(point, rows.col(i).data(), nullptr, nullptr);
        }
        benchmark::DoNotOptimize(element.solve(target.data()));
    }
    state.counters["newton"] = element.iterations();
}
BENCHMARK(element)->Args({820, 0})->Args({639, 20})->Args({50, 15})->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
