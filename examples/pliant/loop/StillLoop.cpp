// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "draw/SceneView.h"
#include "loop/Loops.h"
#include "models/ModelStore.h"
#include "osgPliant/HeadlessViewer.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

std::vector<std::string> runToStill(Simulation& simulation, const RunOptions& options) {
    const scene::SceneDescription& scene = simulation.world().scene();
    const std::string picture = (std::filesystem::path(options.output) / (scene.output.name + ".png")).string();
    expectWritableFolder(options.output);
    osgPliant::HeadlessOptions size;
    size.width = scene.output.width;
    size.height = scene.output.height;
    osgPliant::HeadlessViewer viewer(size);
    if (!viewer.isValid()) throw Error("", viewer.getProblem(), "or run with --no-draw");
    SceneView view(simulation.world(), simulation.models(), {options.joints});
    viewer.setScene(view.root());
    const osgPliant::CameraPlace point = viewPoint(simulation.world());  // that of a film of the same scene
    viewer.setCamera(point.eye, point.centre, point.up, point.fieldOfView);

    ProgressBar bar;
    const int frames = static_cast<int>(std::lround(options.still * scene.time.framesPerSecond));
    for (int frame = 0; frame < frames; ++frame) {
        if (!bar("simulating", static_cast<double>(frame) / frames)) throw Cancelled("the run");
        simulation.advanceFrame();
        if (frame + 1 < frames) simulation.endFrame(0.0);
    }
    const double start = now();
    view.follow(simulation.world());
    const osg::Image* image = viewer.render(simulation.world().time());
    if (!image) throw Error("", viewer.getProblem());
    if (frames > 0) simulation.endFrame(now() - start);
    const std::string problem = osgPliant::saveImage(*image, picture);
    if (!problem.empty()) throw Error(picture, problem);
    return {picture};
}

}  // namespace pliant::program
