// SPDX-License-Identifier: Zlib
// Internal: what the tool of a hand's own thread does to bodies in the coming step, for contact sensors and patches.
// The hand writes it before the step, and the system that it belongs to reads it.
#pragma once

#include <vector>

#include "btPliant/btPliantTouch.h"
#include "pliant/math/Types.h"

class btCollisionObject;

namespace btPliantInternal {

/// What a body is pushed by at one point: the mean over the cycles since the last step. Vectors are in the world's
/// axes.
struct HandPush {
    const btCollisionObject* body = nullptr;
    pliant::Vector3 place = pliant::Vector3::Zero();     ///< World, m.
    pliant::Vector3 rest = pliant::Vector3::Zero();      ///< Of a solid: where the point rests, mesh frame, m.
    pliant::Vector3 pressure = pliant::Vector3::Zero();  ///< On the body, N.
    pliant::Vector3 friction = pliant::Vector3::Zero();  ///< On the body, N.
    pliant::Vector3 torque = pliant::Vector3::Zero();    ///< On the body, about its centre of mass, N m.
    double depth = 0.0, area = 0.0;                      ///< Mean depth, m; area that the point stands for, m^2.
};

struct HandPushes {
    const btCollisionObject* tool = nullptr;              ///< What stands for the tool; never looked into.
    pliant::Vector3 toolPlace = pliant::Vector3::Zero();  ///< Where the tool is held, world, m.
    std::vector<HandPush> points;                         ///< By body, and by point of it.
    double left = 0.0;  ///< Time for which the bodies are still to be pushed, s: Bullet forgets forces after a step.
};

/// What the tool does to one body, as a patch.  @return whether it presses it
bool patchOf(const HandPushes& hand, const btCollisionObject& body, btPliantContactPatch& patch);

}  // namespace btPliantInternal
