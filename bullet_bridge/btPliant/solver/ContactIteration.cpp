// SPDX-License-Identifier: Zlib
// Iterations over contact constraints: spinning and rolling friction, split impulses, and the write back of the
// results.
#include <algorithm>
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/solver/ContactIterationKernel.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/math/Prefetch.h"

using btPliantInternal::ConstraintRow;
using btPliantInternal::ConstraintSide;
using btPliantInternal::ContactConstraint;
using btPliantInternal::IterationChange;
using btPliantInternal::modalAdd;
using btPliantInternal::PairRange;
using btPliantInternal::ReducedBody;
using btPliantInternal::SolverBodies;
using btPliantInternal::toEigen;
using btPliantInternal::TorsionalFrictionRow;
using pliant::Matrix3;
using pliant::Vector3;

template <class Begin, class Visit>
void btPliantConstraintSolver::ContactConstraints::forPairRanges(const pliant::Workers& workers, const Begin& begin,
                                                                 const Visit& visit) {
    for (std::size_t k = 0; k + 1 < colours.size(); ++k) {
        const int start = colours[k];
        workers.forBlocks(colours[k + 1] - start, 1, [&](int batch, int) {
            if (k == 0) begin(batch);  // those within a partition
            const auto at = static_cast<std::size_t>(start + batch);
            for (int i = batches[at]; i < batches[at + 1]; ++i) visit(pairRanges[static_cast<std::size_t>(i)], i);
        });
    }
}

void btPliantConstraintSolver::ContactConstraints::warmStart(SolverBodies& bodies, const btContactSolverInfo& info,
                                                             const pliant::Workers& workers) {
    const auto nothing = [](int) {};
    forPairRanges(workers, nothing, [&](const PairRange& range, int) {
        for (int c = range.first; c < range.first + range.count; ++c) {
            prefetchPoint(c + 6);
            if (contacts[c].hasResponse) prepareEffectiveMasses(c, bodies);
            prepareTorsions(c, bodies);
            warmStart(c, bodies, info);
        }
    });
}

void btPliantConstraintSolver::ContactConstraints::extrapolatePartition(
    int partition, btPliantInternal::ConjugateDirections& directions, SolverBodies& bodies) {
    const auto at = static_cast<std::size_t>(partition);
    for (int i = partitionStarts[at]; i < partitionStarts[at + 1]; ++i) {
        const auto& body = constrainedBodies[static_cast<std::size_t>(partitionOrder[static_cast<std::size_t>(i)])];
        if (body.solverBody >= 0) directions.extrapolateFrame(body.solverBody, bodies[body.solverBody]);
        if (body.reduced < 0) continue;
        const ReducedBody& s = reducedBodies[static_cast<std::size_t>(body.reduced)];
        directions.extrapolateModes(s.velocityOffset, s.stride, modalVelocities.data());
    }
}

IterationChange btPliantConstraintSolver::ContactConstraints::iterate(btPliantInternal::ConjugateDirections& directions,
                                                                      SolverBodies& bodies,
                                                                      const pliant::Workers& workers) {
    rangeChanges.resize(pairRanges.size());
    const btPliantInternal::ContactIterationKernel kernel = btPliantInternal::contactIterationKernel();
    const btScalar beta = directions.beta();
    forPairRanges(
        workers, [&](int partition) { extrapolatePartition(partition, directions, bodies); },
        [&](const PairRange& range, int i) {
            IterationChange change;
            kernel(*this, range, beta, bodies, change);
            rangeChanges[static_cast<std::size_t>(i)] = change;
        });
    IterationChange all;
    for (const IterationChange& change : rangeChanges) all.add(change);
    return all;
}

IterationChange btPliantConstraintSolver::ContactConstraints::iterateTorsionalFriction(const ContactConstraint& contact,
                                                                                       btScalar beta,
                                                                                       SolverBodies& bodies) {
    IterationChange change;
    const int end = contact.firstTorsion + contact.torsionCount;
    for (int t = contact.firstTorsion; t < end; ++t) {
        const bool rolls = torsions[t].axis != 0;  // then the next one is of the other tangent
        const btScalar start = torsions[t].extrapolate(beta),
                       next = rolls ? torsions[t + 1].extrapolate(beta) : btScalar(0);
        if (rolls)
            iterateRollingFriction(contact, &torsions[t], bodies);
        else
            iterateSpinningFriction(contact, torsions[t], bodies);
        change.add(torsions[t], start);
        if (rolls) change.add(torsions[++t], next);
    }
    return change;
}

