// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "draw/DebugLayers.h"
#include "draw/ScenePainter.h"
#include "loop/Loops.h"
#include "models/ModelStore.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

std::vector<std::string> runToStill(Simulation& simulation, const RunOptions& options) {
    const scene::SceneDescription& scene = simulation.world().scene();
    const std::string picture = (std::filesystem::path(options.output) / (scene.output.name + ".png")).string();
    expectWritableFolder(options.output);
    SceneView view(simulation.world(), simulation.models(), {options.joints});
    DebugLayers layers(view, scene.show);
    ScenePainter painter(view, scene.output.width, scene.output.height);
    scene::SceneCameras cameras(scene, simulation.world().physics().getWholeView());
    cameras.follow(simulation.world().physics().getPoses());

    ProgressBar bar;
    const int frames = static_cast<int>(std::lround(options.still * scene.time.framesPerSecond));
    for (int frame = 0; frame < frames; ++frame) {
        if (!bar("simulating", static_cast<double>(frame) / frames)) throw Cancelled("the run");
        simulation.advanceFrame();
        if (frame + 1 < frames) simulation.endFrame(0.0);
        cameras.follow(simulation.world().physics().getPoses());
    }
    const double start = now();
    view.follow(simulation.world());
    if (layers.areShown()) layers.follow(simulation.world());
    const osg::Image& image = painter.paint(cameras.views(), simulation.world().time());
    if (frames > 0) simulation.endFrame(now() - start);
    const std::string problem = osgPliant::saveImage(image, picture);
    if (!problem.empty()) throw Error(picture, problem);
    return {picture};
}

}  // namespace pliant::program
