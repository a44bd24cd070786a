// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include "loop/Loops.h"
#include "loop/OutputFiles.h"
#include "pliant/math/Error.h"
#include "terminal/Interrupt.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

namespace {

/// What an interrupted run leaves: films and records up to their last frame.
std::string kept(const std::vector<std::string>& files, double time) {
    std::string text = fmt::format("cancelled during the run; kept up to {:.3g} s:", time);
    for (const std::string& file : files) text += " " + file;
    return text;
}

}  // namespace

std::vector<std::string> runToFiles(Simulation& simulation, const RunOptions& options, int frames) {
    const scene::SceneDescription& scene = simulation.world().scene();
    OutputPlan plan;
    plan.folder = options.output;
    plan.standard = simulation.world().physics().getWholeView();
    plan.bounds = simulation.world().physics().getBounds();
    plan.frames = frames;
    plan.draw = options.draw;
    plan.joints = options.joints;
    plan.world = &simulation.world();
    OutputFiles files(scene, simulation.models(), plan);
    files.pass(simulation.world().physics().getPoses());  // cameras move from the start on

    ProgressBar bar;
    for (int frame = 0; frame < frames; ++frame) {
        if (!bar("simulating and drawing", static_cast<double>(frame) / frames)) {
            if (frame == 0) throw Cancelled("the run");
            bar.clear();
            throw KeptSoFar(kept(files.close(), simulation.world().physics().getTime()));
        }
        simulation.advanceFrame();
        const double start = now();
        files.add(simulation.world().physics().getPoses(), frame, frame + 1 == frames || simulation.isStopped());
        for (const std::string& picture : simulation.takePictures()) files.addPicture(picture);
        simulation.endFrame(now() - start);
        if (simulation.isStopped()) break;
    }
    return files.close();
}

}  // namespace pliant::program