void btPliantConstraintSolver::ContactConstraints::iterateSpinningFriction(const ContactConstraint& contact,
                                                                           TorsionalFrictionRow& torsion,
                                                                           SolverBodies& bodies) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar limit = torsion.coefficient * contact.rows[0].impulse;
    if (limit <= 0 && torsion.impulse == 0) return;
    const btVector3& axis = contact.rows[0].axis;
    const btScalar added = axis.dot(A.internalGetDeltaAngularVelocity() - B.internalGetDeltaAngularVelocity());
    const btScalar wanted = torsion.impulse + (torsion.rhs - added) * torsion.effectiveMass;
    const btScalar next = btMax(-limit, btMin(limit, wanted));
    const btScalar change = next - torsion.impulse;
    torsion.impulse = next;
    applyTorsionalImpulse(contact, axis * change, bodies);
}

// As if there were no limit, one row after the other: rods turn about their length far more easily than about anything
// else, so what the first row does to the second is not small. Beyond the limit a step along the residual itself and
// back to the disc, both rows by one measure: it comes to rest where the torque opposes what is left of the turning,
// which steps by each row's own mass would not.
void btPliantConstraintSolver::ContactConstraints::iterateRollingFriction(const ContactConstraint& contact,
                                                                          TorsionalFrictionRow* torsion,
                                                                          SolverBodies& bodies) {
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar limit = btMax(btScalar(0), torsion[0].coefficient * contact.rows[0].impulse);
    const btScalar last[2] = {torsion[0].impulse, torsion[1].impulse};
    if (limit == 0 && last[0] == 0 && last[1] == 0) return;
    const btVector3 &first = contact.rows[torsion[0].axis].axis, &second = contact.rows[torsion[1].axis].axis;
    const btVector3 added = A.internalGetDeltaAngularVelocity() - B.internalGetDeltaAngularVelocity();
    const btScalar velocityError[2] = {torsion[0].rhs - first.dot(added), torsion[1].rhs - second.dot(added)};
    const btScalar effectiveMass[2] = {torsion[0].effectiveMass, torsion[1].effectiveMass};
    const btVector3 response = torqueResponse(contact.reducedA, A, first) + torqueResponse(contact.reducedB, B, first);
    btScalar next[2];
    next[0] = last[0] + velocityError[0] * effectiveMass[0];
    next[1] = last[1] + (velocityError[1] - second.dot(response) * (next[0] - last[0])) * effectiveMass[1];
    if (next[0] * next[0] + next[1] * next[1] > limit * limit) {
        const btScalar step = effectiveMass[0] + effectiveMass[1] > 0
                                  ? effectiveMass[0] * effectiveMass[1] / (effectiveMass[0] + effectiveMass[1])
                                  : btScalar(0);
        for (int k = 0; k < 2; ++k) next[k] = last[k] + step * velocityError[k];
        const btScalar length = btSqrt(next[0] * next[0] + next[1] * next[1]);
        if (length > limit)
            for (btScalar& impulse : next) impulse *= limit / length;
    }
    for (int k = 0; k < 2; ++k) torsion[k].impulse = next[k];
    applyTorsionalImpulse(contact, first * (next[0] - last[0]) + second * (next[1] - last[1]), bodies);
}

void btPliantConstraintSolver::ContactConstraints::applyTorsionalImpulse(const ContactConstraint& contact,
                                                                         const btVector3& torque,
                                                                         SolverBodies& bodies) {
    if (torque.x() == 0 && torque.y() == 0 && torque.z() == 0) return;
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    if (contact.movesA) A.internalGetDeltaAngularVelocity() += torqueResponse(contact.reducedA, A, torque);
    if (contact.movesB) B.internalGetDeltaAngularVelocity() -= torqueResponse(contact.reducedB, B, torque);
    applyModalTorsionalImpulse(contact.reducedA, torque);
    applyModalTorsionalImpulse(contact.reducedB, -torque);
}

void btPliantConstraintSolver::ContactConstraints::applyModalTorsionalImpulse(int reducedIndex,
                                                                              const btVector3& torque) {
    if (reducedIndex < 0) return;
    const ReducedBody& s = reducedBodies[static_cast<std::size_t>(reducedIndex)];
    if (s.modalTorqueResponse < 0) return;
    for (int k = 0; k < 3; ++k)
        modalAdd(modalVelocities.data() + s.velocityOffset, torque[k],
                 modalVectors.data() + s.modalTorqueResponse + k * s.stride, s.stride);
}

void btPliantConstraintSolver::ContactConstraints::listSplitImpulseContacts() {
    splitImpulseContacts.clear();
    splitImpulseBatches.clear();
    for (std::size_t p = 0; p + 1 < batches.size(); ++p) {
        splitImpulseBatches.push_back(static_cast<int>(splitImpulseContacts.size()));
        for (int i = batches[p]; i < batches[p + 1]; ++i) {
            const PairRange& range = pairRanges[static_cast<std::size_t>(i)];
            for (int c = range.first; c < range.first + range.count; ++c)
                if (contacts[c].splitImpulseVelocity > 0) splitImpulseContacts.push_back(c);
        }
    }
    splitImpulseBatches.push_back(static_cast<int>(splitImpulseContacts.size()));
}

