// SPDX-License-Identifier: Zlib
// Internal: warm start and biases of joint rows.
#pragma once

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// The impulses that the rows of a joint start with. Reads what its last rows left; writes impulses of rows and
/// velocities of frames (the deformation has stepped under them, JointForces.h).
void warmStartJoint(const JointConstraint& joint, const ReducedBodies& reducedBodies, SolverBodies& bodies,
                    JointConstraints& all);

/// Right-hand sides of a joint, when everything has been started. Reads velocities of frames and modes, impulses;
/// writes rows.
void computeJointBias(const JointConstraint& joint, const ContactConstraints& contacts, const SolverBodies& bodies,
                      const btContactSolverInfo& info, JointConstraints& all);

}  // namespace btPliantInternal
