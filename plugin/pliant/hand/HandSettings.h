// SPDX-License-Identifier: Zlib
/// @file
/// What is set for a hand: the coupling between device and tool, and the limits of both.
#pragma once

#include <limits>
#include <string>

#include "pliant/math/Api.h"

namespace pliant {

/// The spring of six degrees of freedom between the device's pose and the tool's.
struct CouplingSettings {
    double stiffness = 800.0;      ///< Of the force, N/m, > 0.
    double torqueStiffness = 8.0;  ///< Of the torque k_T sin(theta / 2), N m, > 0.
    /// Largest force on the tool, N, > 0; linear up to half of it, then smoothly towards it.
    double maxForce = std::numeric_limits<double>::infinity();
    /// Largest torque on the tool, N m, > 0; the same way. At the end of an arm of length a it is a force of torque /
    /// a: short tools are the ones that it can press too hard.
    double maxTorque = std::numeric_limits<double>::infinity();
};

/// What neither the tool nor the device is let go beyond.
struct HandLimits {
    double speed = 0.6;                       ///< Of the tool and of the pose that it follows, m/s, > 0.
    double angularSpeed = 6.283185307179586;  ///< Of both, how fast they turn, rad/s, > 0: one turn a second.
    double deviceForce = 8.5;                 ///< Largest force that is sent to the device, N, >= 0.
    double deviceTorque = 0.3;                ///< Largest torque that is sent to the device, N m, >= 0.
    double deviceDamping = 30.0;              ///< Most that the passivity observer damps the device by, N s/m, >= 0.
    double energyCredit = 0.1;  ///< Most energy that the passivity observer remembers, J, >= 0: above F^2 / 2k.
    double silence = 0.05;      ///< Time without a good reading after which the hand lets go, s, > 0.
    double release = 0.25;      ///< Time in which it lets go, and takes hold again, s, > 0.
};

/// A hand: coupling, limits, and how the tool is solved.
struct HandSettings {
    CouplingSettings coupling;  ///< The spring.
    HandLimits limits;          ///< The limits.
    /// Length that makes rotations comparable with translations, m, > 0: the radius of gyration of the tool.
    double gyrationRadius = 0.05;
    /// Share alpha of a static tool's step that is left out, in [0, 1): smoother and deeper.
    double staticDamping = 0.0;
    /// Damping of a dynamic tool's coupling as a share of the critical one, >= 0.
    double dampingRatio = 1.0;
};

/// Throws Error when a number is not what its field says, or not finite where it has to be.
/// @param where what messages begin with: file:line, or a name
PLIANT_API void checkHandSettings(const HandSettings& settings, const std::string& where);

}  // namespace pliant
