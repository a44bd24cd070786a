// SPDX-License-Identifier: Zlib
// Pictures of a run that is over: other cameras, any range of its frames, no physics.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "commands/RunSize.h"
#include "loop/OutputFiles.h"
#include "loop/SceneLog.h"
#include "models/ReduceReader.h"
#include "models/SceneModels.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct PlayOptions {
    std::string states, scene, camera;
    std::string output = "out";
    std::string film;           ///< empty: that of the states, with the range
    int first = 0, last = -1;   ///< frames of the record; last -1: to its end
    int width = 0, height = 0;  ///< 0 = the scene's
};

/// The frames of the record in a second.
double rateOf(const SceneLogReader& log, const scene::SceneDescription& scene) {
    const int frames = log.frameCount();
    if (frames < 2) return scene.time.framesPerSecond;
    return (frames - 1) / (log.time(frames - 1) - log.time(0));
}

/// The film that is drawn, in place of the files that the scene says.
scene::OutputFile filmOf(const PlayOptions& options, const SceneLogReader& log, const scene::SceneDescription& scene) {
    scene::OutputFile film;
    film.camera = options.camera;
    film.file = options.film;
    const bool isPart = options.first > 0 || options.last < log.frameCount() - 1;
    if (film.file.empty()) {
        film.file = std::filesystem::path(options.states).stem().string();
        film.file += isPart ? fmt::format("_{:05d}-{:05d}.mp4", options.first, options.last) : ".mp4";
    }
    film.speed = rateOf(log, scene) / scene.time.framesPerSecond;
    return film;
}

void play(PlayOptions options) {
    SceneLogReader log(options.states);
    const std::string file = options.scene.empty() ? log.sceneFile() : options.scene;
    scene::SceneDescription scene = scene::readScene(file, sceneOptions());
    const std::string beside = std::filesystem::path(options.states).parent_path().string();
    const Models models = loadModels(scene, modelsIn(beside.empty() ? "." : beside));
    log.expectScene(scene, models);
    if (log.frameCount() == 0) throw Error(options.states, "has no frames");
    if (options.last < 0 || options.last >= log.frameCount()) options.last = log.frameCount() - 1;
    if (options.first > options.last)
        throw Error(options.states, fmt::format("has frames 0 to {}, none from {} to {}", log.frameCount() - 1,
                                                options.first, options.last));
    if (!options.camera.empty() && scene.cameraIndex(options.camera) < 0)
        throw Error("--camera", "no camera of " + file + " is called \"" + options.camera + "\"");
    if (options.width > 0) {
        scene.output.width = options.width;
        scene.output.height = options.height;
    }
    scene.outputs = {filmOf(options, log, scene)};
    const SceneWorld start(scene, models, 1);  // where the scene is seen from, and how its joints look
    OutputPlan plan;
    plan.folder = options.output;
    plan.standard = start.physics().getWholeView();
    plan.bounds = start.physics().getBounds();
    plan.frames = options.last - options.first + 1;
    OutputFiles files(scene, models, plan);
    scene::ScenePoses poses = start.physics().getPoses();
    files.pass(poses);  // cameras move from the start on, as in the run
    ProgressBar bar;
    for (int frame = 0; frame <= options.last; ++frame) {
        log.read(frame, poses);
        start.physics().setPoses(poses);
        poses.links = start.physics().getPoses().links;
        if (frame < options.first) {
            files.pass(poses);  // cameras with lag come from where they were
            continue;
        }
        if (!bar("drawing", static_cast<double>(frame - options.first) / plan.frames)) throw Cancelled("the film");
        files.add(poses, frame - options.first, frame == options.last);
    }
    for (const std::string& made : files.close()) fmt::print("Made {}\n", made);
}

}  // namespace

void addPlayCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("play", "a film of a recorded run (output: states), from any camera");
    const auto options = std::make_shared<PlayOptions>();
    command->add_option("states", options->states, "record of a run (.states)")->required();
    command->add_option("--scene", options->scene, "scene file (default: the one that was run)");
    command->add_option("--camera", options->camera, "a camera of the scene in place of its views, shots and cuts");
    command->add_option("--first", options->first, "first frame, from 0")->check(between(0, 100000000));
    command->add_option("--last", options->last, "last frame (default: that of the record)")
        ->check(between(0, 100000000));
    command->add_option("--output", options->output, "folder for the film")->capture_default_str();
    command->add_option("--film", options->film, "name of the film in that folder");
    command->add_option_function<std::string>(
        "--size", [options](const std::string& text) { setSize(text, options->width, options->height); },
        "WIDTHxHEIGHT of the film (default: the scene's)");
    command->callback([options] { play(*options); });
}

}  // namespace pliant::program
