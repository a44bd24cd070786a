// SPDX-License-Identifier: Zlib
// Internal: what deformed material adds to the rows of a joint.
#pragma once

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// Velocity along a row by the bones of characters beyond that of their frames, m/s or rad/s. @param h of the step, s
btScalar skinVelocity(const JointConstraint& joint, const JointConstraintRow& entry, double h);

/// Jacobians and responses of all rows on one reduced side. Reads frames, factored systems; writes modal vectors,
/// responses of the frame, and the modes' velocities along the rows.
void prepareSide(const JointConstraint& joint, int side, const ReducedBody& reduced, JointConstraints& all);

}  // namespace btPliantInternal
