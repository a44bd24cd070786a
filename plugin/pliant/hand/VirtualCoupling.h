// SPDX-License-Identifier: Zlib
/// @file
/// The spring of six degrees of freedom between a device and a tool ([B07, 4.3 to 4.9]).
#pragma once

#include "pliant/hand/HandSettings.h"
#include "pliant/hand/ToolPose.h"

namespace pliant {

/// A wrench on a tool, and how it changes with the tool's pose.
struct WrenchAndSlope {
    Wrench wrench;  ///< On the tool, about the held point.
    /// Derivative of (force, torque) by a translation (m) and a rotation vector (rad) of the tool, in axes of the
    /// world.
    Matrix6 slope = Matrix6::Zero();
};

/// The law of both springs: k u up to half of `limit`, then towards `limit` like an exponential ([B07, (4.39),
/// (4.40)]).
/// @param stiffness k > 0  @param limit > 0, of the force; may be infinite  @param stretch u >= 0
PLIANT_API double saturatedForce(double stiffness, double limit, double stretch);

/// What the coupling does to the tool: the force k (x_m - x_s) and the torque k_T vec(q_m q_s^-1), of the size
/// k_T sin(theta / 2) for the angle theta between both, the shorter way round; both saturated. The slope is exact but
/// at theta = pi, where the torque changes its sign. Settings have passed checkHandSettings().
PLIANT_API WrenchAndSlope couple(const CouplingSettings& settings, const ToolPose& device, const ToolPose& tool);

/// The energy of the coupling, J, which is the most that it can give back: the integral of couple() from where both
/// poses are one. Exact but for a saturated torque, whose integral is numerical, to 1e-6. Settings have passed
/// checkHandSettings().
PLIANT_API double mostCouplingEnergy(const CouplingSettings& settings, const ToolPose& device, const ToolPose& tool);

/// What the device is told to render: the unsaturated coupling, the other way round, cut off at the device's limits. A
/// hand feels forces grow beyond those at which the tool's saturate.
PLIANT_API Wrench renderedWrench(const HandSettings& settings, const ToolPose& device, const ToolPose& tool);

/// `wrench` with the length of its force and of its torque cut off at the device's limits.
PLIANT_API Wrench clampedWrench(const HandLimits& limits, const Wrench& wrench);

}  // namespace pliant
