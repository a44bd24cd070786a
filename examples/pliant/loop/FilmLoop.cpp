// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "draw/SceneView.h"
#include "loop/Loops.h"
#include "models/ModelStore.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/VideoWriter.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

void expectDone(const std::string& where, const std::string& problem) {
    if (!problem.empty()) throw Error(where, problem);
}

/// The frame whose end is the moment of the still picture.
int pictureFrame(const scene::SceneDescription& scene, int frames) {
    if (scene.output.pictureTime < 0.0) return frames - 1;
    const auto frame = static_cast<int>(std::lround(scene.output.pictureTime * scene.time.framesPerSecond)) - 1;
    return std::clamp(frame, 0, frames - 1);
}

osgPliant::HeadlessOptions viewerOptions(const scene::SceneDescription& scene) {
    osgPliant::HeadlessOptions options;
    options.width = scene.output.width;
    options.height = scene.output.height;
    return options;
}

}  // namespace

std::vector<std::string> runToFilm(Simulation& simulation, const RunOptions& options, int frames) {
    const scene::SceneDescription& scene = simulation.world().scene();
    const std::string stem = (std::filesystem::path(options.output) / scene.output.name).string();
    const std::string film = stem + ".mp4", picture = stem + ".png";
    expectWritableFolder(options.output);

    osgPliant::HeadlessViewer viewer(viewerOptions(scene));
    if (!viewer.isValid()) throw Error("", viewer.getProblem(), "or run with --no-draw");
    SceneView view(simulation.world(), simulation.models(), {options.joints});
    viewer.setScene(view.root());
    const osgPliant::CameraPlace point = viewPoint(simulation.world());
    viewer.setCamera(point.eye, point.centre, point.up, point.fieldOfView);

    osgPliant::VideoOptions videoOptions;
    videoOptions.framesPerSecond = scene.time.framesPerSecond;
    osgPliant::VideoWriter video;
    expectDone(film, video.open(film, scene.output.width, scene.output.height, videoOptions));

    ProgressBar bar;
    osg::ref_ptr<osg::Image> still;
    for (int frame = 0; frame < frames; ++frame) {
        if (!bar("simulating and drawing", static_cast<double>(frame) / frames)) throw Cancelled("the run");
        simulation.advanceFrame();
        const double start = now();
        view.follow(simulation.world());
        const osg::Image* image = viewer.render(simulation.world().time());
        if (!image) throw Error("", viewer.getProblem());
        expectDone(film, video.add(*image));
        if (frame == pictureFrame(scene, frames) || simulation.isStopped())
            still = new osg::Image(*image, osg::CopyOp::DEEP_COPY_ALL);
        simulation.endFrame(now() - start);
        if (simulation.isStopped()) break;
    }
    expectDone(picture, osgPliant::saveImage(*still, picture));
    expectDone(film, video.close());
    return {film, picture};
}

}  // namespace pliant::program
