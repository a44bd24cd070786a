// SPDX-License-Identifier: Zlib
// Internal: set-up of joint constraints.
#pragma once

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// Asks Bullet's constraint for its rows (after its buildJacobian), and the material for its response. Reads frames,
/// velocities before and after the free step, factored systems; writes the joint with its rows, Jacobians, responses
/// and effective masses behind the others. @param joint with its constraint, bodies and iterations
void addJointRows(JointConstraint joint, const ReducedBodies& reducedBodies, const SolverBodies& bodies,
                  const btContactSolverInfo& info, JointConstraints& all);

}  // namespace btPliantInternal
