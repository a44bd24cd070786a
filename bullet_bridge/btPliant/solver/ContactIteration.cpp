// SPDX-License-Identifier: Zlib
// Sweeps over contact rows; rolling friction; pseudo-velocities; results.
#include <algorithm>
#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/solver/ContactIterationKernel.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/step/SystemData.h"
#include "pliant/math/Prefetch.h"

using btPliantInternal::ContactRow;
using btPliantInternal::ContactRun;
using btPliantInternal::ContactSide;
using btPliantInternal::modalAdd;
using btPliantInternal::Row;
using btPliantInternal::SoftBody;
using btPliantInternal::SweepChange;
using btPliantInternal::toEigen;
using btPliantInternal::TorsionRow;
using pliant::Matrix3;
using pliant::Vector3;
using SolverBodies = btAlignedObjectArray<btSolverBody>;

template <class Begin, class Run>
void btPliantConstraintSolver::Rows::forRuns(const pliant::Workers& workers, const Begin& begin, const Run& run) {
    for (std::size_t k = 0; k + 1 < stages.size(); ++k) {
        const int start = stages[k];
        workers.forBlocks(stages[k + 1] - start, 1, [&](int piece, int) {
            if (k == 0) begin(piece);  // a slab's own
            const auto at = static_cast<std::size_t>(start + piece);
            for (int i = pieces[at]; i < pieces[at + 1]; ++i) run(runs[static_cast<std::size_t>(i)], i);
        });
    }
}

void btPliantConstraintSolver::Rows::warmStart(SolverBodies& bodies, const btContactSolverInfo& info,
                                               const pliant::Workers& workers) {
    const auto nothing = [](int) {};
    forRuns(workers, nothing, [&](const ContactRun& run, int) {
        for (int c = run.first; c < run.first + run.count; ++c) {
            fetchPoint(c + 6);
            if (contacts[c].hasResponse) prepareMasses(c, bodies);
            prepareTorsions(c, bodies);
            warmStart(c, bodies, info);
        }
    });
}

void btPliantConstraintSolver::Rows::takeSlab(int slab, btPliantInternal::SweepAcceleration& directions,
                                              SolverBodies& bodies) {
    const auto at = static_cast<std::size_t>(slab);
    for (int i = slabStarts[at]; i < slabStarts[at + 1]; ++i) {
        const auto& body = swept[static_cast<std::size_t>(slabOrder[static_cast<std::size_t>(i)])];
        if (body.frame >= 0) directions.takeFrame(body.frame, bodies[body.frame]);
        if (body.soft < 0) continue;
        const SoftBody& s = soft[static_cast<std::size_t>(body.soft)];
        directions.takeModes(s.offset, s.stride, velocity.data());
    }
}

SweepChange btPliantConstraintSolver::Rows::sweep(btPliantInternal::SweepAcceleration& directions, SolverBodies& bodies,
                                                  const pliant::Workers& workers) {
    changes.resize(runs.size());
    const btPliantInternal::SweepRun sweepRun = btPliantInternal::sweepRunKernel();
    const btScalar share = directions.share();
    forRuns(
        workers, [&](int slab) { takeSlab(slab, directions, bodies); },
        [&](const ContactRun& run, int i) {
            SweepChange change;
            sweepRun(*this, run, share, bodies, change);
            changes[static_cast<std::size_t>(i)] = change;
        });
    SweepChange all;
    for (const SweepChange& change : changes) all.add(change);
    return all;
}

SweepChange btPliantConstraintSolver::Rows::sweepTorsions(const ContactRow& contact, btScalar share,
                                                          SolverBodies& bodies) {
    SweepChange change;
    const int end = contact.firstTorsion + contact.torsionCount;
    for (int t = contact.firstTorsion; t < end; ++t) {
        const bool rolls = torsions[t].axis != 0;  // then the next one is of the other tangent
        const btScalar start = torsions[t].goOn(share), next = rolls ? torsions[t + 1].goOn(share) : btScalar(0);
        if (rolls)
            sweepRolling(contact, &torsions[t], bodies);
        else
            sweepSpinning(contact, torsions[t], bodies);
        change.add(torsions[t], start);
        if (rolls) change.add(torsions[++t], next);
    }
    return change;
}

