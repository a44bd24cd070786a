// SPDX-License-Identifier: Zlib
/// @file
/// Physics in a thread of its own, in fixed steps, shown at any rate.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/view/Poses.h"

namespace pliant {

/// What a user does to a running simulation, as plain numbers: it can be kept, and done again at the same step.
struct PhysicsCommand {
    std::uint64_t step = 0;           ///< The step that it was done before, from 0 on; set by the thread.
    int kind = 0;                     ///< The user's own number.
    std::array<double, 8> numbers{};  ///< The user's own meaning.
};

/// How a PhysicsThread goes.
struct PhysicsThreadSettings {
    double step = 1.0 / 60.0;  ///< Length of a step, s.
    double speed = 1.0;        ///< Simulated seconds in a second of the clock; below 1: slow motion.
    /// Steps that the pictures' clock may be ahead of the simulation. Where physics takes longer than real time the
    /// clock waits for it, and everything moves more slowly.
    int mostBehind = 4;
    /// Whether at() waits until the steps that are due are made, as films and tests want it: what it shows depends on
    /// the clock alone.
    bool waits = false;
    /// Commands that are done again, each before its step, ascending: a run that was dragged goes the same way.
    std::vector<PhysicsCommand> replay;
};

/// Makes fixed steps in a thread of its own and shows them at any rate, interpolated and one step late.
///
///     pliant::PhysicsThread physics(settings, [&](std::vector<pliant::Poses>& poses) {
///         world.stepSimulation(step, 0);
///         ... fill poses ...
///     });
///     // in the update traversal:
///     const auto& poses = physics.at(frameStamp.getSimulationTime());
///     for (std::size_t i = 0; i < poses.size(); ++i) groups[i]->show(poses[i]);
///
/// at() is for one thread; everything else may be called from any. A step is shown whole or not at all, and neither
/// side waits for the other.
class PLIANT_API PhysicsThread {
public:
    /// Makes one step and tells where bodies are after it. The poses are those of an earlier step: all of them have to
    /// be written, their times excepted, which the thread sets. An exception ends the thread.
    using Step = std::function<void(std::vector<Poses>&)>;
    /// Does what a command says, between two steps, in the thread of the steps.
    using Obey = std::function<void(const PhysicsCommand&)>;

    /// Starts the thread. It makes a first step at once, which is at time 0.
    PhysicsThread(PhysicsThreadSettings settings, Step step, Obey obey = {});
    /// Ends after the step that is under way.
    ~PhysicsThread();
    PhysicsThread(const PhysicsThread&) = delete;
    PhysicsThread& operator=(const PhysicsThread&) = delete;

    /// Where bodies are at a moment of the pictures' clock.
    /// @param clock s, not falling; the simulation's time runs with it from the first call on
    /// @return one Poses a model, valid until the next call; empty before the first step is made
    const std::vector<Poses>& at(double clock);
    /// Simulated time of what at() showed last, s.
    double shownTime() const;

    /// Stops the clock. Pauses are counted: a window that is closed and a key may both ask for one.
    void pause();
    /// Takes one pause back.
    void resume();
    /// Whether there is a pause.
    bool isPaused() const;
    /// One step more while there is a pause; the next at() moves on by its length.
    void stepOnce();
    /// Sets PhysicsThreadSettings::speed. @param speed >= 0
    void setSpeed(double speed);
    /// PhysicsThreadSettings::speed.
    double speed() const;

    /// Has a command done before the next step.
    void post(int kind, const std::array<double, 8>& numbers);
    /// The commands that were done so far, each with its step: what PhysicsThreadSettings::replay takes.
    std::vector<PhysicsCommand> commands() const;

    /// The number of steps made.
    std::uint64_t stepCount() const;
    /// Empty, or what an exception of the step or of a command said: there are no more steps.
    std::string problem() const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
