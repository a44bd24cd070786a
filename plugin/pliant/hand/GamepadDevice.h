// SPDX-License-Identifier: Zlib
/// @file
/// A gamepad as a device of six degrees of freedom, which rumbles by what it feels.
#pragma once

#include <array>
#include <string>

#include "pliant/hand/HandDevice.h"
#include "pliant/hand/RateHand.h"

namespace pliant {

/// A gamepad of Linux (evdev): the left stick moves to the right and away, the triggers up and down, the right stick
/// turns what one sees of the hand along with it, the shoulder buttons roll it. Where the gamepad has motors it rumbles
/// with the force: fully at `fullForce`. Once it is unplugged there are no more poses, and the hand lets go.
class PLIANT_API GamepadDevice : public HandDevice {
public:
    /// Opens a gamepad. Throws Error when there is none, it cannot be read, or the system is not Linux.
    /// @param pose where the hand is  @param fullForce N, > 0  @param file /dev/input/event...; empty: the first
    /// gamepad
    GamepadDevice(const ToolPose& pose, const RateSettings& settings, double fullForce, const std::string& file = {});
    /// Takes over an open file of events, of a session's manager for example.
    GamepadDevice(const ToolPose& pose, const RateSettings& settings, double fullForce, int descriptor);
    ~GamepadDevice() override;
    GamepadDevice(const GamepadDevice&) = delete;
    GamepadDevice& operator=(const GamepadDevice&) = delete;
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;

private:
    struct Range {
        double least, most;
    };
    void readRanges();
    void take(int type, int code, int value);
    void rumble(double strength);

    RateHand m_hand;
    double m_fullForce;
    int m_file = -1;
    bool m_isThere = true;
    std::array<Range, 6> m_ranges;  ///< Of the axes x, y, z, rx, ry, rz.
    double m_lift[2] = {0.0, 0.0};  ///< Of the triggers, from 0 to 1.
    int m_effect = -1;              ///< Of the motors; -2: there are none.
    double m_strength = 0.0, m_rumbleTime = 0.0;
};

}  // namespace pliant