void btPliantConstraintSolver::Rows::sweepSpinning(const ContactRow& contact, TorsionRow& torsion,
                                                   SolverBodies& bodies) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar limit = torsion.coefficient * contact.rows[0].impulse;
    if (limit <= 0 && torsion.impulse == 0) return;
    const btVector3& axis = contact.rows[0].axis;
    const btScalar added = axis.dot(A.internalGetDeltaAngularVelocity() - B.internalGetDeltaAngularVelocity());
    const btScalar wanted = torsion.impulse + (torsion.change - added) * torsion.inverse;
    const btScalar next = btMax(-limit, btMin(limit, wanted));
    const btScalar change = next - torsion.impulse;
    torsion.impulse = next;
    applyTorsion(contact, axis * change, bodies);
}

// As if there were no limit, one row after the other: rods turn about their length far more easily than about anything
// else, so what the first row does to the second is not small. Beyond the limit a step along the residual itself and
// back to the disc, both rows by one measure: it comes to rest where the torque opposes what is left of the turning,
// which steps by each row's own mass would not.
void btPliantConstraintSolver::Rows::sweepRolling(const ContactRow& contact, TorsionRow* torsion,
                                                  SolverBodies& bodies) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar limit = btMax(btScalar(0), torsion[0].coefficient * contact.rows[0].impulse);
    const btScalar last[2] = {torsion[0].impulse, torsion[1].impulse};
    if (limit == 0 && last[0] == 0 && last[1] == 0) return;
    const btVector3 &first = contact.rows[torsion[0].axis].axis, &second = contact.rows[torsion[1].axis].axis;
    const btVector3 added = A.internalGetDeltaAngularVelocity() - B.internalGetDeltaAngularVelocity();
    const btScalar missing[2] = {torsion[0].change - first.dot(added), torsion[1].change - second.dot(added)};
    const btScalar mass[2] = {torsion[0].inverse, torsion[1].inverse};
    const btVector3 answer = turn(contact.softA, A, first) + turn(contact.softB, B, first);
    btScalar next[2];
    next[0] = last[0] + missing[0] * mass[0];
    next[1] = last[1] + (missing[1] - second.dot(answer) * (next[0] - last[0])) * mass[1];
    if (next[0] * next[0] + next[1] * next[1] > limit * limit) {
        const btScalar step = mass[0] + mass[1] > 0 ? mass[0] * mass[1] / (mass[0] + mass[1]) : btScalar(0);
        for (int k = 0; k < 2; ++k) next[k] = last[k] + step * missing[k];
        const btScalar length = btSqrt(next[0] * next[0] + next[1] * next[1]);
        if (length > limit)
            for (btScalar& impulse : next) impulse *= limit / length;
    }
    for (int k = 0; k < 2; ++k) torsion[k].impulse = next[k];
    applyTorsion(contact, first * (next[0] - last[0]) + second * (next[1] - last[1]), bodies);
}

void btPliantConstraintSolver::Rows::applyTorsion(const ContactRow& contact, const btVector3& torque,
                                                  SolverBodies& bodies) {
    if (torque.x() == 0 && torque.y() == 0 && torque.z() == 0) return;
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    if (contact.movesA) A.internalGetDeltaAngularVelocity() += turn(contact.softA, A, torque);
    if (contact.movesB) B.internalGetDeltaAngularVelocity() -= turn(contact.softB, B, torque);
    bendTorsion(contact.softA, torque);
    bendTorsion(contact.softB, -torque);
}

void btPliantConstraintSolver::Rows::bendTorsion(int softIndex, const btVector3& torque) {
    if (softIndex < 0) return;
    const SoftBody& s = soft[static_cast<std::size_t>(softIndex)];
    if (s.turnModal < 0) return;
    for (int k = 0; k < 3; ++k)
        modalAdd(velocity.data() + s.offset, torque[k], modal.data() + s.turnModal + k * s.stride, s.stride);
}

