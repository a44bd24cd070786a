// SPDX-License-Identifier: Zlib
// A hand through a scene at the rate of a haptic device.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "loop/FeelLoop.h"
#include "loop/RunReport.h"
#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "models/SceneModels.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/scene/SceneReader.h"
#include "validate/SvgPlot.h"
#include "world/SceneWarnings.h"

namespace pliant::program {
namespace {

struct FeelOptions {
    std::string scene, path, tool, record, plot;
    std::string output = "out";
    int rate = 1000;
    double seconds = 0.0;
    int threads = 1;
    bool table = false;
    bool thread = false;
};

/// The tool that the options mean. @throws Error
int chosenTool(const scene::SceneDescription& scene, const FeelOptions& options) {
    std::string names;
    for (std::size_t i = 0; i < scene.tools.size(); ++i) {
        const std::string& name = scene.tools[i].name;
        if (options.tool.empty() ? scene.tools.size() == 1 : name == options.tool) return static_cast<int>(i);
        names += (names.empty() ? "" : ", ") + (name.empty() ? std::string("one without a name") : name);
    }
    if (names.empty()) throw Error(options.scene, "the scene has no tool to feel with", "add one under \"tool\"");
    if (options.tool.empty())
        throw Error(options.scene, "the scene has several tools: " + names, "say with --tool whose wrench is meant");
    throw Error(options.scene, "no tool is called \"" + options.tool + "\"; there are: " + names);
}

/// The scene with steps of the rate and the path of the options.
scene::SceneDescription readScene(const FeelOptions& options, int& chosen) {
    scene::SceneOptions read = sceneOptions();
    if (options.thread) read.toolInThread = options.tool;
    scene::SceneDescription scene = scene::readScene(options.scene, read);
    chosen = chosenTool(scene, options);
    scene::Tool& tool = scene.tools[static_cast<std::size_t>(chosen)];
    if (!options.path.empty()) {
        std::istringstream in(readTextFile(options.path));
        tool.path = readHandPath(in, options.path);
        tool.device = scene::HandDeviceKind::Path;
    }
    expectDevices(scene, false);
    if (tool.dynamics == scene::ToolDynamics::Thread) {
        tool.rate = options.rate;
    } else {
        tool.rate = 0.0;
        scene.time.framesPerSecond = options.rate;
        scene.time.substeps = 1;
    }
    if (options.seconds > 0.0)
        scene.time.duration = options.seconds;
    else if (tool.device == scene::HandDeviceKind::Path && tool.path.keys.back().time > 0.0)
        scene.time.duration = tool.path.keys.back().time;
    return scene;
}

/// Every so many keys, so that a plot of a minute stays small.
Plot forcePlot(const HandPath& path, const std::string& name) {
    constexpr std::size_t kMostPoints = 3000;
    const std::size_t stride = std::max<std::size_t>(1, path.keys.size() / kMostPoints);
    Plot plot;
    plot.title = "Force felt: " + name;
    plot.xLabel = "time, s";
    plot.yLabel = "force, N";
    plot.lines = {
        {"x", "#c0392b", {}, {}}, {"y", "#27863c", {}, {}}, {"z", "#2464a4", {}, {}}, {"size", "#222", {}, {}}};
    for (std::size_t i = 0; i < path.keys.size(); i += stride) {
        const HandKey& key = path.keys[i];
        for (std::size_t k = 0; k < 4; ++k) {
            plot.lines[k].x.push_back(key.time);
            plot.lines[k].y.push_back(k < 3 ? key.felt.force[static_cast<Eigen::Index>(k)] : key.felt.force.norm());
        }
    }
    return plot;
}

template <class Write>
void writeFile(const std::string& file, const Write& write) {
    std::ofstream out(file);
    write(out);
    if (!out.flush()) throw Error(file, "cannot write", "is the disk full?");
    fmt::print("Made {}\n", file);
}

void tellWrench(const HandPath& record) {
    double force = 0.0, torque = 0.0;
    for (const HandKey& key : record.keys) {
        force = std::max(force, key.felt.force.norm());
        torque = std::max(torque, key.felt.torque.norm());
    }
    fmt::print("Felt at most {:.3g} N and {:.3g} N m.\n", force, torque);
}

bool isPaced(const scene::SceneDescription& scene) {
    return std::any_of(scene.tools.begin(), scene.tools.end(),
                       [](const scene::Tool& tool) { return scene::isLive(tool.device); });
}

void tellBeside(const BesideReport& beside, double seconds) {
    fmt::print(
        "Beside them the world made {} steps, {:.2f} s of it in {:.2f} s; {} cycles began late, {} were left out.\n",
        beside.steps, seconds, beside.wallSeconds, beside.hand.late, beside.hand.lost);
}

void feel(const FeelOptions& options) {
    int chosen = 0;
    const scene::SceneDescription scene = readScene(options, chosen);
    for (const std::string& file : {options.record, options.plot})
        if (!file.empty()) expectWritableStream(file);
    if (!scene.timeline.records.empty()) expectWritableFolder(options.output);
    const Models models = loadModels(scene, modelsIn(options.output), options.threads);

    SceneWorld world(scene, models, options.threads);
    if (!scene.timeline.records.empty()) world.physics().setRecordFolder(options.output);
    const int cycles = std::max(1, static_cast<int>(std::lround(scene.time.duration * options.rate)));
    const bool isBeside = world.physics().getHandThread(chosen);
    // A world that takes longer than its time is waited for by nobody: the thread makes more cycles then.
    const auto room = static_cast<std::size_t>(isBeside ? 4 * cycles : cycles);
    const auto kept = std::make_shared<KeptDevice>(world.physics().getHandDevice(chosen), room);
    world.physics().setHandDevice(chosen, kept);
    CycleTimes times(room);
    for (const std::string& warning :
         sceneWarnings(world, std::max(1.0, std::round(scene.time.duration / scene.time.step())) * scene.time.step()))
        fmt::print("warning: {}\n", warning);
    std::fflush(stdout);
    BesideReport beside;
    try {
        if (isBeside)
            beside = runBeside(world, chosen, times);
        else
            runCycles(world, cycles, isPaced(scene), times);
    } catch (const Cancelled&) {
        world.physics().finish();
        tellFailures(world.physics(), false);
        throw;
    }
    world.physics().finish();

    const double cycle = 1.0 / options.rate;
    if (!options.record.empty())
        writeFile(options.record, [&](std::ostream& out) { writeHandPath(out, kept->record()); });
    if (!options.plot.empty())
        writeFile(options.plot, [&](std::ostream& out) { out << toSvgFile(forcePlot(kept->record(), options.scene)); });
    if (options.table) fmt::print("{}", times.table(cycle));
    tellWrench(kept->record());
    const CycleTimes::Summary wall = times.wall(cycle);
    fmt::print(
        "{} cycles ({:.2f} s simulated) of {} at {} Hz: {:.2f} % in time, {:.2g} times as fast as they have to be.\n",
        isBeside ? static_cast<long>(beside.hand.cycles) : std::lround(world.time() * options.rate), world.time(),
        options.scene, options.rate, 100.0 * wall.within, wall.mean > 0.0 ? cycle / wall.mean : 0.0);
    if (isBeside) tellBeside(beside, world.time());
    tellFailures(world.physics());
}

}  // namespace

void addFeelCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "feel", "move a hand through a scene at the rate of a haptic device: what it feels, how fast");
    const auto options = std::make_shared<FeelOptions>();
    command->add_option("scene", options->scene, "scene file (.yaml) with a tool")->required();
    command->add_option("--path", options->path, "CSV of poses over time in place of the tool's device");
    command->add_option("--tool", options->tool, "its name, where the scene has several");
    command->add_option("--rate", options->rate, "cycles in a second; without --thread a step of the world each")
        ->check(between(10, 100000))
        ->capture_default_str();
    command->add_option("--seconds", options->seconds, "simulated time (default: to the end of the path)")
        ->check(between(1e-3, 3600.0));
    command->add_option("--record", options->record, "CSV of poses and of what was felt; it is a path, too");
    command->add_option("--plot", options->plot, "SVG of the force over time");
    command->add_flag(
        "--thread", options->thread,
        "cycles in a thread of their own, beside the world with the scene's steps, in the time of people");
    command->add_flag("--table", options->table, "times of the cycles: mean, 99.9 %, longest");
    command->add_option("--output", options->output, "folder for models and records of the scene")
        ->capture_default_str();
    command->add_option("--threads", options->threads, "workers; 0 = all cores")
        ->check(between(0, 1024))
        ->capture_default_str();
    command->callback([options] { feel(*options); });
}

}  // namespace pliant::program
