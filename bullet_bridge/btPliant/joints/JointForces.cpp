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
    for (const JointSide& side : dataOf(joint).sides)
        if (side.reduced && dataOf(*side.reduced).hasStepped) return true;
    return false;
}

namespace {

/// Generalised force of an impulse that acts on one end of a joint.
void addForce(const JointSide& held, const btVector3& pivot, const btVector3& linear, const btVector3& angular,
              double share) {
    btPliantBody* body = held.reduced;
    if (!body || !dataOf(*body).awaitsContactForces) return;
    const Matrix3 A = toEigen(body->getWorldTransform().getBasis());
    Matrix3 turn = A, rotation = A;
    Vector3 offset =
        A.transpose() * toEigen(btVector3(pivot - body->getCenterOfMassPosition())) - held.material->position();
    if (held.isCarried) {
        const JointSide::Place place = held.place();
        turn = place.turn;
        rotation = place.rotation;
        offset = place.rotation.transpose() * (toEigen(pivot) - place.pivot);
    }
    const Vector3 force = share * (turn.transpose() * toEigen(linear));
    const Vector3 turned = share * (rotation.transpose() * toEigen(linear));
    const Vector3 couple = share * (rotation.transpose() * toEigen(angular));
    held.material->addGeneralised(force, couple + offset.cross(turned), dataOf(*body).modalContactForce.data());
}

bool awaitsForces(const JointSide& side) {
    return side.reduced && dataOf(*side.reduced).awaitsContactForces;
}

}  // namespace

// As for contacts (FreeStep.cpp): the deformation steps under the impulses that the solver starts with.
void addJointForces(btTypedConstraint& constraint, const btContactSolverInfo& info, double h, bool startsFromLast) {
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    JointData& last = dataOf(*joint);
    last.warmStartFactor = 0;
    if (!constraint.isEnabled()) {
        last.solvedRows.resize(0);
        for (const auto& point : last.points) point->impulse.setZero();
        return;
    }
    if (!startsFromLast || !(info.m_solverMode & SOLVER_USE_WARMSTARTING) || last.solvedRows.size() == 0) return;
    if (last.lastSize <= 0) return;
    for (const JointSide& side : last.sides)  // limbs begin each step without the impulses of the last
        if (side.reduced && dataOf(*side.reduced).ragdoll()) return;
    // The single large impulse of an impact is not repeated, see warmStartShare.
    last.warmStartFactor = info.m_warmstartingFactor * btMin(btScalar(1), 2 * last.sizeBefore / last.lastSize);
    if (!awaitsForces(last.sides[0]) && !awaitsForces(last.sides[1])) return;
    const double share = static_cast<double>(last.warmStartFactor) / h;
    if (last.points.empty()) {
        const btVector3 pivot = applicationPoint(*joint);
        addForce(last.sides[0], pivot, last.linearImpulse, last.angularImpulse, share);
        addForce(last.sides[1], pivot, last.linearImpulse, last.angularImpulse, -share);
        return;
    }
    for (const auto& point : last.points) {
        point->follow();
        const btVector3 pivot = applicationPoint(*point);
        addForce(point->sides[0], pivot, point->impulse, btVector3(0, 0, 0), share);
        addForce(point->sides[1], pivot, point->impulse, btVector3(0, 0, 0), -share);
    }
}

void scaleJointImpulses(btTypedConstraint& constraint, btScalar ratio) {
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    JointData& last = dataOf(*joint);
    last.linearImpulse *= ratio;
    last.angularImpulse *= ratio;
    last.lastSize *= ratio;
    last.sizeBefore *= ratio;
    for (int i = 0; i < last.solvedRows.size(); ++i) last.solvedRows[i].impulse *= ratio;
    for (const auto& point : last.points) point->impulse *= ratio;
}

}  // namespace btPliantInternal
