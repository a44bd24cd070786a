// SPDX-License-Identifier: Zlib
/// @file
/// A rigid tool with mass that follows a device.
#pragma once

#include "pliant/hand/StaticTool.h"

namespace pliant {

/// Mass of a tool, which is held at its centre of mass.
struct ToolMass {
    double mass = 0.1;                             ///< Mass, kg, above 0.
    Matrix3 inertia = 1e-4 * Matrix3::Identity();  ///< About the centre of mass, in the tool's frame, kg m^2, positive.
};

/// A tool with mass: linearly implicit in the coupling, its damping and the contact, so that stiff ones need no short
/// steps.
class PLIANT_API DynamicTool {
public:
    /// At rest at a pose.  @param settings have passed checkHandSettings()
    DynamicTool(const HandSettings& settings, const ToolMass& mass, const ToolPose& pose)
        : m_settings(settings), m_mass(mass), m_pose(pose) {}

    /// Advances by dt.
    /// @param device pose that is followed  @param deviceVelocity its velocity, m/s, and angular velocity, rad/s
    /// @param contact what touches the tool; empty: nothing  @param dt s, > 0
    ToolStep step(const ToolPose& device, const Vector6& deviceVelocity, const ContactFunction& contact, double dt);

    /// Where the tool is.
    const ToolPose& pose() const { return m_pose; }
    /// Velocity, m/s, and angular velocity, rad/s, in axes of the world.
    const Vector6& velocity() const { return m_velocity; }

private:
    HandSettings m_settings;
    ToolMass m_mass;
    ToolPose m_pose;
    Vector6 m_velocity = Vector6::Zero();
};

}  // namespace pliant
