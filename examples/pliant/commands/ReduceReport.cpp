// SPDX-License-Identifier: Zlib
#include "commands/ReduceReport.h"

#include <fmt/format.h>

#include <algorithm>

#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

constexpr double kWorthTelling = 20.0;         // s
constexpr std::size_t kMuchMemory = 2u << 30;  // bytes

std::string memory(std::size_t bytes) {
    const double mebibytes = static_cast<double>(bytes) / (1 << 20);
    return mebibytes < 1024.0 ? fmt::format("{:.0f} MiB", mebibytes) : fmt::format("{:.1f} GiB", mebibytes / 1024.0);
}

}  // namespace

std::string announcement(const CostEstimate& estimate) {
    if (estimate.seconds < kWorthTelling && estimate.bytes < kMuchMemory) return {};
    return fmt::format(
        "{} elements, {} unknowns: this will take about {} on a free machine and {} of memory ({} of it "
        "for one factorisation). Ctrl-C stops it and leaves nothing half-written.",
        estimate.elements, estimate.unknowns, duration(estimate.seconds), memory(estimate.bytes),
        memory(static_cast<std::size_t>(estimate.factorBytes)));
}

void printReport(const ReductionReport& report) {
    for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
    if (!report.filling.empty()) fmt::print("{}\n", report.filling);
    if (report.hiddenModes > 0) fmt::print("{} modes left out that nobody can see.\n", report.hiddenModes);
    fmt::print("{} columns out of {} shapes", report.dimension, report.shapes);
    if (report.discardedEnergy > 0.0) fmt::print("; {:.2g} of the mass-PCA energy is left out", report.discardedEnergy);
    fmt::print(".\n");
    if (!report.stiffness.empty()) fmt::print("The body {}.\n", report.stiffness);
    for (const StageCost& stage : report.stages) {
        const bool cached = std::find(report.cached.begin(), report.cached.end(), stage.name) != report.cached.end();
        fmt::print("  {:<20} {:>10}   peak {}{}\n", stage.name, duration(stage.seconds), memory(stage.peakBytes),
                   cached ? "   (from the cache)" : "");
    }
}

}  // namespace pliant::program
