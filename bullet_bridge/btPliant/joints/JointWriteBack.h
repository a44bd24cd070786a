// SPDX-License-Identifier: Zlib
// Internal: what the solution of joint constraints leaves behind.
#pragma once

#include "btPliant/joints/JointConstraints.h"

struct btContactSolverInfo;

namespace btPliantInternal {

/// Sum of |d c| over the rows, J: d the change of an impulse, c the velocity that the row was to add.
double workOfJoints(const JointConstraints& all);

/// Reads impulses; writes them to the joints and their feedback, angular momenta to the bodies, and disables joints
/// that break.
void writeBackJoints(const JointConstraints& all, const ReducedBodies& reducedBodies, const btContactSolverInfo& info);

/// Of a joint of ours that holds two of Bullet's bodies, before Bullet sets up its rows: has their forces written down.
void watchPlainJoint(btTypedConstraint& constraint);
/// After Bullet has written them: they become the joint's impulses. @param h length of the step, s
void writeBackPlainJoint(btTypedConstraint& constraint, btScalar h);

/// Drops the impulses of joints with a side of which diverged(reduced, body) is true: the next substep starts without.
template <class Diverged>
void forgetImpulses(const JointConstraints& all, const Diverged& diverged) {
    for (const JointConstraint& joint : all.joints)
        for (int side = 0; side < 2; ++side)
            if (diverged(joint.reduced[side], joint.body[side])) dataOf(*joint.joint).solvedRows.resize(0);
}

}  // namespace btPliantInternal
