// SPDX-License-Identifier: Zlib
// Internal: the impulses of the last substep's joints in the free step.
#pragma once

#include "btPliant/data/JointData.h"

struct btContactSolverInfo;

namespace btPliantInternal {

/// Whether a side is a reduced body that has made its free step.
bool hasStepped(const btPliantJoint& joint);

/// Forces of last substep's impulses on reduced bodies that are about to step, as those of contacts in FreeStep.cpp.
/// Reads what the joint's last rows left; writes BodyData::modalContactForce and the joint's warm-start factor.
/// @param h length of the step, s
/// @param startsFromLast whether they act at all; the factor is zero where they do not (step/ContestedJoints.h)
void addJointForces(btTypedConstraint& constraint, const btContactSolverInfo& info, double h, bool startsFromLast);

/// What the same forces would have done in a substep `ratio` times as long. Writes what the joint's last rows left.
void scaleJointImpulses(btTypedConstraint& constraint, btScalar ratio);

}  // namespace btPliantInternal
