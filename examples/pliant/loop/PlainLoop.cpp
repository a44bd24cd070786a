// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include "loop/Loops.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

void runWithoutPictures(Simulation& simulation, int frames) {
    ProgressBar bar;
    for (int frame = 0; frame < frames; ++frame) {
        if (!bar("simulating", static_cast<double>(frame) / frames)) throw Cancelled("the simulation");
        simulation.advanceFrame();
        simulation.endFrame(0.0);
        if (simulation.isStopped()) break;
    }
}

}  // namespace pliant::program
