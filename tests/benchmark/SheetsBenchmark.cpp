// SPDX-License-Identifier: Zlib
// benchmark_sheets [--steps N] [--iterations N] [--seeds N] [--seconds S]: how deep a pile of twelve thin plates
// (validation/contact/SheetPile.h) lies in itself, and what a step of it costs; one worker. A line of CSV for each
// seed: of the last half second the deepest of all lines, the 99th and 90th percentile (mm), pairs that cross, the
// largest kinetic energy and the largest gain of energy in a step (J); of the whole run the largest gain, and CPU
// milliseconds a step, mean and worst.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "validation/contact/SheetPile.h"

namespace {

using pliant::test::SheetDepths;
using pliant::test::TestWorld;

struct Options {
    int steps = 120, iterations = 10, seeds = 6;
    double seconds = 3;
};

double cpuMilliseconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

void pile(const Options& options, int seed) {
    TestWorld scene;
    scene.addGround();
    scene.world.getSolverInfo().m_numIterations = options.iterations;
    const auto sheets = pliant::test::dropSheets(scene, 12, static_cast<unsigned>(seed));
    const double h = 1.0 / options.steps;
    const int count = static_cast<int>(options.seconds / h), last = count - static_cast<int>(0.5 / h);
    double mean = 0, worst = 0, kinetic = 0, gain = 0, gainAtEnd = 0, energy = 0;
    SheetDepths all;
    for (int i = 0; i < count; ++i) {
        const double start = cpuMilliseconds();
        scene.step(1, h);
        const double spent = cpuMilliseconds() - start;
        mean += spent / count;
        worst = std::max(worst, spent);
        const btPliantStats& stats = scene.system->getStats();
        const double gained = i > 0 ? stats.totalEnergy() - energy : 0.0;
        energy = stats.totalEnergy();
        gain = std::max(gain, gained);
        if (i < last) continue;
        gainAtEnd = std::max(gainAtEnd, gained);
        kinetic = std::max(kinetic, stats.m_kineticEnergy);
        if ((i - last) % 6 != 0) continue;
        const SheetDepths now = pliant::test::depthsOf(sheets);
        all.crossing = std::max(all.crossing, now.crossing);
        all.depths.insert(all.depths.end(), now.depths.begin(), now.depths.end());
    }
    std::sort(all.depths.begin(), all.depths.end());
    std::printf("%d,%d,%d,%.2f,%.2f,%.2f,%d,%.1e,%.1e,%.1e,%.2f,%.1f\n", options.steps, options.iterations, seed,
                1e3 * all.deepest(), 1e3 * all.percentile(0.99), 1e3 * all.percentile(0.9), all.crossing, kinetic,
                gainAtEnd, gain, mean, worst);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--steps") options.steps = std::atoi(argv[i + 1]);
        if (name == "--iterations") options.iterations = std::atoi(argv[i + 1]);
        if (name == "--seeds") options.seeds = std::atoi(argv[i + 1]);
        if (name == "--seconds") options.seconds = std::atof(argv[i + 1]);
    }
    std::printf(
        "steps,iterations,seed,deepest_mm,p99_mm,p90_mm,crossing,kinetic_J,gain_at_end_J,gain_J,mean_ms,worst_ms\n");
    for (int seed = 1; seed <= options.seeds; ++seed) pile(options, seed);
    return 0;
}
