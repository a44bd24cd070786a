// SPDX-License-Identifier: Zlib
#include "stats/SoakStatistics.h"

#include <fmt/format.h>

#include <algorithm>

#include "stats/BodyCheck.h"

namespace pliant::program {
namespace {

constexpr double kTolerated = 0.01, kToleratedBytes = 1048576.0;

constexpr std::size_t kFewest = 3;  ///< drops that say something of memory

/// Theil and Sen's slope of the drops' values, per drop, over the later half: heaps differ, and until the largest ones
/// have been there memory grows without a leak. 0 for fewer than two.
template <class Value>
double medianSlope(const std::vector<DropRecord>& drops, const Value& value) {
    std::vector<double> slopes;
    const std::size_t begin = drops.size() < kFewest ? 0 : std::min(drops.size() / 2, drops.size() - kFewest);
    for (std::size_t i = begin; i < drops.size(); ++i)
        for (std::size_t j = i + 1; j < drops.size(); ++j)
            slopes.push_back((value(drops[j]) - value(drops[i])) / static_cast<double>(j - i));
    if (slopes.empty()) return 0.0;
    const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
    std::nth_element(slopes.begin(), middle, slopes.end());
    return *middle;
}

}  // namespace

SoakStatistics::SoakStatistics(int drops) {
    m_drops.reserve(static_cast<std::size_t>(std::clamp(drops, 0, 100000)));
}

void SoakStatistics::beginDrop(const SceneWorld& world, bool newBodies) {
    m_drop = DropRecord();
    m_drop.newBodies = newBodies;
    m_groundEnergy = groundEnergy(world);
    m_isFirstStep = true;
}

void SoakStatistics::addStep(const SceneWorld& world) {
    const btPliantStats& step = world.system().getStats();
    const double energy = step.totalEnergy() - m_groundEnergy;
    if (m_isFirstStep) m_drop.startEnergy = m_lastEnergy = energy;  // stats know nothing of what was lifted
    m_isFirstStep = false;
    if (m_drop.startEnergy > 0.0)
        m_drop.largestGain = std::max(m_drop.largestGain, (energy - m_lastEnergy) / m_drop.startEnergy);
    m_lastEnergy = energy;
    m_drop.largestPenetration = std::max(m_drop.largestPenetration, step.m_largestPenetration);
    m_drop.penetration99 = std::max(m_drop.penetration99, step.m_penetration99);
    m_drop.contacts = std::max(m_drop.contacts, step.m_contacts);
    m_drop.awake = step.m_awakeBodies;
    m_drop.restored += step.m_restoredBodies;
    m_drop.limited += step.m_limitedBodies;
    if (world.movingMass() > 0.0) m_drop.kineticPerKg = step.m_kineticEnergy / world.movingMass();
}

bool SoakStatistics::isFinite(const SceneWorld& world) const {
    return checkBodies(world).notFinite == 0;
}

void SoakStatistics::endDrop(const SceneWorld& world, double seconds) {
    const BodyCheck check = checkBodies(world);
    m_bodies = check.bodies;
    m_drop.lost = check.lost;
    m_drop.notFinite = check.notFinite;
    m_drop.time = world.time();
    m_drop.seconds = seconds;
    m_drop.memory = memoryUse();
    m_drops.push_back(m_drop);
}

SoakSummary SoakStatistics::summary() const {
    SoakSummary summary = summaryOf(m_drops);
    summary.bodies = m_bodies;
    return summary;
}

SoakSummary SoakStatistics::summaryOf(const std::vector<DropRecord>& drops) {
    SoakSummary summary;
    summary.drops = static_cast<int>(drops.size());
    if (drops.empty()) return summary;
    for (const DropRecord& drop : drops) {
        summary.seconds += drop.seconds;
        summary.lost += drop.lost;
        summary.notFinite += drop.notFinite;
        summary.restored += drop.restored;
        summary.limited += drop.limited;
        summary.largestGain = std::max(summary.largestGain, drop.largestGain);
        summary.largestPenetration = std::max(summary.largestPenetration, drop.largestPenetration);
        summary.penetration99 = std::max(summary.penetration99, drop.penetration99);
    }
    summary.simulated = drops.back().time;
    summary.first = drops.front().memory;
    summary.last = drops.back().memory;
    summary.residentSlope = medianSlope(drops, [](const DropRecord& drop) { return drop.memory.resident; });
    summary.allocatedSlope = medianSlope(drops, [](const DropRecord& drop) { return drop.memory.allocated; });
    summary.knowsMemory = drops.size() >= kFewest && summary.first.resident > 0.0;
    const double added = summary.residentSlope * static_cast<double>(drops.size() - 1);
    summary.flat = added < std::max(kTolerated * summary.first.resident, kToleratedBytes);
    return summary;
}

std::string soakProblem(const SoakSummary& summary) {
    if (summary.notFinite > 0) return fmt::format("the state of {} bodies is not a number", summary.notFinite);
    if (summary.lost > 0) return fmt::format("{} bodies were lost", summary.lost);
    if (summary.knowsMemory && !summary.flat)
        return fmt::format("memory grows by {:.0f} KiB a drop", summary.residentSlope / 1024.0);
    return "";
}

}  // namespace pliant::program
