// SPDX-License-Identifier: Zlib
// Internal: restitution between two of Bullet's own bodies.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>

namespace btPliantInternal {

/// Whether contacts of two of Bullet's own bodies have restitution, and no spring. What is deep of such contacts goes
/// to split impulses, however little it is: as a part of the velocity it is added to the bounce.
bool mayBounce(const btPersistentManifold& manifold);

/// After Bullet has set up the normal row of a contact: what comes to touch within the step bounces with its whole
/// restitution, and what does not comes on unhindered. Bullet takes the way that is left, over the step, off the speed
/// of the bounce, and so slows down what is still some steps away: within the breaking distance, which grows with the
/// shape.
void letBounce(const btPersistentManifold& manifold, const btContactSolverInfo& info, btSolverConstraint& row);

}  // namespace btPliantInternal
