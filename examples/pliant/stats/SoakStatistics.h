// SPDX-License-Identifier: Zlib
// What a soak measures, drop by drop, and whether it went well. docs/soak.md names every field.
#pragma once

#include <string>
#include <vector>

#include "stats/MemoryUse.h"
#include "world/SceneWorld.h"

namespace pliant::program {

struct DropRecord {
    double time = 0.0;                ///< Simulated time at the end of the drop, s.
    double seconds = 0.0;             ///< Wall-clock time of the drop, s.
    bool newBodies = false;           ///< Whether bodies were made anew before the drop; else they were lifted.
    MemoryUse memory;                 ///< Memory at the end of the drop.
    double startEnergy = 0.0;         ///< Total energy after the first step, J, zero at the ground.
    double largestGain = 0.0;         ///< Largest growth of the total energy in a step, share of `startEnergy`.
    double kineticPerKg = 0.0;        ///< Kinetic energy at the end of the drop, J/kg.
    double largestPenetration = 0.0;  ///< Largest penetration, in contact radii (docs/scene.md).
    double penetration99 = 0.0;       ///< Largest 99th percentile of the penetration in a step, in contact radii.
    int contacts = 0;                 ///< Most contacts in a step.
    int awake = 0;                    ///< Bodies awake at the end of the drop.
    int lost = 0;                     ///< Bodies lost at the end of the drop, as in BodyCheck.
    int notFinite = 0;                ///< Bodies whose state is not a number at the end of the drop.
    int restored = 0;                 ///< Bodies put back to their last good state, summed over the steps.
    int limited = 0;                  ///< Bodies slowed because their step had gained energy, summed over the steps.
};

struct SoakSummary {
    int bodies = 0;
    int drops = 0;             ///< Number of drops that ended.
    double simulated = 0.0;    ///< Simulated time, s.
    double seconds = 0.0;      ///< Wall-clock time of the drops, s.
    int lost = 0;              ///< Bodies lost, summed over the drops.
    int notFinite = 0;         ///< Bodies whose state is not a number, summed over the drops.
    int restored = 0;          ///< Bodies put back to their last good state, summed over the drops.
    int limited = 0;           ///< Bodies slowed because their step had gained energy, summed over the drops.
    double largestGain = 0.0;  ///< Largest growth of the total energy in a step, share of the drop's `startEnergy`.
    double largestPenetration = 0.0;
    double penetration99 = 0.0;
    MemoryUse first, last;  ///< Memory at the end of the first drop and of the last one.
    /// Growth of resident memory, bytes a drop: median over pairs of drops of the later half (at least the last three),
    /// so that neither the beginning nor single steps count.
    double residentSlope = 0.0;
    double allocatedSlope = 0.0;
    bool knowsMemory = false;  ///< Whether there were three drops, and the system tells its memory.
    /// Whether all drops but the first add, with the slope, less than max(1 % of the first, 1 MiB).
    bool flat = false;
};

class SoakStatistics {
public:
    /// @param drops expected; memory for their records is taken now, so that they do not look like a leak
    explicit SoakStatistics(int drops);

    void beginDrop(const SceneWorld& world, bool newBodies);
    void addStep(const SceneWorld& world);  ///< Adds a step; called after every one.
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
