// SPDX-License-Identifier: Zlib
#include "btPliant/joints/JointForces.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <Eigen/LU>

#include "btPliant/data/Convert.h"
#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

bool hasStepped(const btPliantJoint& joint) {
    for (const JointSide& side : joint.data().sides)
        if (side.reduced && side.reduced->data().hasStepped) return true;
    return false;
}

// As for contacts (FreeStep.cpp): the deformation steps under the impulses that the solver starts with.
void addJointForces(btTypedConstraint& constraint, const btContactSolverInfo& info, double h) {
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    btPliantJoint::Data& last = joint->data();
    last.warmStartFactor = 0;
    if (!constraint.isEnabled()) {
        last.solvedRows.resize(0);
        return;
    }
    if (!(info.m_solverMode & SOLVER_USE_WARMSTARTING) || last.solvedRows.size() == 0) return;
    if (last.lastSize <= 0) return;
    // The single large impulse of an impact is not repeated, see warmStartShare.
    last.warmStartFactor = info.m_warmstartingFactor * btMin(btScalar(1), 2 * last.sizeBefore / last.lastSize);
    const double share = static_cast<double>(last.warmStartFactor) / h;
    btVector3 pivot(0, 0, 0);
    for (int side = 0; side < 2; ++side) {
        btPliantBody* body = last.sides[side].reduced;
        if (!body || !body->data().awaitsContactForces) continue;
        pivot = applicationPoint(*joint);
        const Matrix3 A = toEigen(body->getWorldTransform().getBasis());
        const double signedShare = side == 0 ? share : -share;
        const JointSide& held = last.sides[side];
        Matrix3 turn = A, rotation = A;
        Vector3 offset =
            A.transpose() * toEigen(btVector3(pivot - body->getCenterOfMassPosition())) - held.material->position();
        if (held.isCarried) {
            const JointSide::Place place = held.place();
            turn = place.turn;
            rotation = place.rotation;
            offset = place.rotation.transpose() * (toEigen(pivot) - place.pivot);
        }
        const Vector3 force = signedShare * (turn.transpose() * toEigen(last.linearImpulse));
        const Vector3 turned = signedShare * (rotation.transpose() * toEigen(last.linearImpulse));
        const Vector3 couple = signedShare * (rotation.transpose() * toEigen(last.angularImpulse));
        held.material->addGeneralised(force, couple + offset.cross(turned), body->data().modalContactForce.data());
    }
}

void scaleJointImpulses(btTypedConstraint& constraint, btScalar ratio) {
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    btPliantJoint::Data& last = joint->data();
    last.linearImpulse *= ratio;
    last.angularImpulse *= ratio;
    last.lastSize *= ratio;
    last.sizeBefore *= ratio;
    for (int i = 0; i < last.solvedRows.size(); ++i) last.solvedRows[i].impulse *= ratio;
}

}  // namespace btPliantInternal
