// SPDX-License-Identifier: Zlib
#include "loop/Loops.h"
#include "loop/OutputFiles.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

std::vector<std::string> runToFiles(Simulation& simulation, const RunOptions& options, int frames) {
    const scene::SceneDescription& scene = simulation.world().scene();
    OutputPlan plan;
    plan.folder = options.output;
    plan.standard = simulation.world().physics().getViewPoint();
    plan.bounds = simulation.world().physics().getBounds();
    plan.frames = frames;
    plan.draw = options.draw;
    plan.joints = options.joints;
    OutputFiles files(scene, simulation.models(), plan);

    ProgressBar bar;
    for (int frame = 0; frame < frames; ++frame) {
        if (!bar("simulating and drawing", static_cast<double>(frame) / frames)) throw Cancelled("the run");
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
