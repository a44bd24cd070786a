// SPDX-License-Identifier: Zlib
/// @file
/// A hand that goes at a rate of its own beside a slower world.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "pliant/hand/HandDevice.h"
#include "pliant/hand/HandLoop.h"

namespace pliant {

/// What a tool can touch as one step of the world has left it, and what the tool does to it until the next one. Its
/// numbers are its own: nothing of the world is read by the thread of the hand.
class PLIANT_API HandSurroundings {
public:
    virtual ~HandSurroundings();
    /// What touches the tool at a pose; called without a lock, before and after the tool's step.
    /// Not to throw: it is called by the thread of the hand.
    /// @param ahead time since the end of the step that these surroundings are of would have come in real time, s
    virtual WrenchAndSlope touch(const ToolPose& pose, double ahead) = 0;
    /// Adds what touch() found last, for a time, to what is owed to the world; under the lock.  @param dt s
    virtual void keep(double dt) = 0;
    /// Puts aside what is owed, for the thread of the world to read, and begins anew; under the lock.
    virtual void handOver() = 0;
};

/// What a HandThread has done so far.
struct HandReport {
    ToolPose tool;                              ///< Where the tool is.
    ToolPose followed;                          ///< The pose that it follows.
    Wrench felt;                                ///< What the device was sent last.
    Wrench contact;                             ///< What touches the tool there.
    Vector3 passed = Vector3::Zero();           ///< Sum of all contact forces on the tool, times their time, N s.
    double energy = 0.0;                        ///< Of the passivity observer, J.
    DeviceStatus status = DeviceStatus::Ready;  ///< Of the device.
    std::uint64_t cycles = 0;                   ///< Number of cycles.
    std::uint64_t late = 0;                     ///< Of these, those that began more than a period after their time.
    std::uint64_t lost = 0;     ///< Cycles that were left out, since the thread was behind by more than kMostBehind.
    double longestCycle = 0.0;  ///< Wall time of the longest cycle, s.
};

/// A static tool with its device, in cycles of one length: in a thread of its own, or, where start() is not called, in
/// step with the world by run(), with the same bits each time. The world hands over surroundings after each of its
/// steps, and collects what the tool has done to them before the next one. Neither waits for the other: the one lock is
/// held for as long as pointers change hands and sums grow, never for a cycle or a step.
///
/// Everything but report() and the destructor's end of the thread is for the thread of the world.
class PLIANT_API HandThread {
public:
    static constexpr double kMostBehind = 0.05;  ///< Seconds that cycles make up for when the thread was held up.

    /// Tool and device at one pose, without surroundings.
    /// @param device asked in each cycle by the thread that makes it; null: none  @param rate cycles in a
    /// second, 1..1e5
    /// @throws Error when a setting is not what its field says, or the rate is beyond these
    HandThread(const HandSettings& settings, const ToolPose& pose, std::shared_ptr<HandDevice> device,
               double rate = 1000.0);
    /// Ends the thread after the cycle that is under way.
    ~HandThread();
    HandThread(const HandThread&) = delete;
    HandThread& operator=(const HandThread&) = delete;

    /// Starts the thread; nothing where it runs.
    void start();
    /// Ends it after the cycle that is under way; nothing where it does not run.
    void stop();
    /// Whether the thread runs.
    bool isRunning() const;
    /// Makes cycles here and now; nothing while the thread runs.
    void run(int cycles);

    /// Hands over what there is to touch from the next cycle on.
    /// @param step length of the world's step, s: touch() is told of no more time ahead than two of them
    void publish(std::unique_ptr<HandSurroundings> surroundings, double step);
    /// Surroundings that are no longer in use, to be filled anew; null where there are none.
    std::unique_ptr<HandSurroundings> takeSpare();
    /// Shows all surroundings that the tool has touched since the last call, after their handOver(). To be called as a
    /// step of the world begins: time ahead counts from here.
    /// @return the time that what they are owed is of, s; 0 where there was no cycle
    double collect(const std::function<void(HandSurroundings&)>& owed);
    /// What has been done so far; for any thread.
    HandReport report() const;
    /// Cycles in a second.
    double rate() const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
