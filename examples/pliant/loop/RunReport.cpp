// SPDX-License-Identifier: Zlib
#include "loop/RunReport.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

void printStage(const char* name, double seconds, double total, std::size_t frames) {
    fmt::print("  {:<18}{:>10.2f} s {:>10.2f} ms/frame {:>5.1f} %\n", name, seconds,
               1000.0 * seconds / static_cast<double>(frames), total > 0.0 ? 100.0 * seconds / total : 0.0);
}

void printStages(const StageSeconds& seconds, std::size_t frames) {
    const double total = seconds.total();
    printStage("deformation", seconds.deformation, total, frames);
    printStage("collision", seconds.collision, total, frames);
    printStage("contact solve", seconds.contactSolve, total, frames);
    printStage("rigid integration", seconds.rigidIntegration, total, frames);
    printStage("drawing", seconds.drawing, total, frames);
}

/// ": cow[2], cow[5]", of a few; empty for none.
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i == 0 ? ": " : ", ") + names[i];
    return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
}

/// In millimetres or metres, three digits.
std::string lengthText(double metres) {
    return metres < 1.0 ? fmt::format("{:.3g} mm", 1000.0 * metres) : fmt::format("{:.3g} m", metres);
}

void printState(const RunSummary& summary) {
    fmt::print("At the end: {}, {:.2g} J/kg of motion; {} of {} bodies lost{}", summary.settled ? "settled" : "moving",
               summary.kineticPerKg, summary.lost, summary.bodies, listed(summary.lostNames));
    if (summary.restored > 0) fmt::print("; bodies put back to their last good state: {}", summary.restored);
    fmt::print(".\n");
    if (summary.bodies > 0)  // Bullet's own bodies are not asked
        fmt::print(
            "Deepest penetration at the end {}, {:.2f} contact radii (99 % stay below {:.2f}), of the whole run {}, "
            "{:.2f} ({:.2f}).\n",
            lengthText(summary.lastDepth), summary.lastPenetration, summary.lastPenetration99,
            lengthText(summary.largestDepth), summary.largestPenetration, summary.penetration99);
    fmt::print("Largest energy gain of a step {:.1e} of the start.\n", summary.largestGain);
}

/// Energy from nowhere: a step that more than multiplies what there was at the start, and bodies that were put back.
void warnOfEnergy(const RunSummary& summary, double least) {
    const bool grew = summary.largestGain > least;
    if (summary.restored == 0 && !grew) return;
    std::string what;
    if (grew) what = fmt::format("the energy grew by {:.2g} times that of the start in one step", summary.largestGain);
    if (summary.restored > 0)
        what += fmt::format("{}bodies were put back {} times to their last good state", grew ? ", and " : "",
                            summary.restored);
    fmt::print(
        "warning: {}: what moves them is too strong for steps of this length; take more substeps, less stiff "
        "springs, less force, or masses that differ less\n",
        what);
}

}  // namespace

void printWarnings(const Simulation& simulation) {
    for (const std::string& warning : simulation.statistics().warnings()) fmt::print("warning: {}\n", warning);
    std::fflush(stdout);
}

void printReport(const Simulation& simulation, const RunOptions& options, const std::vector<std::string>& made,
                 double seconds) {
    const RunSummary summary = simulation.statistics().summary(simulation.world());
    const std::size_t frames = simulation.statistics().frames().size();
    for (const std::string& file : made) fmt::print("Made {}\n", file);
    fmt::print("{} frames ({:.2f} s simulated) of {} in {}; {} worker{}.\n", frames, simulation.world().time(),
               options.scene, duration(seconds), summary.workers, summary.workers == 1 ? "" : "s");
    if (frames > 0) printStages(summary.seconds, frames);
    printState(summary);
    warnOfEnergy(summary, 10.0);
    fmt::print("Next: {}\n",
               options.stats.empty()
                   ? "pliant run " + options.scene + " --stats stats.json  (numbers of every frame)"
                   : "change " + options.scene + " (docs/scene.md lists what it can say) and run it again");
}

void tellFailures(const btPliantScene& scene, bool isWhole) {
    for (const std::string& warning : scene.getWarnings()) fmt::print("warning: {}\n", warning);
    if (!isWhole) return;
    std::string all;
    for (const std::string& failure : scene.getFailures()) all += (all.empty() ? "" : "\n") + failure;
    if (!all.empty()) throw Error("", all);
}

void expectDevices(const scene::SceneDescription& scene, bool window) {
    for (const scene::Tool& tool : scene.tools)
        if (tool.device == scene::HandDeviceKind::Mouse && !window)
            throw Error(tool.where, "the device \"mouse\" needs a window, and there is none",
                        "run the scene in one, or write device: path");
}

}  // namespace pliant::program
