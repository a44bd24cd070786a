// SPDX-License-Identifier: Zlib
// Projected Gauss-Seidel over contact rows, friction in a disc of the cone; pseudo-velocities; results.
#include <algorithm>
#include <cmath>

#include "btPliant/ContactRows.h"
#include "btPliant/Convert.h"
#include "btPliant/RowKernels.h"
#include "btPliant/SystemData.h"

using btPliantInternal::ContactRow;
using btPliantInternal::ContactRun;
using btPliantInternal::modalAdd;
using btPliantInternal::modalDot;
using btPliantInternal::Row;
using btPliantInternal::SoftBody;
using btPliantInternal::SweepChange;
using btPliantInternal::toEigen;
using btPliantInternal::TorsionRow;
using pliant::Matrix3;
using pliant::Vector3;
using SolverBodies = btAlignedObjectArray<btSolverBody>;

namespace {

/// Velocity of the frames that the impulses so far have added along row k.
btScalar addedByFrames(const ContactRow& contact, int k, SolverBodies& bodies) {
    const Row& row = contact.rows[k];
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    return row.axis.dot(A.internalGetDeltaLinearVelocity() - B.internalGetDeltaLinearVelocity()) +
           row.angularA.dot(A.internalGetDeltaAngularVelocity()) +
           row.angularB.dot(B.internalGetDeltaAngularVelocity());
}

/// The same of the deformation.
btScalar addedByModes(const btPliantConstraintSolver::Rows& all, const ContactRow& contact, int k) {
    btScalar v = 0;
    if (contact.softA >= 0) {
        const SoftBody& s = all.soft[static_cast<std::size_t>(contact.softA)];
        v += modalDot(all.modal.data() + contact.modalA + k * s.stride, all.velocity.data() + s.offset, s.stride);
    }
    if (contact.softB >= 0) {
        const SoftBody& s = all.soft[static_cast<std::size_t>(contact.softB)];
        v += modalDot(all.modal.data() + contact.modalB + k * s.stride, all.velocity.data() + s.offset, s.stride);
    }
    return v;
}

}  // namespace

template <class Contact>
void btPliantConstraintSolver::Rows::forContacts(const pliant::Workers& workers, const Contact& contact) {
    constexpr int kRunsPerBlock = 16;
    for (std::size_t k = 0; k + 1 < colours.size(); ++k) {
        const int start = colours[k];
        workers.forBlocks(colours[k + 1] - start, kRunsPerBlock, [&](int begin, int end) {
            for (int run = start + begin; run < start + end; ++run) {
                const ContactRun& those = runs[static_cast<std::size_t>(run)];
                for (int c = those.first; c < those.first + those.count; ++c) contact(c, run);
            }
        });
    }
}

SweepChange btPliantConstraintSolver::Rows::sweep(btScalar share, SolverBodies& bodies,
                                                  const pliant::Workers& workers) {
    changes.assign(runs.size(), SweepChange());
    forContacts(workers,
                [&](int c, int run) { sweepContact(c, share, bodies, changes[static_cast<std::size_t>(run)]); });
    SweepChange all;
    for (const SweepChange& change : changes) {
        all.largest = btMax(all.largest, change.largest);
        all.square += change.square;
    }
    return all;
}

void btPliantConstraintSolver::Rows::sweepContact(int c, btScalar share, SolverBodies& bodies, SweepChange& change) {
    ContactRow& contact = contacts[c];
    btScalar before[3];
    for (int k = 0; k < 3; ++k) before[k] = contact.rows[k].goOn(share);
    sweepFriction(contact, bodies);  // first: the last word is that nothing penetrates
    sweepNormal(c, bodies);
    for (int k = 0; k < 3; ++k) change.add(contact.rows[k], before[k]);
    for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
        const btScalar start = torsions[t].row.goOn(share);
        sweepTorsion(contact, torsions[t], bodies);
        change.add(torsions[t].row, start);
    }
}

void btPliantConstraintSolver::Rows::sweepFriction(ContactRow& contact, SolverBodies& bodies) {
    Row* rows = contact.rows;
    const btScalar limit = contact.friction * btMax(btScalar(0), rows[0].impulse);
    if (limit == 0 && rows[1].impulse == 0 && rows[2].impulse == 0) return;
    btScalar next[3];
    for (int k = 1; k < 3; ++k) {
        const btScalar added = addedByFrames(contact, k, bodies) + addedByModes(*this, contact, k);
        next[k] = rows[k].impulse + (rows[k].change - added) * rows[k].inverse;
    }
    const btScalar length = btSqrt(next[1] * next[1] + next[2] * next[2]);
    const btScalar scale = length > limit ? limit / length : btScalar(1);
    for (int k = 1; k < 3; ++k) {
        const btScalar change = scale * next[k] - rows[k].impulse;
        rows[k].impulse += change;
        if (change != 0) apply(contact, k, change, bodies);
    }
}

void btPliantConstraintSolver::Rows::sweepNormal(int c, SolverBodies& bodies) {
    ContactRow& contact = contacts[c];
    Row& row = contact.rows[0];
    const btScalar frames = addedByFrames(contact, 0, bodies) + contact.softness * row.impulse;
    // Both bounds by the larger effective mass of the two: rows whose bound is the gap and rows whose bound is the
    // velocity answer to each other unsymmetrically, and full steps of both have been seen to run away in wedged
    // strands.
    const btScalar missing = contact.missing(frames, addedByModes(*this, contact, 0));
    if (missing <= 0 && row.impulse == 0) return;
    if (!contact.hasResponse) answerLate(c, bodies);
    const btScalar next = btMax(btScalar(0), row.impulse + missing * row.inverse);
    const btScalar change = next - row.impulse;
    row.impulse = next;
    if (change != 0) apply(contact, 0, change, bodies);
}

