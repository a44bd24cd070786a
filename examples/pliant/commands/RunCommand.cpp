// SPDX-License-Identifier: Zlib
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <thread>
#include <utility>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "commands/RunSize.h"
#include "loop/FileWatch.h"
#include "loop/Loops.h"
#include "loop/RunReport.h"
#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "models/SceneModels.h"
#include "models/SceneOfFile.h"
#include "osgPliant/ViewerSetUp.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/runtime/DefaultDamping.h"
#include "pliant/scene/LiveEdits.h"
#include "pliant/scene/SceneReader.h"
#include "terminal/Interrupt.h"

namespace pliant::program {
namespace {

constexpr int kLeastPixels = 16, kMostPixels = 8192;

}  // namespace

void setSize(const std::string& text, int& width, int& height) {
    const char* last = text.data() + text.size();
    const auto [cross, problem] = std::from_chars(text.data(), last, width);
    if (problem == std::errc() && cross != last && *cross == 'x') {
        const auto [end, second] = std::from_chars(cross + 1, last, height);
        const bool inside = std::min(width, height) >= kLeastPixels && std::max(width, height) <= kMostPixels;
        const bool even = width % 2 == 0 && height % 2 == 0;
        if (second == std::errc() && end == last && inside && even) return;
    }
    throw CLI::ValidationError("--size", fmt::format("must be WIDTHxHEIGHT, even numbers from {} to {}, not \"{}\"",
                                                     kLeastPixels, kMostPixels, text));
}

namespace {

/// Where the scene of a single file is kept, so that it can be changed.
std::string keptScene(const RunOptions& options) {
    return (std::filesystem::path(options.output) / std::filesystem::path(options.scene).stem()).string() + ".yaml";
}

/// The text with a head that tells whether somebody has changed it since.
std::string sealed(const std::string& text) {
    return fmt::format("# Made by pliant run ({:016x}); docs/scene.md lists what it can say.\n",
                       XXH64(text.data(), text.size(), 0)) +
           text;
}

/// A scene that is there already is written over where it is one of ours that nobody has changed.
void expectOwn(const std::string& path) {
    if (!files::isThere(path)) return;
    const std::string kept = readTextFile(path);
    const std::size_t head = kept.find('\n');
    if (head != std::string::npos && kept == sealed(kept.substr(head + 1))) return;
    throw Error(path, "is there, and is not as pliant run has made it",
                "run that scene (pliant run " + path + "), or take another folder (--output)");
}

scene::SceneDescription readSingleFile(const RunOptions& options) {
    const std::string path = keptScene(options);
    const std::string text = sealed(sceneTextOf({options.scene, options.up, options.units}, options.output));
    expectOwn(path);
    expectWritableFolder(options.output);
    writeTextFile(path, text);
    fmt::print("Made {}, a scene around {}\n", path, options.scene);
    return scene::parseScene(text, path, sceneOptions(options.variables));
}

scene::SceneDescription readScene(const RunOptions& options) {
    const bool single = isSingleFile(options.scene);
    if (!single && !(options.up.empty() && options.units.empty()))
        throw Error(options.scene, "--up and --units are for meshes and characters",
                    "write up and units into the scene (docs/scene.md)");
    scene::SceneDescription scene =
        single ? readSingleFile(options) : scene::readScene(options.scene, sceneOptions(options.variables));
    if (options.width > 0) {
        scene.output.width = options.width;
        scene.output.height = options.height;
    }
    return scene;
}

bool wantsWindow(const RunOptions& options) {
    return options.draw && !options.headless && options.still < 0.0 && osgPliant::hasDisplay();
}

/// Whether a picture can be made of the moment that is asked for. @throws Error
void expectStill(const RunOptions& options, const scene::SceneDescription& scene) {
    const double last = scene.time.duration + 0.5 / scene.time.framesPerSecond;
    if (!options.draw) throw Error("--still", "makes a picture, and --no-draw none", "leave one of them out");
    if (options.still > last)
        throw Error(fmt::format("--still {:g}", options.still),
                    fmt::format("the scene lasts {:g} s", scene.time.duration),
                    "ask for a moment of it, or let it last longer: --set time.duration=SECONDS");
}

/// What bodies are damped by whose model says nothing.
void tellDamping(const scene::SceneDescription& scene, const Models& models) {
    for (std::size_t m = 0; m < models.size(); ++m) {
        if (scene.models[m].damping) continue;
        const double step = scene.time.step(), beta = defaultDamping(*models[m], step).stiffness;
        const std::string why =
            beta > defaultDamping(*models[m]).stiffness
                ? fmt::format("{:.0f} % of a step, which its vibrations are too fast for", 100.0 * beta / step)
                : fmt::format("{:.0f} % of critical at {:.3g} Hz", 100.0 * defaultDampingRatio,
                              defaultDampingFrequency(*models[m]));
        fmt::print("{}: no damping is stated; taken: {{stiffness: {:.3g}}} s, {}.\n", scene.models[m].label, beta, why);
    }
}

ModelFolder folderOfModels(const RunOptions& options) {
    return options.models.empty() ? modelsIn(options.output) : ModelFolder{options.models, true};
}

/// When a run is over that nobody stops, s. A window goes on for as long as it is open. Whoever has only the first
/// frames run knows what they leave out: times are late that the whole scene does not come to, either.
double endOf(const RunOptions& options, const scene::SceneDescription& scene) {
    if (wantsWindow(options)) return std::numeric_limits<double>::infinity();
    return static_cast<double>(std::max(options.frames, scene.time.frames())) / scene.time.framesPerSecond;
}

void run(const RunOptions& options, const scene::SceneDescription& scene,
         const std::function<bool(const OpenWindow&)>& isOver, WindowPlace& place) {
    const double start = now();
    const bool window = wantsWindow(options);
    expectDevices(scene, window);
    if (options.still >= 0.0) expectStill(options, scene);
    if (!options.stats.empty()) expectWritableFile(options.stats);
    if ((options.draw && !window) || !scene.timeline.records.empty() || !scene.outputs.empty())
        expectWritableFolder(options.output);

    const Models models = loadModels(scene, folderOfModels(options), options.threads);
    tellDamping(scene, models);

    Simulation simulation(scene, models, options.threads, endOf(options, scene));
    simulation.setOutput(options.output, [](double t, const std::string& text) {
        fmt::print("\r{:.3f} s: {}\n", t, text);
        std::fflush(stdout);
    });
    printWarnings(simulation);
    const int frames = options.frames > 0 ? options.frames : scene.time.frames();
    std::vector<std::string> made;
    if (window)
        made = runInWindow(simulation, options, isOver, place);
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
    tellFailures(simulation.world().physics(), options.still < 0.0);
}

/// Tells mistakes as the end of the program does, and goes on.
void tell(const Error& problem) {
    fmt::print(stderr, "pliant: error: {}\n", problem.what());
    std::fflush(stderr);
}

/// The scene as it was understood, for liveEdits(); nothing of a mesh or a character, whose scene is made of options.
std::string printed(const RunOptions& options) {
    if (isSingleFile(options.scene)) return {};
    return scene::printedScene(options.scene, sceneOptions(options.variables));
}

/// Gives the world of a window what its file says now. @return whether it takes more than that
bool takeEdits(const RunOptions& options, const std::string& before, const std::string& after,
               const OpenWindow& window) {
    if (before.empty() || after.empty()) return true;
    const auto edits = scene::liveEdits(before, after, options.scene, sceneOptions(options.variables));
    if (!edits) return true;
    for (const scene::LiveEdit& live : *edits) {
        window.edit([live](const SceneWorld& world) { world.physics().setLive(live.path, live.value); });
        fmt::print("{} is {:g} now\n", live.name, live.value);
    }
    std::fflush(stdout);
    return false;
}

/// A scene whose files are watched.
struct WatchedScene {
    explicit WatchedScene(const RunOptions& of) : options(of), files({of.scene}) {}

