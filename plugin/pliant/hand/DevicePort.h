// SPDX-License-Identifier: Zlib
/// @file
/// The device's side of a hand: which pose a tool follows, and what the device is sent.
#pragma once

#include "pliant/hand/DeviceGuard.h"
#include "pliant/hand/PassivityObserver.h"

namespace pliant {

/// Stands between a device and whatever kind of tool there is: limits of speed, a device that falls silent, and the
/// passivity observer. Each cycle is follow(), the tool's own step, then render().
class PLIANT_API DevicePort {
public:
    /// Device and tool at one pose.  @param settings have passed checkHandSettings()
    DevicePort(const HandSettings& settings, const ToolPose& pose);

    /// Moves the pose that the tool follows.
    /// @param reading newest pose of the device in the world; null: none since the last cycle
    /// @param tool where the tool is  @param dt time of the cycle, s, > 0
    void follow(const ToolPose* reading, const ToolPose& tool, double dt);
    /// What the device is sent, once the tool has moved.
    /// @param tool where the tool is now  @param dt time of the cycle, s, > 0
    Wrench render(const ToolPose& tool, double dt);

    /// The pose that the tool follows.
    const ToolPose& followed() const { return m_state.followed; }
    /// Its velocity in the last cycle, m/s and rad/s, axes of the world.
    const Vector6& followedVelocity() const { return m_state.velocity; }
    /// How firmly the hand holds, from 0 (it has let go) to 1.
    double hold() const { return m_guard.hold(); }
    /// What the device has done.
    DeviceStatus status() const { return m_guard.status(); }
    /// Energy of the passivity observer, J.
    double energy() const { return m_observer.energy(); }
    /// What the hand was made with.
    const HandSettings& settings() const { return m_settings; }

    /// Everything that the next cycles depend on beside the settings.
    struct State {
        DeviceGuard::State guard;             ///< Of the device.
        double energy = 0.0;                  ///< Of the passivity observer, J.
        double damping = 0.0;                 ///< Of the same, N s/m.
        ToolPose followed;                    ///< The pose that the tool follows.
        Vector6 velocity = Vector6::Zero();   ///< Its velocity, m/s and rad/s.
        Vector6 deviceWay = Vector6::Zero();  ///< Of the device in the last cycle, m and rad.
    };
    /// The state, to be kept.
    State state() const;
    /// Goes on from a state that was kept.
    void setState(const State& state);

private:
    HandSettings m_settings;
    DeviceGuard m_guard;
    PassivityObserver m_observer;
    State m_state;  ///< Of it the guard's and the observer's parts are their own.
};

}  // namespace pliant
