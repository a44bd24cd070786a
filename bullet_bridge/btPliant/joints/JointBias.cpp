// SPDX-License-Identifier: Zlib
#include "btPliant/joints/JointBias.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include "btPliant/joints/HeldRows.h"
#include "btPliant/solver/FrameResponse.h"

namespace btPliantInternal {

namespace {

/// Each row gets what its directions on the material share of last substep's: hard ones of their sum, others one by
/// one.
void startFromLastRows(const JointConstraint& joint, const JointData& last, JointConstraints& all) {
    btVector3 linear(0, 0, 0), angular(0, 0, 0);  // of last substep's hard rows
    int others = 0;
    for (int i = 0; i < last.solvedRows.size(); ++i) {
        const SolvedJointRow& row = last.solvedRows[i];
        if (row.isHard) (row.isLinear ? linear : angular) += row.direction * row.impulse;
    }
    const auto nextOther = [&last, &others]() -> const SolvedJointRow* {
        while (others < last.solvedRows.size() && last.solvedRows[others].isHard) ++others;
        return others < last.solvedRows.size() ? &last.solvedRows[others++] : nullptr;
    };
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = all.rows[joint.first + k];
        if (entry.isGeometric) continue;
        ConstraintRow& row = entry.row;
        const btVector3& direction = entry.isLinear() ? row.axis : row.angularA;
        if (entry.isHard) {
            row.impulse = last.warmStartFactor * direction.dot(entry.isLinear() ? linear : angular);
        } else if (const SolvedJointRow* old = nextOther()) {
            const bool same = old->isLinear == entry.isLinear() && old->direction.dot(direction) > btScalar(0.7);
            const btScalar impulse = same ? last.warmStartFactor * old->impulse : btScalar(0);
            row.impulse = btMax(entry.lower, btMin(entry.upper, impulse));
        }
    }
}

}  // namespace

void warmStartJoint(const JointConstraint& joint, const ReducedBodies& reducedBodies, SolverBodies& bodies,
                    JointConstraints& all) {
    const JointData& last = dataOf(*joint.joint);
    if (last.warmStartFactor <= 0) return;
    last.points.empty() ? startFromLastRows(joint, last, all) : startFromLastPoints(joint, all);
    btVector3 sums[2] = {btVector3(0, 0, 0), btVector3(0, 0, 0)}, turned[2] = {sums[0], sums[0]}, force = sums[0];
    for (int k = 0; k < joint.count; ++k) {
        const ConstraintRow& row = all.rows[joint.first + k].row;
        all.rows[joint.first + k].startImpulse = row.impulse;
        force += row.axis * row.impulse;
        sums[0] += row.angularA * row.impulse;
        sums[1] += row.angularB * row.impulse;
        turned[0] += row.responseA * row.impulse;
        turned[1] += row.responseB * row.impulse;
    }
    for (int side = 0; side < 2; ++side) {
        btSolverBody& body = bodies[joint.body[side]];
        const ReducedBody* reduced = reducedBody(reducedBodies, joint.reduced[side]);
        const btVector3 turn = frameTurn(body, reduced, sums[side]);
        const btVector3 move = force * body.internalGetInvMass();
        body.internalGetDeltaLinearVelocity() += side == 0 ? move : -move;
        body.internalGetDeltaAngularVelocity() += turn;
        if (!reduced) continue;
        dataOf(*reduced->body).solvedAngularVelocity += toEigen(btVector3(turn - turned[side]));
        dataOf(*reduced->body).coupledAngularVelocity -= toEigen(turned[side]);
    }
}

