// SPDX-License-Identifier: Zlib
/// @file
/// What a hand's pose comes from and its wrench goes to.
#pragma once

#include <memory>
#include <vector>

#include "pliant/hand/HandPath.h"

namespace pliant {

/// A device of six degrees of freedom. Both functions return at once, neither throw nor print, and are called from the
/// thread of the cycle.
class PLIANT_API HandDevice {
public:
    virtual ~HandDevice();
    /// The newest pose in the world.  @param time of the cycle, s
    /// @return false when none has come since the last call: `pose` is then left as it is
    virtual bool read(double time, ToolPose& pose) = 0;
    /// What the hand shall feel.
    virtual void write(double time, const Wrench& wrench) = 0;
};

/// Stays at a pose and feels nothing.
class PLIANT_API IdentityDevice : public HandDevice {
public:
    /// At that pose.
    explicit IdentityDevice(const ToolPose& pose = {}) : m_pose(pose) {}
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;

private:
    ToolPose m_pose;
};

/// Goes along a path, and feels nothing. A recorded path is replayed with the same bits at the times of its keys.
class PLIANT_API PathDevice : public HandDevice {
public:
    /// Along a path that is not empty.
    explicit PathDevice(HandPath path) : m_path(std::move(path)) {}
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;

private:
    HandPath m_path;
};

/// Hands everything on to another device and keeps it. Memory for the cycles is taken beforehand; what exceeds it is
/// not kept, and counted.
class PLIANT_API RecordDevice : public HandDevice {
public:
    /// @param device not null  @param cycles that are kept at most
    RecordDevice(std::unique_ptr<HandDevice> device, std::size_t cycles);
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;
    /// The poses that were read and what was felt at them; zero where nothing was written.
    const HandPath& record() const { return m_record; }
    /// Number of readings that were not kept.
    std::size_t lost() const { return m_lost; }

private:
    std::unique_ptr<HandDevice> m_device;
    std::size_t m_cycles;
    std::size_t m_lost = 0;
    HandPath m_record;
};

/// A device that fails at given times, for tests of what uses one.
class PLIANT_API MockDevice : public HandDevice {
public:
    /// What it does from `from` to `to`, s.
    struct Fault {
        double from = 0.0;      ///< Beginning, s.
        double to = 0.0;        ///< End, s.
        bool sendsNaN = false;  ///< Sends what is no number; otherwise nothing.
    };
    /// Does what `device` does but for the faults.  @param device not null
    MockDevice(std::unique_ptr<HandDevice> device, std::vector<Fault> faults)
        : m_device(std::move(device)), m_faults(std::move(faults)) {}
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;
    /// What was written last.
    const Wrench& lastWrench() const { return m_last; }

private:
    std::unique_ptr<HandDevice> m_device;
    std::vector<Fault> m_faults;
    Wrench m_last;
};

}  // namespace pliant
