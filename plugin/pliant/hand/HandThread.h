// SPDX-License-Identifier: Zlib
/// @file
/// A hand that goes at a rate of its own beside a slower world.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "pliant/hand/HandDevice.h"
#include "pliant/hand/HandLoop.h"

namespace pliant {

/// What a tool can touch as one step of the world has left it, and what the tool does to it until the next one. Its
/// numbers are its own: nothing of the world is read by the thread of the hand.
class PLIANT_API HandSurroundings {
public:
    virtual ~HandSurroundings();
    /// Goes on from what the tool has touched until now, for instance with its bristles of friction. Called once by
    /// whoever makes the cycles, before the first of them with these surroundings.
    /// @param last no longer touched afterwards
    virtual void takeOver(HandSurroundings& last);
    /// A cycle begins; called without a lock.  @param tool where it is  @param dt length of the cycle, s
    virtual void beginCycle(const ToolPose& tool, double dt);
    /// What touches the tool at a pose; called without a lock, before the tool's step.
    /// Not to throw: it is called by the thread of the hand.
    /// @param ahead time since the end of the step that these surroundings are of would have come in real time, s
    virtual WrenchAndSlope touch(const ToolPose& pose, double ahead) = 0;
    /// Whether what touches it at a pose, to which its step would bring it, is otherwise than touch() has taken it for:
    /// then touch() is asked again for the same step, up to StaticTool::kMostRevisions times. Called without a lock;
    /// no, unless it is overridden.
    virtual bool revise(const ToolPose& pose, double ahead);
    /// What touches it where its step has brought it, after which the cycle is over: bristles of friction bend here.
    /// Called without a lock; what touch() says, unless it is overridden.
    virtual Wrench settle(const ToolPose& pose, double ahead);
    /// Adds what settle() found last, for a time, to what is owed to the world; under the lock.  @param dt s
    virtual void keep(double dt) = 0;
    /// Puts aside what is owed, for the thread of the world to read, and begins anew; under the lock.
    virtual void handOver() = 0;
};

/// What a HandThread has done so far.
struct HandReport {
    ToolPose tool;                              ///< Where the tool is.
    ToolPose followed;                          ///< The pose that it follows.
    Wrench coupling;                            ///< What the coupling does to the tool there.
    Wrench felt;                                ///< What the device was sent last.
    Wrench contact;                             ///< What touches the tool there.
    Vector3 passed = Vector3::Zero();           ///< Sum of all contact forces on the tool, times their time, N s.
    double energy = 0.0;                        ///< Of the passivity observer, J.
    double work = 0.0;                          ///< Of the pose that is followed on the coupling, so far, J.
    double hold = 1.0;                          ///< How firmly the hand holds, from 0 (it has let go) to 1.
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

    /// Has somebody called as each cycle begins (true) and ends (false), by whoever makes it: to take its time. Not
    /// while the thread runs.  @param watch returns at once and does not throw; empty: nobody
    void setWatch(std::function<void(bool)> watch);

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
    /// What has gone wrong with the device so far, as DeviceLog::message() says it; for any thread.
    std::string deviceMessage() const;
    /// Cycles in a second.
    double rate() const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
