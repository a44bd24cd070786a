// SPDX-License-Identifier: Zlib
// Internal: Gauss-Seidel iterations over joint constraints.
#pragma once

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// One iteration, of joints that have not had theirs. Reads rows; writes impulses, velocities of frames and modes, and
/// ReducedBody::hasJointImpulse. @return largest squared change of an impulse
btScalar iterateJoints(int iteration, ContactConstraints& contacts, SolverBodies& bodies, JointConstraints& all);

}  // namespace btPliantInternal
