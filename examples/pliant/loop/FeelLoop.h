// SPDX-License-Identifier: Zlib
// A hand along its path through a scene, cycle by cycle.
#pragma once

#include <memory>

#include "pliant/hand/HandDevice.h"
#include "stats/CycleTimes.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// Hands on what another device reads, and keeps it with what was felt.
class KeptDevice : public HandDevice {
public:
    /// @param device not null  @param cycles that are kept at most
    KeptDevice(std::shared_ptr<HandDevice> device, std::size_t cycles);
    bool read(double time, ToolPose& pose) override { return m_record.read(time, pose); }
    void write(double time, const Wrench& wrench) override;
    /// A key for every cycle: the pose that was read, and what was felt at it.
    const HandPath& record() const { return m_record.record(); }

private:
    RecordDevice m_record;
};

/// Steps the world until the time is over or the scene ends itself, a cycle a step. @throws Cancelled after Ctrl-C
/// @param paced waits for the time of each cycle, as people and their devices need it
void runCycles(SceneWorld& world, int cycles, bool paced, CycleTimes& times);

/// What a hand in a thread of its own has done beside the world.
struct BesideReport {
    HandReport hand;
    int steps = 0;             ///< Of the world.
    double wallSeconds = 0.0;  ///< That they took, with the waiting for their time.
};

/// Steps the world in the time of people, while the hand of a tool makes cycles in a thread of its own, until the time
/// of the scene is over or the scene ends itself. @throws Cancelled after Ctrl-C
/// @param tool index of a tool in a thread  @param times of the cycles, as many as there is room for
BesideReport runBeside(SceneWorld& world, int tool, CycleTimes& times);

}  // namespace pliant::program
