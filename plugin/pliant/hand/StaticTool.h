// SPDX-License-Identifier: Zlib
/// @file
/// A tool without mass, which is where the forces on it are in balance.
#pragma once

#include <functional>

#include "pliant/hand/VirtualCoupling.h"

namespace pliant {

/// What touches a tool does to it: the wrench at a pose, and its slope. Called once a step, from the thread that steps.
using ContactFunction = std::function<WrenchAndSlope(const ToolPose&)>;

/// Whether what touches a tool at a pose, to which its step would bring it, is otherwise than the contact function has
/// taken it for, as where a bristle of friction lets go: the function is then asked again for the same step.
using ContactRevision = std::function<bool(const ToolPose&)>;

/// What a step of a tool found.
struct ToolStep {
    Wrench coupling;    ///< On the tool, at its new pose.
    Wrench contact;     ///< On the tool, at the pose before the step.
    int freeCount = 0;  ///< Directions that neither contact nor coupling held.
};

/// A pose that follows another one no faster than the limits allow.
/// @param dt time of the step, s, > 0
PLIANT_API ToolPose followedPose(const HandLimits& limits, const ToolPose& last, const ToolPose& aim, double dt);

/// A tool whose pose makes the wrenches of contact and coupling cancel ([B07, 4.1]): one Newton step each time. What
/// nothing holds follows the device.
class PLIANT_API StaticTool {
public:
    /// At a pose.  @param settings have passed checkHandSettings()
    StaticTool(const HandSettings& settings, const ToolPose& pose) : m_settings(settings), m_pose(pose) {}

    /// Moves the tool by one Newton step.
    /// @param device  pose that is followed  @param contact what touches the tool; empty: nothing
    /// @param dt time of the step, s, > 0: the limits of speed need it
    /// @param revise asked up to kMostRevisions times in a step; empty: contact is taken as it was found first
    ToolStep step(const ToolPose& device, const ContactFunction& contact, double dt,
                  const ContactRevision& revise = {});
    static constexpr int kMostRevisions = 4;  ///< Newton steps beside the first, that nothing but friction asks for.

    /// Where the tool is.
    const ToolPose& pose() const { return m_pose; }
    /// Puts the tool somewhere.
    void setPose(const ToolPose& pose) { m_pose = pose; }

private:
    ToolStep solve(const ToolPose& device, const ContactFunction& contact, double dt, ToolPose& next) const;

    HandSettings m_settings;
    ToolPose m_pose;
};

}  // namespace pliant
