// SPDX-License-Identifier: Zlib
/// @file
/// What becomes of a hand whose device says nothing, or nothing that is a number.
#pragma once

#include "pliant/hand/HandSettings.h"
#include "pliant/hand/ToolPose.h"

namespace pliant {

/// What a device has done last.
enum class DeviceStatus {
    Ready,       ///< Poses arrive.
    Stuttering,  ///< None has come for more than half of the time of silence.
    Vanished,    ///< None has come for the time of silence: the hand lets go.
    NotFinite,   ///< For the time of silence there was none but such that are not numbers: the hand lets go.
};

/// The word for a status, for tables and messages.
PLIANT_API const char* nameOf(DeviceStatus status);

/// Keeps the last good pose of a device, and says how firmly the hand holds: 1 while poses come, falling to 0 within
/// `limits.release` when there are none, and rising again in the same time.
class PLIANT_API DeviceGuard {
public:
    /// Holds firmly at a pose.  @param limits have passed checkHandSettings()
    DeviceGuard(const HandLimits& limits, const ToolPose& pose) : m_limits(limits) { m_state.pose = pose; }

    /// @param reading newest pose of the device; null: there is none since the last step  @param dt s, > 0
    void step(const ToolPose* reading, double dt);

    /// The last good pose, its quaternion of unit length.
    const ToolPose& pose() const { return m_state.pose; }
    /// How firmly the hand holds, from 0 to 1.
    double hold() const { return m_state.grip; }
    /// What the device has done.
    DeviceStatus status() const { return m_state.status; }

    /// Everything that the next steps depend on beside the limits.
    struct State {
        ToolPose pose;                              ///< The last good one.
        double silence = 0.0;                       ///< Since when there was none, s.
        double grip = 1.0;                          ///< From 0 to 1.
        bool sawBadNumbers = false;                 ///< Since the last good one.
        DeviceStatus status = DeviceStatus::Ready;  ///< What the device has done.
    };
    /// The state, to be kept.
    const State& state() const { return m_state; }
    /// Goes on from a state that was kept.
    void setState(const State& state) { m_state = state; }

private:
    HandLimits m_limits;
    State m_state;
};

}  // namespace pliant
