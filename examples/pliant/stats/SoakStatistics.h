// SPDX-License-Identifier: Zlib
// What a soak measures, drop by drop, and whether it went well. docs/soak.md names every field.
#pragma once

#include <string>
#include <vector>

#include "stats/MemoryUse.h"
#include "world/SceneWorld.h"

namespace pliant::program {

struct DropRecord {
    double time = 0.0;                ///< simulated, s, at the end of the drop
    double seconds = 0.0;             ///< wall-clock time of the drop
    bool newBodies = false;           ///< removed and made anew before the drop; else lifted
    MemoryUse memory;                 ///< at the end of the drop
    double startEnergy = 0.0;         ///< J, zero at the ground, after the first step
    double largestGain = 0.0;         ///< largest growth of the total energy in a step, share of `startEnergy`
    double kineticPerKg = 0.0;        ///< J/kg, at the end
    double largestPenetration = 0.0;  ///< in contact radii (docs/scene.md)
    double penetration99 = 0.0;       ///< largest 99th percentile of a step, likewise
    int contacts = 0;                 ///< most in a step
    int awake = 0;                    ///< bodies, at the end
    int lost = 0;                     ///< bodies at the end, as in BodyCheck
    int notFinite = 0;                ///< likewise
    int restored = 0;                 ///< bodies put back to their last good state, summed over the steps
    int limited = 0;                  ///< bodies slowed because their step had gained energy, summed likewise
};

struct SoakSummary {
    int bodies = 0;
    int drops = 0;             ///< that ended
    double simulated = 0.0;    ///< s
    double seconds = 0.0;      ///< wall-clock time of the drops
    int lost = 0;              ///< summed over the drops
    int notFinite = 0;         ///< likewise
    int restored = 0;          ///< likewise
    int limited = 0;           ///< likewise
    double largestGain = 0.0;  ///< over all drops
    double largestPenetration = 0.0;
    double penetration99 = 0.0;
    MemoryUse first, last;       ///< at the end of the first drop and of the last one
    double residentSlope = 0.0;  ///< bytes a drop: median over pairs of drops of the later half (at least the last
                                 ///< three), so that neither the beginning nor single steps count
    double allocatedSlope = 0.0;
    bool knowsMemory = false;  ///< there were three drops, and the system tells
    bool flat = false;         ///< with the slope all drops but the first add less than max(1 % of the first, 1 MiB)
};

class SoakStatistics {
public:
    /// @param drops expected; memory for their records is taken now, so that they do not look like a leak
    explicit SoakStatistics(int drops);

    void beginDrop(const SceneWorld& world, bool newBodies);
    void addStep(const SceneWorld& world);  ///< after every step
    /// False when a body's state is not a number any more.
    bool isFinite(const SceneWorld& world) const;
    /// @param seconds wall-clock time of the drop
    void endDrop(const SceneWorld& world, double seconds);

    const std::vector<DropRecord>& drops() const { return m_drops; }
    SoakSummary summary() const;
    static SoakSummary summaryOf(const std::vector<DropRecord>& drops);

private:
    double m_groundEnergy = 0.0;  ///< J
    double m_lastEnergy = 0.0;
    bool m_isFirstStep = true;
    int m_bodies = 0;
    DropRecord m_drop;
    std::vector<DropRecord> m_drops;
};

/// Empty, or what went wrong, as a sentence.
std::string soakProblem(const SoakSummary& summary);

/// @throws Error; nothing is left half-written
void writeSoak(const std::string& path, const SceneWorld& world, const SoakStatistics& statistics);

}  // namespace pliant::program
