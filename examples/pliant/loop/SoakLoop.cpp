// SPDX-License-Identifier: Zlib
// A scene dropped again and again; what is measured at the end of every drop is all that is kept.
#include <algorithm>
#include <cmath>
#include <functional>

#include "loop/Loops.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

/// @return false after Ctrl-C, or when a state is not a number any more
bool runDrop(SceneWorld& world, SoakStatistics& statistics, int steps, const std::function<bool(int)>& showProgress) {
    const int frame = world.scene().time.substeps;
    for (int step = 0; step < steps; ++step) {
        if (step % frame == 0 && !(showProgress(step) && statistics.isFinite(world))) return false;
        world.step();
        statistics.addStep(world);
    }
    return true;
}

}  // namespace

SoakStatistics runSoak(SceneWorld& world, const SoakOptions& options) {
    const scene::TimeSettings& time = world.scene().time;
    const double length = options.drop > 0.0 ? options.drop : time.duration;
    const int steps = std::max(1, static_cast<int>(std::lround(length / time.step())));
    const int drops = std::max(1, static_cast<int>(std::lround(60.0 * options.minutes / length)));
    SoakStatistics statistics(drops);
    ProgressBar bar;
    for (int drop = 0; drop < drops; ++drop) {
        const bool newBodies = drop % 2 == 0;  // the first ones are new in any case
        if (drop > 0) world.dropAgain(drop, newBodies);
        const double start = now();
        statistics.beginDrop(world, newBodies);
        const bool whole = runDrop(world, statistics, steps, [&](int step) {
            return bar("dropping again and again", (drop + static_cast<double>(step) / steps) / drops);
        });
        if (whole || !statistics.isFinite(world)) statistics.endDrop(world, now() - start);
        if (!whole) break;
    }
    return statistics;
}

}  // namespace pliant::program