void btPliantConstraintSolver::Rows::sweepTorsion(const ContactRow& contact, TorsionRow& torsion,
                                                  SolverBodies& bodies) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    Row& row = torsion.row;
    const btScalar limit = torsion.coefficient * contact.rows[0].impulse;
    if (limit <= 0 && row.impulse == 0) return;
    const btScalar added =
        row.angularA.dot(A.internalGetDeltaAngularVelocity()) + row.angularB.dot(B.internalGetDeltaAngularVelocity());
    const btScalar next = btMax(-limit, btMin(limit, row.impulse + (row.change - added) * row.inverse));
    const btScalar change = next - row.impulse;
    row.impulse = next;
    if (change == 0) return;
    if (contact.movesA) A.internalGetDeltaAngularVelocity() += row.responseA * change;
    if (contact.movesB) B.internalGetDeltaAngularVelocity() += row.responseB * change;
    applyTorsion(contact.softA, row.angularA * change);
    applyTorsion(contact.softB, row.angularB * change);
}

void btPliantConstraintSolver::Rows::applyTorsion(int softIndex, const btVector3& torque) {
    if (softIndex < 0) return;
    SoftBody& s = soft[static_cast<std::size_t>(softIndex)];
    if (s.turnModal < 0) return;
    s.touched = true;
    for (int k = 0; k < 3; ++k)
        modalAdd(velocity.data() + s.offset, torque[k], modal.data() + s.turnModal + k * s.stride, s.stride);
}

void btPliantConstraintSolver::Rows::sweepPush(SolverBodies& bodies, const pliant::Workers& workers) {
    forContacts(workers, [&](int c, int) {
        if (contacts[c].pushTarget > 0) pushContact(contacts[c], bodies);
    });
}

void btPliantConstraintSolver::Rows::pushContact(ContactRow& contact, SolverBodies& bodies) {
    const Row& row = contact.rows[0];
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar v = row.axis.dot(A.internalGetPushVelocity() - B.internalGetPushVelocity()) +
                       row.angularA.dot(A.internalGetTurnVelocity()) + row.angularB.dot(B.internalGetTurnVelocity());
    const btScalar next = btMax(btScalar(0), contact.pushImpulse + (contact.pushTarget - v) * contact.pushInverse);
    const btScalar change = next - contact.pushImpulse;
    contact.pushImpulse = next;
    if (contact.movesA) {
        A.internalGetPushVelocity() += row.axis * A.internalGetInvMass() * change;
        A.internalGetTurnVelocity() += contact.pushResponseA * change;
    }
    if (contact.movesB) {
        B.internalGetPushVelocity() -= row.axis * B.internalGetInvMass() * change;
        B.internalGetTurnVelocity() += contact.pushResponseB * change;
    }
}

namespace {

/// Angular impulses of a row on the two bodies, where they are ours.
void addMomentum(std::vector<SoftBody>& soft, int softA, int softB, const Row& row) {
    if (row.impulse == 0) return;
    for (const bool first : {true, false}) {
        const int index = first ? softA : softB;
        if (index < 0) continue;
        btPliantBody::Data& data = soft[static_cast<std::size_t>(index)].body->data();
        data.momentum += static_cast<double>(row.impulse) * toEigen(first ? row.angularA : row.angularB);
        const Vector3 turn = static_cast<double>(row.impulse) * toEigen(first ? row.responseA : row.responseB);
        data.solvedTurn += turn;
        data.coupledTurn += turn;
    }
}

}  // namespace

void btPliantConstraintSolver::Rows::finish(const pliant::Workers& workers) {
    for (int c = 0; c < contacts.size(); ++c) {
        const ContactRow& contact = contacts[c];
        btManifoldPoint& point = *contact.point;
        point.m_contactMotion1 = point.m_appliedImpulse;  // see steadyShare
        point.m_appliedImpulse = contact.rows[0].impulse;
        point.m_appliedImpulseLateral1 = contact.rows[1].impulse;
        point.m_appliedImpulseLateral2 = contact.rows[2].impulse;
        point.m_lateralFrictionDir1 = contact.rows[1].axis;
        point.m_lateralFrictionDir2 = contact.rows[2].axis;
        for (const Row& row : contact.rows) addMomentum(soft, contact.softA, contact.softB, row);
        for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t)
            addMomentum(soft, contact.softA, contact.softB, torsions[t].row);
    }
    workers.forBlocks(static_cast<int>(soft.size()), 4, [this](int begin, int end) {
        std::vector<double> change;
        for (int i = begin; i < end; ++i) {
            const SoftBody& s = soft[static_cast<std::size_t>(i)];
            if (!s.touched) continue;
            btPliantBody::Data& data = s.body->data();
            const btScalar* found = velocity.data() + s.offset;
            change.assign(found, found + data.model().dimension());
            const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
            data.batch().addVelocity(data.slot, change.data(), A.transpose() * data.coupledTurn);
        }
    });
}