void btPliantConstraintSolver::Rows::listPushes() {
    pushing.clear();
    pushPieces.clear();
    for (std::size_t p = 0; p + 1 < pieces.size(); ++p) {
        pushPieces.push_back(static_cast<int>(pushing.size()));
        for (int i = pieces[p]; i < pieces[p + 1]; ++i) {
            const ContactRun& run = runs[static_cast<std::size_t>(i)];
            for (int c = run.first; c < run.first + run.count; ++c)
                if (contacts[c].pushTarget > 0) pushing.push_back(c);
        }
    }
    pushPieces.push_back(static_cast<int>(pushing.size()));
}

void btPliantConstraintSolver::Rows::sweepPush(SolverBodies& bodies, const pliant::Workers& workers) {
    const auto from = [this](int piece) { return pushPieces[static_cast<std::size_t>(piece)]; };
    for (std::size_t k = 0; k + 1 < stages.size(); ++k) {
        const int start = stages[k], end = stages[k + 1];
        if (from(start) == from(end)) continue;
        workers.forBlocks(end - start, 1, [&](int first, int last) {
            for (int i = from(start + first); i < from(start + last); ++i)
                pushContact(contacts[pushing[static_cast<std::size_t>(i)]], bodies);
        });
    }
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

void btPliantConstraintSolver::Rows::addMomentum(int softIndex) const {
    const SoftBody& s = soft[static_cast<std::size_t>(softIndex)];
    btPliantBody::Data& data = s.body->data();
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ContactSide side = sides[static_cast<std::size_t>(i)];
        if (i + 3 < s.firstSide + s.sideCount)
            pliant::prefetch(&contacts[sides[static_cast<std::size_t>(i) + 3].contact], sizeof contacts[0].rows);
        const ContactRow& contact = contacts[side.contact];
        Vector3 turned = Vector3::Zero();
        for (const Row& row : contact.rows) {
            const auto impulse = static_cast<double>(row.impulse);
            data.momentum += impulse * toEigen(side.first ? row.angularA : row.angularB);
            turned += impulse * toEigen(side.first ? row.responseA : row.responseB);
        }
        for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
            const btScalar impulse = side.first ? torsions[t].impulse : -torsions[t].impulse;
            const btVector3 torque = contact.rows[torsions[t].axis].axis * impulse;
            data.momentum += toEigen(torque);
            turned += toEigen(btVector3(s.turn * torque));
        }
        data.solvedTurn += turned;
        data.coupledTurn += turned;
    }
}

bool btPliantConstraintSolver::Rows::hasActed(const SoftBody& s) const {
    const auto first = sides.begin() + s.firstSide;
    return std::any_of(first, first + s.sideCount,
                       [this](const ContactSide& side) { return contacts[side.contact].acted; });
}

void btPliantConstraintSolver::Rows::finish(const pliant::Workers& workers) {
    workers.forBlocks(contacts.size(), 64, [this](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            fetchPoint(c + 6);
            const ContactRow& contact = contacts[c];
            btManifoldPoint& point = *contact.point;
            point.m_contactMotion1 = point.m_appliedImpulse;  // see steadyShare
            point.m_appliedImpulse = contact.rows[0].impulse;
            point.m_appliedImpulseLateral1 = contact.rows[1].impulse;
            point.m_appliedImpulseLateral2 = contact.rows[2].impulse;
            point.m_lateralFrictionDir1 = contact.rows[1].axis;
            point.m_lateralFrictionDir2 = contact.rows[2].axis;
        }
    });
    workers.forBlocks(static_cast<int>(soft.size()), 4, [this](int begin, int end) {
        std::vector<double> change;
        for (int i = begin; i < end; ++i) {
            addMomentum(i);
            const SoftBody& s = soft[static_cast<std::size_t>(i)];
            if (s.putBack || !(s.touched || hasActed(s))) continue;
            btPliantBody::Data& data = s.body->data();
            const btScalar* found = velocity.data() + s.offset;
            change.assign(found, found + data.model().dimension());
            if (s.whitened) {
                data.batch().addWhitenedVelocity(data.slot, change.data());
                continue;
            }
            const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
            data.batch().addVelocity(data.slot, change.data(), A.transpose() * data.coupledTurn);
        }
    });
}