void btPliantConstraintSolver::ContactConstraints::iterateSplitImpulses(SolverBodies& bodies,
                                                                        const pliant::Workers& workers) {
    const auto from = [this](int batch) { return splitImpulseBatches[static_cast<std::size_t>(batch)]; };
    for (std::size_t k = 0; k + 1 < colours.size(); ++k) {
        const int start = colours[k], end = colours[k + 1];
        if (from(start) == from(end)) continue;
        workers.forBlocks(end - start, 1, [&](int first, int last) {
            for (int i = from(start + first); i < from(start + last); ++i)
                iterateSplitImpulse(contacts[splitImpulseContacts[static_cast<std::size_t>(i)]], bodies);
        });
    }
}

void btPliantConstraintSolver::ContactConstraints::iterateSplitImpulse(ContactConstraint& contact,
                                                                       SolverBodies& bodies) {
    const ConstraintRow& row = contact.rows[0];
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const btScalar v = row.axis.dot(A.internalGetPushVelocity() - B.internalGetPushVelocity()) +
                       row.angularA.dot(A.internalGetTurnVelocity()) + row.angularB.dot(B.internalGetTurnVelocity());
    const btScalar next = btMax(
        btScalar(0), contact.splitImpulse + (contact.splitImpulseVelocity - v) * contact.splitImpulseEffectiveMass);
    const btScalar change = next - contact.splitImpulse;
    contact.splitImpulse = next;
    if (contact.movesA) {
        A.internalGetPushVelocity() += row.axis * A.internalGetInvMass() * change;
        A.internalGetTurnVelocity() += contact.splitImpulseResponseA * change;
    }
    if (contact.movesB) {
        B.internalGetPushVelocity() -= row.axis * B.internalGetInvMass() * change;
        B.internalGetTurnVelocity() += contact.splitImpulseResponseB * change;
    }
}

void btPliantConstraintSolver::ContactConstraints::addMomentum(int reducedIndex) const {
    const ReducedBody& s = reducedBodies[static_cast<std::size_t>(reducedIndex)];
    btPliantBody::Data& data = s.body->data();
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ConstraintSide side = sides[static_cast<std::size_t>(i)];
        if (i + 3 < s.firstSide + s.sideCount)
            pliant::prefetch(&contacts[sides[static_cast<std::size_t>(i) + 3].contact], sizeof contacts[0].rows);
        const ContactConstraint& contact = contacts[side.contact];
        Vector3 turned = Vector3::Zero();
        for (const ConstraintRow& row : contact.rows) {
            const auto impulse = static_cast<double>(row.impulse);
            data.angularMomentum += impulse * toEigen(side.first ? row.angularA : row.angularB);
            turned += impulse * toEigen(side.first ? row.responseA : row.responseB);
        }
        for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
            const btScalar impulse = side.first ? torsions[t].impulse : -torsions[t].impulse;
            const btVector3 torque = contact.rows[torsions[t].axis].axis * impulse;
            data.angularMomentum += toEigen(torque);
            turned += toEigen(btVector3(s.torqueResponse * torque));
        }
        data.solvedAngularVelocity += turned;
        data.coupledAngularVelocity += turned;
    }
}

bool btPliantConstraintSolver::ContactConstraints::hasActiveContact(const ReducedBody& s) const {
    const auto first = sides.begin() + s.firstSide;
    return std::any_of(first, first + s.sideCount,
                       [this](const ConstraintSide& side) { return contacts[side.contact].isActive; });
}

void btPliantConstraintSolver::ContactConstraints::writeBack(const pliant::Workers& workers) {
    workers.forBlocks(contacts.size(), 64, [this](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            prefetchPoint(c + 6);
            const ContactConstraint& contact = contacts[c];
            btManifoldPoint& point = *contact.point;
            point.m_contactMotion1 = point.m_appliedImpulse;  // see warmStartShare
            point.m_appliedImpulse = contact.rows[0].impulse;
            point.m_appliedImpulseLateral1 = contact.rows[1].impulse;
            point.m_appliedImpulseLateral2 = contact.rows[2].impulse;
            point.m_lateralFrictionDir1 = contact.rows[1].axis;
            point.m_lateralFrictionDir2 = contact.rows[2].axis;
        }
    });
    workers.forBlocks(static_cast<int>(reducedBodies.size()), 4, [this](int begin, int end) {
        std::vector<double> change;
        for (int i = begin; i < end; ++i) {
            addMomentum(i);
            const ReducedBody& s = reducedBodies[static_cast<std::size_t>(i)];
            if (s.hasDiverged || !(s.hasJointImpulse || hasActiveContact(s))) continue;
            btPliantBody::Data& data = s.body->data();
            const btScalar* found = modalVelocities.data() + s.velocityOffset;
            change.assign(found, found + data.model().dimension());
            if (s.whitened) {
                data.batch().addWhitenedVelocity(data.slot, change.data());
                continue;
            }
            const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
            data.batch().addVelocity(data.slot, change.data(), A.transpose() * data.coupledAngularVelocity);
        }
    });
}
