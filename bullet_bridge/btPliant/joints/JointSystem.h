// SPDX-License-Identifier: Zlib
// Internal: rows of all joints of a group that hang together, solved at once.
//
// Gauss-Seidel passes a load on from joint to joint: with loads of the mass M on bodies of the mass m a pass leaves
// 1 / (1 + m / M) of the error, so that a light bar under 500 times its weight takes thousands. Rows without limits are
// linear, and W = J M^-1 J' of a chain or a tree has few entries off the blocks of its joints; it is factored as
// W = L D L' within the envelope of the joints' order [GL81 chapter 4]. A row that those before it hold already (its
// pivot is rounding) is left to them; what it started with dies away by Bullet's factor of the warm start. Limits,
// contacts and Bullet's own rows are iterated around it as before.
#pragma once

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// Factors the rows of joints that share bodies, where there are such. Reads rows with Jacobians and responses; writes
/// `all.system`.
void setUpJointSystem(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraints& all);

/// Impulses that give all of these rows their velocities, against all that is solved by now, in `right`. Reads rows,
/// velocities of frames and modes.
void solveJointSystem(const ContactConstraints& contacts, const SolverBodies& bodies, JointConstraints& all);

}  // namespace btPliantInternal
