// SPDX-License-Identifier: Zlib
/// @file
/// A hand that is moved by deflections: sticks and caps, which say how fast and not where.
#pragma once

#include "pliant/hand/ToolPose.h"

namespace pliant {

/// What a full deflection does, and along which axes.
struct RateSettings {
    double speed = 0.3;  ///< How fast a full deflection moves, m/s, >= 0.
    double angularSpeed =
        1.5707963267948966;            ///< How fast a full deflection turns, rad/s, >= 0: a quarter turn a second.
    double deadZone = 0.12;            ///< Deflections below this are none, in [0, 1).
    Vector3 right = Vector3::UnitX();  ///< To the user's right, in the world, of unit length.
    Vector3 up = Vector3::UnitZ();     ///< Upright on it; away from the user is up x right.
};

/// The pose that deflections have led to. Between two readings the last deflection holds.
class PLIANT_API RateHand {
public:
    /// At a pose, with no deflection.
    RateHand(const ToolPose& pose, const RateSettings& settings) : m_pose(pose), m_settings(settings) {}

    /// @param axis 0 to 2: to the right, away, up; 3 to 5: turns about these  @param value from -1 to 1; others are cut
    void deflect(int axis, double value);
    /// The pose at a time that does not go back.  @param time s
    const ToolPose& at(double time);

private:
    ToolPose m_pose;
    RateSettings m_settings;
    Vector6 m_deflection = Vector6::Zero();
    double m_time = 0.0;
    bool m_hasTime = false;
};

}  // namespace pliant
