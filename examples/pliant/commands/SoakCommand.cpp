// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "loop/Loops.h"
#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "models/SceneModels.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

constexpr double kMiB = 1048576.0;

void printMemory(const SoakSummary& summary) {
    fmt::print(
        "Memory: {:.1f} MiB after the first drop, {:.1f} MiB after the last; {:+.2f} KiB a drop ({:+.2f} KiB "
        "allocated)",
        summary.first.resident / kMiB, summary.last.resident / kMiB, summary.residentSlope / 1024.0,
        summary.allocatedSlope / 1024.0);
    fmt::print(": {}.\n", !summary.knowsMemory ? "too few drops to say more" : summary.flat ? "flat" : "it grows");
}

void printReport(const SoakSummary& summary, const SoakOptions& options) {
    if (!options.stats.empty()) fmt::print("Made {}\n", options.stats);
    fmt::print("{} drops of {} bodies ({:.1f} s simulated) of {} in {}.\n", summary.drops, summary.bodies,
               summary.simulated, options.scene, duration(summary.seconds));
    printMemory(summary);
    fmt::print(
        "Lost bodies: {}; put back to their last good state: {}; not a number: {}; largest energy gain of a step "
        "{:.1e} of the drop's start.\n",
        summary.lost, summary.restored, summary.notFinite, summary.largestGain);
    fmt::print("Deepest penetration {:.2f} contact radii (99 % stay below {:.2f}).\n", summary.largestPenetration,
               summary.penetration99);
}

void soak(const SoakOptions& options) {
    const scene::SceneDescription scene = scene::readScene(options.scene, sceneOptions());
    if (!scene.joints.empty())
        throw Error(options.scene, "bodies with joints cannot be dropped again", "soak a scene without joints");
    if (!scene.tools.empty())
        throw Error(options.scene, "bodies in hands cannot be dropped again", "soak a scene without tools");
    if (scene.timeline.any())
        throw Error(options.scene,
                    "its events, sensors, animations, records and expectations have one course of time, "
                    "and a soak drops the bodies again and again",
                    "soak a scene without them");
    if (!options.stats.empty()) expectWritableFile(options.stats);
    const Models models = loadModels(scene, modelsIn(options.output), options.threads);
    SceneWorld world(scene, models, options.threads);
    const SoakStatistics statistics = runSoak(world, options);
    const SoakSummary summary = statistics.summary();
    if (summary.drops == 0) throw Cancelled("the soak");
    if (!options.stats.empty()) writeSoak(options.stats, world, statistics);
    printReport(summary, options);
    const std::string problem = soakProblem(summary);
    if (!problem.empty()) throw Error(options.scene, problem);
}

}  // namespace

void addSoakCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("soak", "drop a scene again and again: is it sound, does memory stay flat");
    const auto options = std::make_shared<SoakOptions>();
    command->add_option("scene", options->scene, "scene file (.yaml), without joints, events and sensors")->required();
    command->add_option("--minutes", options->minutes, "simulated minutes in all")
        ->check(between(1e-3, 1e5))
        ->capture_default_str();
    command->add_option("--drop", options->drop, "simulated seconds of a drop (default: the scene's duration)")
        ->check(between(1e-3, 1e5));
    command->add_option("--output", options->output, "folder for what is made")->capture_default_str();
    command->add_option("--stats", options->stats, "JSON file for the numbers of every drop");
    command->add_option("--threads", options->threads, "workers; 0 = all cores")->check(between(0, 1024));
    command->callback([options] { soak(*options); });
}

}  // namespace pliant::program
