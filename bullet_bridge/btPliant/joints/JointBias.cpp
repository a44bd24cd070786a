// SPDX-License-Identifier: Zlib
// Warm start and biases of joint rows.
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

// As for contacts (FreeStep.cpp): the deformation steps under the impulses that the solver starts with.
void JointConstraints::addForces(btTypedConstraint& constraint, const btContactSolverInfo& info, double h) {
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    joint->m_warmStartFactor = 0;
    if (!constraint.isEnabled()) {
        joint->m_solvedRows.resize(0);
        return;
    }
    if (!(info.m_solverMode & SOLVER_USE_WARMSTARTING) || joint->m_solvedRows.size() == 0) return;
    if (joint->m_lastSize <= 0) return;
    // The single large impulse of an impact is not repeated, see warmStartShare.
    joint->m_warmStartFactor =
        info.m_warmstartingFactor * btMin(btScalar(1), 2 * joint->m_sizeBefore / joint->m_lastSize);
    const double share = static_cast<double>(joint->m_warmStartFactor) / h;
    btVector3 pivot(0, 0, 0);
    for (int side = 0; side < 2; ++side) {
        btPliantBody* body = joint->m_sides[side]->reduced;
        if (!body || !body->data().awaitsContactForces) continue;
        pivot = applicationPoint(*joint);
        const Matrix3 A = toEigen(body->getWorldTransform().getBasis());
        const double signedShare = side == 0 ? share : -share;
        const Vector3 force = signedShare * (A.transpose() * toEigen(joint->m_linearImpulse));
        const Vector3 couple = signedShare * (A.transpose() * toEigen(joint->m_angularImpulse));
        const btPliantJoint::Side& held = *joint->m_sides[side];
        const Vector3 offset =
            A.transpose() * toEigen(btVector3(pivot - body->getCenterOfMassPosition())) - held.material->position();
        held.material->addGeneralised(force, couple + offset.cross(force), body->data().modalContactForce.data());
    }
}

void JointConstraints::scaleImpulses(btTypedConstraint& constraint, btScalar ratio) {
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    joint->m_linearImpulse *= ratio;
    joint->m_angularImpulse *= ratio;
    joint->m_lastSize *= ratio;
    joint->m_sizeBefore *= ratio;
    for (int i = 0; i < joint->m_solvedRows.size(); ++i) joint->m_solvedRows[i].impulse *= ratio;
}

namespace {

/// Turns a frame by the angular part of an impulse; the deformation has moved already.
btVector3 turnOf(const btSolverBody& body, const ReducedBody* reduced, const btVector3& angular) {
    const btRigidBody* rigid = body.m_originalBody;
    if (!rigid) return btVector3(0, 0, 0);
    if (!reduced) return rigid->getInvInertiaTensorWorld() * angular * rigid->getAngularFactor();
    const btPliantBody::Data& data = reduced->body->data();
    if (!data.frameIsFree) return btVector3(0, 0, 0);
    const Matrix3 A = toEigen(rigid->getWorldTransform().getBasis());
    return toBullet(A * (data.inverseInertia * (A.transpose() * toEigen(angular)))) * rigid->getAngularFactor();
}

}  // namespace

void JointConstraints::warmStart(int number, Group& group, Bodies& bodies) {
    const JointConstraint& joint = joints[static_cast<std::size_t>(number)];
    const btPliantJoint& last = *joint.joint;
    if (last.m_warmStartFactor <= 0) return;
    btVector3 linear(0, 0, 0), angular(0, 0, 0);  // of last substep's hard rows
    int others = 0;
    for (int i = 0; i < last.m_solvedRows.size(); ++i) {
        const btPliantJoint::SolvedRow& row = last.m_solvedRows[i];
        if (row.isHard) (row.isLinear ? linear : angular) += row.direction * row.impulse;
    }
    const auto nextOther = [&last, &others]() -> const btPliantJoint::SolvedRow* {
        while (others < last.m_solvedRows.size() && last.m_solvedRows[others].isHard) ++others;
        return others < last.m_solvedRows.size() ? &last.m_solvedRows[others++] : nullptr;
    };
    btVector3 sums[2] = {btVector3(0, 0, 0), btVector3(0, 0, 0)}, turned[2] = {sums[0], sums[0]}, force = sums[0];
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = rows[joint.first + k];
        ConstraintRow& row = entry.row;
        const btVector3& direction = entry.isLinear() ? row.axis : row.angularA;
        if (entry.isHard) {
            row.impulse = last.m_warmStartFactor * direction.dot(entry.isLinear() ? linear : angular);
        } else if (const btPliantJoint::SolvedRow* old = nextOther()) {
            const bool same = old->isLinear == entry.isLinear() && old->direction.dot(direction) > btScalar(0.7);
            const btScalar impulse = same ? last.m_warmStartFactor * old->impulse : btScalar(0);
            row.impulse = btMax(entry.lower, btMin(entry.upper, impulse));
        }
        force += row.axis * row.impulse;
        sums[0] += row.angularA * row.impulse;
        sums[1] += row.angularB * row.impulse;
        turned[0] += row.responseA * row.impulse;
        turned[1] += row.responseB * row.impulse;
    }
    for (int side = 0; side < 2; ++side) {
        btSolverBody& body = bodies[joint.body[side]];
        const ReducedBody* reduced =
            joint.reduced[side] >= 0 ? &group.reducedBodies[static_cast<std::size_t>(joint.reduced[side])] : nullptr;
        const btVector3 turn = turnOf(body, reduced, sums[side]);
        const btVector3 move = force * body.internalGetInvMass();
        body.internalGetDeltaLinearVelocity() += side == 0 ? move : -move;
        body.internalGetDeltaAngularVelocity() += turn;
        if (!reduced) continue;
        reduced->body->data().solvedAngularVelocity += toEigen(btVector3(turn - turned[side]));
        reduced->body->data().coupledAngularVelocity -= toEigen(turned[side]);
    }
}

