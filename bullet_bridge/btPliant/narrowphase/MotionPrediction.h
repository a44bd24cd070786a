// SPDX-License-Identifier: Zlib
// Internal: prediction of where bodies go in a step if nothing touches them.
#pragma once

#include "btPliant/btPliantBody.h"

namespace btPliantInternal {

/// Whether it goes anywhere with its velocity: kinematic ones, which Bullet calls static too, do.
bool movesInStep(const btRigidBody& body);
/// m/s in the step.
btVector3 freeVelocity(const btRigidBody& body, double step);
/// Of its frame at the end of the step.
btTransform predictedTransform(const btRigidBody& body, double step);

/// Of the frame in the step, metres; zero of a body that does not come far enough for its way to matter.
btVector3 predictedFastMotion(const btPliantBody& body, double step);

}  // namespace btPliantInternal
