// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <memory>

#include "commands/Commands.h"
#include "loop/Loops.h"
#include "loop/RunReport.h"
#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "models/SceneModels.h"
#include "osgPliant/ViewerSetUp.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/DefaultDamping.h"
#include "pliant/scene/SceneReader.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

constexpr int kLeastPixels = 16, kMostPixels = 8192;

/// "1280x720" as two even numbers. @throws CLI::ValidationError
void setSize(const std::string& text, RunOptions& options) {
    const char* last = text.data() + text.size();
    const auto [cross, problem] = std::from_chars(text.data(), last, options.width);
    if (problem == std::errc() && cross != last && *cross == 'x') {
        const auto [end, second] = std::from_chars(cross + 1, last, options.height);
        const bool inside = std::min(options.width, options.height) >= kLeastPixels &&
                            std::max(options.width, options.height) <= kMostPixels;
        const bool even = options.width % 2 == 0 && options.height % 2 == 0;
        if (second == std::errc() && end == last && inside && even) return;
    }
    throw CLI::ValidationError("--size", fmt::format("must be WIDTHxHEIGHT, even numbers from {} to {}, not \"{}\"",
                                                     kLeastPixels, kMostPixels, text));
}

scene::SceneDescription readScene(const RunOptions& options) {
    scene::SceneDescription scene = scene::readScene(options.scene, sceneOptions(options.variables));
    if (options.width > 0) {
        scene.output.width = options.width;
        scene.output.height = options.height;
    }
    return scene;
}

bool wantsWindow(const RunOptions& options) {
    return options.draw && !options.headless && options.still < 0.0 && osgPliant::hasDisplay();
}

/// What bodies are damped by whose model says nothing.
void tellDamping(const scene::SceneDescription& scene, const Models& models) {
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (scene.models[m].damping) continue;
        const double beta = defaultDamping(*models[m]).stiffness;
        fmt::print(
            "{}: no damping is stated; taken: {{stiffness: {:.3g}}} s, {:.0f} % of critical at the lowest frequency.\n",
            scene.models[m].name, beta, 100.0 * defaultDampingRatio);
    }
}

/// What the scene expects and did not hold. @throws Error with all of it
void tellFailures(const btPliantScene& scene) {
    for (const std::string& warning : scene.getWarnings()) fmt::print("warning: {}\n", warning);
    std::string all;
    for (const std::string& failure : scene.getFailures()) all += (all.empty() ? "" : "\n") + failure;
    if (!all.empty()) throw Error("", all);
}

void run(const RunOptions& options) {
    const double start = now();
    const scene::SceneDescription scene = readScene(options);
    const bool window = wantsWindow(options);
    if (!options.stats.empty()) expectWritableFile(options.stats);
    if ((options.draw && !window) || !scene.timeline.records.empty() || !scene.outputs.empty())
        expectWritableFolder(options.output);

    ProgressBar bar;
    const std::string folder = (std::filesystem::path(options.output) / "models").string();
    const Models models = loadModels(scene, folder, options.threads,
                                     [&](const std::string& stage, double fraction) { return bar(stage, fraction); });
    bar.clear();
    tellDamping(scene, models);

    Simulation simulation(scene, models, options.threads);
    simulation.setOutput(options.output, [](double t, const std::string& text) {
        fmt::print("\r{:.3f} s: {}\n", t, text);
        std::fflush(stdout);
    });
    printWarnings(simulation);
    const int frames = options.frames > 0 ? options.frames : scene.time.frames();
    std::vector<std::string> made;
    if (window)
        runInWindow(simulation, options);
    else if (options.draw && options.still >= 0.0)
        made = runToStill(simulation, options);
    else if (options.draw || !scene.outputs.empty())
        made = runToFiles(simulation, options, frames);
    else
        runWithoutPictures(simulation, frames);
    if (!options.stats.empty()) {
        writeStatistics(options.stats, simulation.world(), simulation.statistics());
        made.push_back(options.stats);
    }
    for (const scene::OutputFile& output : scene.outputs) {
        if (output.kind != scene::OutputKind::Trace || window) continue;
        made.push_back((std::filesystem::path(options.output) / output.file).string());
        writeStatistics(made.back(), simulation.world(), simulation.statistics());
    }
    simulation.finish();
    for (const scene::Record& record : scene.timeline.records)
        made.push_back((std::filesystem::path(options.output) / record.file).string());
    printReport(simulation, options, made, now() - start);
    tellFailures(simulation.world().physics());
}

}  // namespace

void addRunCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("run", "run a scene: in a window, or without a display to a film");
    const auto options = std::make_shared<RunOptions>();
    command->add_option("scene", options->scene, "scene file (.yaml)")->required();
    command
        ->add_option_function<std::vector<std::string>>(
            "--set",
            [options](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) options->variables.push_back(scene::parseGivenVariable(text));
            },
            "NAME=NUMBER: a variable of the scene with another value; may be given several times")
        ->allow_extra_args(false);
    command->add_flag("--headless", options->headless, "no window: film and picture");
    command->add_option("--frames", options->frames, "frames to run (default: the scene's duration)")
        ->check(CLI::Range(1, 1000000));
    command->add_option("--output", options->output, "folder for what is made")->capture_default_str();
    command->add_option_function<std::string>(
        "--size", [options](const std::string& text) { setSize(text, *options); },
        "WIDTHxHEIGHT of the picture (default: the scene's)");
    command->add_option("--stats", options->stats, "JSON file for the numbers of every frame");
    command->add_option("--threads", options->threads, "workers; 0 = all cores")->check(CLI::Range(0, 1024));
    command
        ->add_option("--still", options->still,
                     "a picture at this simulated time, s, and nothing else: one frame is drawn")
        ->check(CLI::Range(0.0, 3600.0));
    bool* joints = &options->joints;
    command->add_flag_callback(
        "--hide-joints", [joints] { *joints = false; }, "no pins, rods and hooks where there are joints");
    bool* draw = &options->draw;
    command->add_flag_callback(
        "--no-draw", [draw] { *draw = false; }, "physics alone, without OpenGL");
    command->callback([options] { run(*options); });
}

}  // namespace pliant::program