void JointConstraints::computeBias(int number, const Group& group, Bodies& bodies, const btContactSolverInfo& info) {
    const JointConstraint& joint = joints[static_cast<std::size_t>(number)];
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = rows[joint.first + k];
        entry.targetVelocity += entry.undampedShare * (entry.freeFrameVelocity + entry.freeModalVelocity);
        if (entry.isSpring) computeSpringBias(entry, info.m_timeStep);
        if (!entry.isSpring && !entry.isHard) computePassiveBias(joint, &k, 1, &entry.row.effectiveMass, group, bodies);
    }
    computePassiveBias(joint, joint.hardRows, joint.hardRowCount, joint.pseudoInverse, group, bodies);
}

// Of a spring of stiffness k and damping d, extended by e against the row, with the velocity u of the row:
//     P = h k (e - theta h u_frames - h (u_modes - u_0,modes) / 4) - h d u,
// which is the mean of the spring's force over the step for the modes (e holds (h / 2) u_0,modes, see Side::follow): no
// energy is lost or gained. Frames move by their last velocity. There theta = 0 keeps the energy of a spring with
// z = h^2 k W < 4; theta = (1 - 1 / z) / 2 from z = 1 on is stable for any.
void JointConstraints::computeSpringBias(JointConstraintRow& entry, btScalar h) {
    const btPliantJointSpring& spring = entry.spring;
    const btScalar k = btMax(btScalar(0), spring.m_stiffness), d = btMax(btScalar(0), spring.m_damping);
    const btScalar z = h * h * k * entry.frameInverseMass;
    const btScalar theta = z > 1 ? (1 - 1 / z) / 2 : btScalar(0);
    entry.springFrameGain = theta * h * h * k + h * d;
    entry.springModalGain = h * h * k / 4 + h * d;
    entry.springImpulse = h * k * spring.m_extension + h * h * k / 4 * entry.startModalVelocity;
}

// The targets of rows that are solved together, moved no further than it takes not to gain energy (JointConstraints.h).
void JointConstraints::computePassiveBias(const JointConstraint& joint, const int* which, int count,
                                          const btScalar* inverse, const Group& group, Bodies& bodies) {
    if (joint.reduced[0] < 0 && joint.reduced[1] < 0) return;
    // All less the target: u* without these rows' own impulses, u_0, and the point of the segment nearest to 0.
    btScalar unheld[JointConstraint::kMostHardRows], start[JointConstraint::kMostHardRows],
        nearest[JointConstraint::kMostHardRows];
    btScalar along = 0, length = 0;
    for (int i = 0; i < count; ++i) {
        const JointConstraintRow& entry = rows[joint.first + which[i]];
        btScalar own = 0;
        for (int j = 0; j < count; ++j)
            own += static_cast<btScalar>(coupling(joint, which[i], which[j], group, bodies)) *
                   rows[joint.first + which[j]].row.impulse;
        unheld[i] = entry.freeFrameVelocity + entry.freeModalVelocity +
                    velocityChange(joint, which[i], group, bodies).sum() - own - entry.targetVelocity;
        start[i] = entry.freeFrameVelocity + entry.startModalVelocity - entry.targetVelocity;
        along += unheld[i] * (start[i] + unheld[i]) * entry.row.effectiveMass;
        length += (start[i] + unheld[i]) * (start[i] + unheld[i]) * entry.row.effectiveMass;
    }
    if (!(length > 0)) return;
    const btScalar s = btMax(btScalar(0), btMin(btScalar(1), along / length));
    for (int i = 0; i < count; ++i) nearest[i] = (1 - s) * unheld[i] - s * start[i];
    const auto product = [inverse, count](const btScalar* x, const btScalar* y) {
        btScalar sum = 0;
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) sum += x[i] * inverse[i * count + j] * y[j];
        return sum;
    };
    // Twice the gain at tau * nearest: a tau^2 + b tau + c, not above 0 at tau = 1.
    const btScalar a = product(nearest, nearest), b = product(nearest, start) - product(unheld, nearest),
                   c = -product(unheld, start);
    if (c <= 0) return;
    const btScalar root = btSqrt(btMax(btScalar(0), b * b - 4 * a * c));
    const btScalar tau = b < 0 ? btMin(btScalar(1), 2 * c / (root - b)) : btScalar(1);
    for (int i = 0; i < count; ++i) rows[joint.first + which[i]].targetVelocity += tau * nearest[i];
}

}  // namespace btPliantInternal
