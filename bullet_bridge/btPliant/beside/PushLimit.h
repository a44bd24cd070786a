// SPDX-License-Identifier: Zlib
// Internal: how much of what a hand of its own thread has done a body can be given in a step of the world.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

/// A step in which bodies are pushed.
struct PushStep {
    double step = 0.0;   ///< Length, s.
    double share = 1.0;  ///< Of the forces, for the time of the step that the hand has covered.
    pliant::Vector3 tool = pliant::Vector3::Zero();  ///< Where the tool is held, world, m.
    double speed = 0.0, angularSpeed = 0.0;          ///< The tool's largest ones, m/s and rad/s.
};

/// How much of a force and of a torque about its centre of mass a body gets in a step: no more than takes it along with
/// the fastest tool.
///
/// What comes faster than the tool may move meets a tool that cannot give way. The stiffness is that of the surface
/// alone then, and a force that is held over a step of the world throws a body back faster than it has come. With the
/// impulse W, the body's velocity V at the start of the step (weight included where it presses against W) and its
/// inverse mass Y, W . (V + s Y W) is what W does at the end of the step; a tool that moves at its limits in just this
/// direction does |P| speed + |L| angularSpeed, L being the moment about where the tool is held. s makes them equal.
/// @param force N  @param torque about the centre of mass, N m  @return from 0 to 1; 1 for bodies without a mass
double shareOfPush(const btRigidBody& body, const pliant::Vector3& force, const pliant::Vector3& torque,
                   const PushStep& push);

}  // namespace btPliantInternal
