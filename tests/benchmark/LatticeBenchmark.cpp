// SPDX-License-Identifier: Zlib
// Steps of lattice flesh on one core: a lattice of the size of the paper's (572 cells and 214 vertices took 10 ms on a
// processor of 1 GHz), a crowd of 512, two iterations a step, and blended regions beside one
// linear region for the whole.
//
//     benchmark_lattice --benchmark_out=lattice.csv --benchmark_out_format=csv
#include <benchmark/benchmark.h>

#include <cstdio>

#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/runtime/lattice/LatticeBatch.h"

namespace {

/// The generated quadruped on a lattice of about 200 vertices.
std::shared_ptr<const pliant::LatticeModel> quadruped(bool globalLinear) {
    const pliant::RigFile file = pliant::readRig(PLIANT_MEDIA_DIR "/characters/quadruped.glb");
    pliant::ControlLatticeOptions making;
    const pliant::Vector3 size =
        file.rig.surface.positions.rowwise().maxCoeff() - file.rig.surface.positions.rowwise().minCoeff();
    making.spacing = 0.13 * size.maxCoeff();
    const pliant::ControlLattice lattice = pliant::makeControlLattice(file.rig, making, "quadruped");
    pliant::LatticeOptions options;
    options.globalLinear = globalLinear;
    pliant::LatticeReport report;
    const auto made = pliant::makeLatticeModel(file.rig, lattice, options, "quadruped", &report);
    int largest = 0;
    for (const auto& region : made->regions)
        largest = std::max(largest, static_cast<int>(region.cells.functions.size()));
    std::printf("%d cells, %d vertices: %d functions of which %d are held, %d regions of up to %d functions\n",
                static_cast<int>(lattice.cells.size()), static_cast<int>(lattice.positions.cols()), report.functions,
                report.held, report.regions, largest);
    return made;
}

void step(benchmark::State& state, bool globalLinear, int iterations) {
    static std::shared_ptr<const pliant::LatticeModel> models[2];
    std::shared_ptr<const pliant::LatticeModel>& model = models[globalLinear ? 1 : 0];
    if (!model) model = quadruped(globalLinear);
    pliant::LatticeSettings settings;
    settings.iterations = iterations;
    pliant::LatticeBatch batch(model, settings);
    std::vector<int> bodies;
    std::vector<pliant::MovingFrame> bones;
    pliant::motionAt(model->skeleton, model->clips[0], 0.1, bones);
    for (int i = 0; i < state.range(0); ++i) bodies.push_back(batch.add(bones));
    const pliant::Workers one(1);
    for (auto _ : state) batch.step(1.0 / 60.0, bodies, {0, 0, -9.81}, one);
    state.counters["a_body"] =
        benchmark::Counter(static_cast<double>(state.range(0)),
                           benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

BENCHMARK_CAPTURE(step, blended, false, 1)->Arg(1)->Arg(16)->Arg(512)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, two_iterations, false, 2)->Arg(1)->Arg(16)->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(step, global_linear, true, 1)->Arg(1)->Arg(16)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