namespace {

// Of a spring of stiffness k and damping d, extended by e against the row, with the velocity u of the row:
//     P = h k (e - theta h u_frames - h (u_modes - u_0,modes) / 4) - h d u,
// which is the mean of the spring's force over the step for the modes (e holds (h / 2) u_0,modes, see
// JointSide::follow): no energy is lost or gained. Frames move by their last velocity. There theta = 0 keeps the energy
// of a spring with z = h^2 k W < 4; theta = (1 - 1 / z) / 2 from z = 1 on is stable for any.
void computeSpringBias(JointConstraintRow& entry, btScalar h) {
    const btPliantJointSpring& spring = entry.spring;
    const btScalar k = btMax(btScalar(0), spring.m_stiffness), d = btMax(btScalar(0), spring.m_damping);
    const btScalar z = h * h * k * entry.frameInverseMass;
    const btScalar theta = z > 1 ? (1 - 1 / z) / 2 : btScalar(0);
    entry.springFrameGain = theta * h * h * k + h * d;
    entry.springModalGain = h * h * k / 4 + h * d;
    entry.springImpulse = h * k * spring.m_extension + h * h * k / 4 * entry.startModalVelocity;
}

/// Velocity along row k by what points had been held by in the last substep beside the rows of this one. It stands for
/// impulses that these rows take over, and is no load that they meet.
btScalar retiringVelocity(const JointConstraint& joint, int k, const ReducedBodies& reducedBodies,
                          const SolverBodies& bodies, const JointConstraints& all) {
    btScalar sum = 0;
    for (int l = joint.hardRowCount; l < joint.count; ++l)
        sum += static_cast<btScalar>(coupling(all, joint, k, l, reducedBodies, bodies)) *
               all.rows[joint.first + l].row.impulse;
    return sum;
}

// The targets of rows that are solved together, moved no further than it takes not to gain energy
// (JointConstraints.h).
void computePassiveBias(const JointConstraint& joint, const int* which, int count, const btScalar* inverse,
                        const ContactConstraints& contacts, const SolverBodies& bodies, JointConstraints& all) {
    if (joint.reduced[0] < 0 && joint.reduced[1] < 0) return;
    // All less the target: u* without these rows' own impulses, u_0, and the point of the segment nearest to 0.
    all.blockScratch.resize(static_cast<std::size_t>(3 * count));
    btScalar *unheld = all.blockScratch.data(), *start = unheld + count, *nearest = start + count;
    btScalar along = 0, length = 0;
    for (int i = 0; i < count; ++i) {
        const JointConstraintRow& entry = all.rows[joint.first + which[i]];
        btScalar own = 0;
        for (int j = 0; j < count; ++j)
            own += static_cast<btScalar>(coupling(all, joint, which[i], which[j], contacts.reducedBodies, bodies)) *
                   all.rows[joint.first + which[j]].row.impulse;
        if (entry.point >= 0) own += retiringVelocity(joint, which[i], contacts.reducedBodies, bodies, all);
        unheld[i] = entry.freeFrameVelocity + entry.freeModalVelocity +
                    velocityChange(all, joint, which[i], contacts, bodies).sum() - own - entry.targetVelocity;
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
    for (int i = 0; i < count; ++i) all.rows[joint.first + which[i]].targetVelocity += tau * nearest[i];
}

}  // namespace

void computeJointBias(const JointConstraint& joint, const ContactConstraints& contacts, const SolverBodies& bodies,
                      const btContactSolverInfo& info, JointConstraints& all) {
    if (joint.coupling >= 0) return;  // its law is all that it needs
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = all.rows[joint.first + k];
        entry.targetVelocity += entry.undampedShare * (entry.freeFrameVelocity + entry.freeModalVelocity);
        if (entry.isSpring && !entry.isGeometric) computeSpringBias(entry, info.m_timeStep);
        if (!entry.isSpring && !entry.isHard && entry.point < 0)
            computePassiveBias(joint, &k, 1, &entry.row.effectiveMass, contacts, bodies, all);
    }
    computePassiveBias(joint, hardRows(all, joint), joint.hardRowCount, pseudoInverse(all, joint), contacts, bodies,
                       all);
}

}  // namespace btPliantInternal
