// SPDX-License-Identifier: Zlib
// Internal: what one point in contact does to the tool of a hand's own thread: pressure, its damping, and friction by a
// bristle. It says nothing of whose surface the point belongs to.
//
// Slopes are exact for pressures on points that turn with the tool. What friction and the rate of the depth change by
// as planes turn is left out, N a radian: no more than a bristle's stiffness times its bend, and than the damper of the
// pressure, N/m, times the slip of a cycle; of torques, times the point's arm. Stiffness and limit of a bristle, which
// follow the pressure, count as they are.
#pragma once

#include "pliant/hand/ToolPose.h"
#include "pliant/hand/VirtualCoupling.h"
#include "pliant/touch/DistributedLaw.h"

namespace btPliantInternal {

/// The law of a pair.
struct FeltLaw {
    pliant::DistributedLaw pressure;
    double friction = 0.0;  ///< Coefficient, not negative.
};

/// A point in contact. All vectors are along the axes of the world.
struct FeltPoint {
    pliant::Vector3 arm = pliant::Vector3::Zero();     ///< From where the tool is held, m.
    pliant::Vector3 area = pliant::Vector3::Zero();    ///< Area vector into the tool, m^2.
    pliant::Vector3 deeper = pliant::Vector3::Zero();  ///< Unit: the way of the tool that makes the point deeper.
    double depth = 0.0;                                ///< Depth, m, positive.
    double rate = 0.0;                                 ///< Of the depth in this cycle, m/s.
    /// Way of the tool's material past the other one's since the last cycle, m.
    pliant::Vector3 slip = pliant::Vector3::Zero();
};

/// The bristle of a point, as the last cycle has left it.
struct Bristle {
    pliant::Vector3 bend =
        pliant::Vector3::Zero();  ///< Of the tool past the other body, m; axes of the body of the field.
    bool isBent = false;          ///< Whether the point touched.
    /// Whether the foot is taken to slide, in this cycle or the last one, and the bend that it would have if it did
    /// not, world, m.
    bool slides = false;
    pliant::Vector3 trial = pliant::Vector3::Zero();
};

/// A force on the tool, N, and its derivative by the way of the tool's material, N/m. Stiffness and limit of the
/// bristle count as those of the pressure that is there, so that the step that is solved for stays a minimum.
struct FeltForce {
    pliant::Vector3 pressure = pliant::Vector3::Zero();
    pliant::Vector3 friction = pliant::Vector3::Zero();
    pliant::Matrix3 slope = pliant::Matrix3::Zero();
};

/// The force before the tool's step, to first order: a bristle whose foot is taken to slide has the force of its limit
/// whatever the tool's step is along its trial, and turns with it.
/// @param bend of the bristle along the axes of the world, m  @param dt length of the cycle, s
FeltForce foreseenForce(const FeltLaw& law, const FeltPoint& point, const Bristle& bristle, const pliant::Vector3& bend,
                        double dt);
/// Looks at a point where the tool's step would bring it: whether the foot slides, and where to.
/// @return whether foreseenForce() has taken the bristle for another one, so that the step is to be solved again
bool reviseBristle(const FeltLaw& law, const FeltPoint& point, const pliant::Vector3& bend, Bristle& bristle);
/// The force after the step, at the limit of friction where the foot slides; without its slope.
/// @param bend along the axes of the world, m, in and out  @param bristle is what the next cycle begins with
FeltForce settledForce(const FeltLaw& law, const FeltPoint& point, Bristle& bristle, pliant::Vector3& bend);

/// Adds a force and its slope where the point keeps its place while the tool moves (it belongs to the other body).
void addAtOther(const FeltPoint& point, const FeltForce& force, pliant::WrenchAndSlope& sum);
/// The same of a point of the tool's own surface, which moves and turns with it.
void addAtTool(const FeltPoint& point, const FeltForce& force, pliant::WrenchAndSlope& sum);

}  // namespace btPliantInternal