    const RunOptions& options;
    FileWatch files;
    scene::SceneDescription next;  ///< What was read last.
    std::string running;           ///< The scene that runs, as text; empty: unknown.

    /// Reads the scene for the first time. @return false where it has a mistake, which is told
    bool read() {
        try {
            next = readScene(options);
            files = FileWatch(next.files);
            running = printed(options);
            return true;
        } catch (const Error& problem) {
            tell(problem);
            return false;
        }
    }

    /// Reads it again where a file has been saved. A mistake is told, and shown in the window.
    /// @param window none of whose functions is there where no window is open
    /// @return whether there is a scene to run in place of the one that runs
    bool hasNext(const OpenWindow& window) {
        if (!files.haveChanged()) return false;
        if (window.aboutToTell) window.aboutToTell();
        try {
            next = readScene(options);
            files = FileWatch(next.files);
            const std::string after = printed(options);
            const bool isNew = isAnother(after, window);
            // The window stays open, with the scene that it has, where the models of the next one cannot be made.
            if (isNew && window.note) loadModels(next, folderOfModels(options), options.threads);
            running = after;
            if (window.note) window.note("");
            return isNew;
        } catch (const Error& problem) {
            tell(problem);
            if (window.note) window.note(problem.what());
            return false;
        }
    }

private:
    /// Whether a scene has to be begun anew: without a window always, in one where the world cannot be given what has
    /// changed.
    bool isAnother(const std::string& after, const OpenWindow& window) const {
        if (window.edit) return takeEdits(options, running, after, window);
        return !window.note || after.empty() || after != running;
    }
};

/// Runs the scene, and again whenever one of its files has been saved; a window whose file has changed live numbers
/// alone takes these and goes on, and any other change goes on from the same time, seen from where one looked. A
/// mistake is shown in the window, which has the scene as it was; without a window the next version is waited for.
void runAndWatch(const RunOptions& options) {
    WatchedScene watched(options);
    WindowPlace place;
    bool ready = watched.read();
    while (!interrupted()) {
        while (!ready && !interrupted()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            ready = watched.hasNext({});
        }
        if (!ready) return;
        ready = false;
        const scene::SceneDescription scene = watched.next;
        try {
            if (place.time > 0.0) fmt::print("Going on from {:.2f} s.\n", place.time);
            run(
                options, scene, [&](const OpenWindow& window) { return ready = watched.hasNext(window); }, place);
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {
            tell(problem);
        }
        if (!ready && wantsWindow(options)) return;  // the window was closed
        if (!ready) fmt::print("Waiting for {} to be saved; Ctrl-C ends.\n", options.scene);
        std::fflush(stdout);
    }
}

/// What is run.
void addSceneOptions(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
    command
        ->add_option("scene", options->scene,
                     "scene file (.yaml); or a mesh, a reduced model or a rigged character, around which one is made")
        ->required();
    command->add_option("--up", options->up, "axis of a mesh or character that points up: x, y or z (default)")
        ->check(CLI::IsMember({"x", "y", "z"}));
    command
        ->add_option("--units", options->units, "unit of a mesh's coordinates: m (default), cm, mm, km, um, in or ft")
        ->check(CLI::IsMember({"m", "cm", "mm", "km", "um", "in", "ft"}));
    command
        ->add_option_function<std::vector<std::string>>(
            "--set",
            [options](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) options->variables.push_back(scene::parseGivenVariable(text));
            },
            "NAME=NUMBER: a variable of the scene with another value; may be given several times")
        ->allow_extra_args(false);
}

/// How it is run, and what is made of it.
void addOutputOptions(CLI::App* command, const std::shared_ptr<RunOptions>& options) {
    command->add_flag("--headless", options->headless, "no window: film and picture");
    command->add_option("--frames", options->frames, "frames to run (default: the scene's duration)")
        ->check(between(1, 1000000));
    command->add_option("--output", options->output, "folder for what is made")->capture_default_str();
    command->add_option_function<std::string>(
        "--size", [options](const std::string& text) { setSize(text, options->width, options->height); },
        "WIDTHxHEIGHT of the picture (default: the scene's)");
    command->add_option("--models", options->models,
                        "folder where models are kept, whatever the scene says (default: models in the output folder)");
    command->add_flag("--print", options->print,
                      "prints the scene without includes, variables, repeats and parameters, and runs nothing");
    command->add_flag("--watch", options->watch, "runs the scene again whenever one of its files is saved");
    command->add_option("--stats", options->stats, "JSON file for the numbers of every frame");
    command->add_option("--threads", options->threads, "workers; 0 = all cores")->check(between(0, 1024));
    command
        ->add_option("--still", options->still,
                     "a picture at this simulated time, s, and nothing else: one frame is drawn")
        ->check(between(0.0, 3600.0));
    bool* joints = &options->joints;
    command->add_flag_callback(
        "--hide-joints", [joints] { *joints = false; }, "no pins, rods and hooks where there are joints");
    bool* draw = &options->draw;
    command->add_flag_callback(
        "--no-draw", [draw] { *draw = false; }, "physics alone, without OpenGL");
}

}  // namespace

void addRunCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("run", "run a scene: in a window, or without a display to a film");
    const auto options = std::make_shared<RunOptions>();
    addSceneOptions(command, options);
    addOutputOptions(command, options);
    command->callback([options] {
        if (options->print) {
            if (isSingleFile(options->scene))
                throw Error("--print", "prints scene files", "run it once: the scene that is made is kept");
            fmt::print("{}", scene::printedScene(options->scene, sceneOptions(options->variables)));
            return;
        }
        if (options->watch) return runAndWatch(*options);
        WindowPlace place;
        run(
            *options, readScene(*options), [](const OpenWindow&) { return false; }, place);
    });
}

}  // namespace pliant::program
