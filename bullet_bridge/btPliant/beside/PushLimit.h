// SPDX-License-Identifier: Zlib
// Internal: how much of what a hand of its own thread has done a body can be given in a step of the world.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

/// A step in which bodies are pushed.
struct PushStep {
    double step = 0.0;   ///< Length, s.
    double share = 1.0;  ///< Of the forces, for the time of the step that the hand has covered.
    pliant::Vector3 tool = pliant::Vector3::Zero();           ///< Where the tool is held, world, m.
    double speed = 0.0, angularSpeed = 0.0;                   ///< The tool's largest ones, m/s and rad/s.
    double energy = std::numeric_limits<double>::infinity();  ///< That all bodies may be given together, J.
    double asked = 0.0;                                       ///< That those ask for which would gain any, J.
};

/// How much of a force and of a torque about its centre of mass a body may get in a step, from 0 to 1.
///
/// What comes faster than the tool may move meets a tool that cannot give way. The stiffness is that of the surface
/// alone then, and a force that is held over a step of the world throws a body back faster than it has come. With the
/// impulse W, the body's velocity V at the start of the step (weight included where it presses against W) and its
/// inverse mass Y, W . (V + s Y W) is what W does at the end of the step; a tool that moves at its limits in just this
/// direction does |P| speed + |L| angularSpeed, L being the moment about where the tool is held. s makes them equal: a
/// body gets no more than takes it along with the fastest tool. Where that tool is fast it may be more energy than
/// anybody has put in, and the ledger of the hand decides.
struct PushBounds {
    double most = 1.0;                ///< Share by the tool's limits; 1 for bodies without a mass.
    double rate = 0.0, square = 0.0;  ///< A share s is the energy rate s + square s^2, J, over the step.

    /// Energy that a share gives to the body, J; negative where it is taken from it.
    double energyOf(double share) const { return share * (rate + share * square); }
    /// What it asks for of the ledger, J; nothing where its energy is no number.
    double asked() const {
        const double energy = energyOf(most);
        return std::isfinite(energy) ? std::max(energy, 0.0) : 0.0;
    }
    /// The share that it gets: where there is less than all ask for, it gives each the same share of its energy. None
    /// where that is no number.
    double shareIn(const PushStep& push) const;
};

/// @param force N  @param torque about the centre of mass, N m
PushBounds boundsOfPush(const btRigidBody& body, const pliant::Vector3& force, const pliant::Vector3& torque,
                        const PushStep& push);

/// What is pushed, and how fast it was before: the work of it is known once the step is made.
struct GivenPush {
    pliant::Vector3 force = pliant::Vector3::Zero(), torque = pliant::Vector3::Zero();  ///< N, N m.
    pliant::Vector3 velocity = pliant::Vector3::Zero(),
                    spin = pliant::Vector3::Zero();  ///< Before the step, m/s and rad/s.

    /// @param step s  @return work by the mean of the velocities before and now, J; 0 where that is no number
    double work(const pliant::Vector3& velocityNow, const pliant::Vector3& spinNow, double step) const {
        const double work = 0.5 * step * (force.dot(velocity + velocityNow) + torque.dot(spin + spinNow));
        return std::isfinite(work) ? work : 0.0;
    }
};

}  // namespace btPliantInternal
