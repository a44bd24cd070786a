// SPDX-License-Identifier: Zlib
// Set-up of contact constraints: geometry, effective masses, biases, warm start.
#include "btPliant/solver/ContactConstraints.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "btPliant/data/Convert.h"
#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/math/Prefetch.h"

using btPliantInternal::ConstraintRow;
using btPliantInternal::ContactConstraint;
using btPliantInternal::ContactDescriptor;
using btPliantInternal::modalDot;
using btPliantInternal::ReducedBody;
using btPliantInternal::SolverBodies;
using btPliantInternal::toEigen;
using btPliantInternal::TorsionalFrictionRow;
using pliant::Matrix3;
using pliant::Vector3;

void btPliantConstraintSolver::ContactConstraints::clear() {
    for (ReducedBody& s : reducedBodies) s.body->data().reducedIndex = -1;
    reducedBodies.clear();
    descriptors.clear();
    contacts.resize(0);
    torsions.resize(0);
    modalVelocities.clear();
    sides.clear();
    pairRanges.clear();
    batches.clear();
    colours.clear();
    hasRestitution = false;
}

bool btPliantConstraintSolver::ContactConstraints::hasSolids() const {
    return std::any_of(reducedBodies.begin(), reducedBodies.end(),
                       [](const ReducedBody& s) { return s.body->data().group->surface != nullptr; });
}

int btPliantConstraintSolver::ContactConstraints::reducedIndex(btPliantBody& body) {
    int& index = body.data().reducedIndex;
    if (index >= 0) return index;
    index = static_cast<int>(reducedBodies.size());
    body.data().solvedAngularVelocity.setZero();
    body.data().coupledAngularVelocity.setZero();
    ReducedBody entry;
    entry.body = &body;
    entry.stride = btPliantInternal::paddedDimension(body.data().model().dimension());
    entry.velocityOffset = modalVelocities.size();
    entry.whitened = body.data().batch().whitens(body.data().slot);
    reducedBodies.push_back(entry);
    modalVelocities.resize(
        pliant::roundUpToCacheLines<btScalar>(modalVelocities.size() + static_cast<std::size_t>(entry.stride)),
        btScalar(0));
    return index;
}

namespace {

btVector3 rigidResponse(const btSolverBody& body, const btVector3& angular) {
    if (!body.m_originalBody) return btVector3(0, 0, 0);
    return body.m_originalBody->getInvInertiaTensorWorld() * angular * body.m_originalBody->getAngularFactor();
}

/// J W J' of a row's linear parts, 1/kg.
btScalar linearInverseMass(const ConstraintRow& row, const btSolverBody& A, const btSolverBody& B) {
    return (row.axis * (A.internalGetInvMass() + B.internalGetInvMass())).dot(row.axis);
}

double segmentRadius(const ReducedBody& reduced, int segment, float parameter) {
    const pliant::ContactSkeleton& skeleton = reduced.body->getModel().skeleton;
    const float r0 = skeleton.radii[skeleton.segments(0, segment)], r1 = skeleton.radii[skeleton.segments(1, segment)];
    return static_cast<double>(r0 + parameter * (r1 - r0));
}

btVector3 origin(const btSolverBody& body) {
    return body.m_originalBody ? body.m_originalBody->getWorldTransform().getOrigin() : btVector3(0, 0, 0);
}

}  // namespace

void btPliantConstraintSolver::ContactConstraints::prefetchPoint(int c) const {
    if (c < static_cast<int>(descriptors.size()))
        pliant::prefetch(descriptors[static_cast<std::size_t>(c)].point, sizeof(btManifoldPoint));
}

void btPliantConstraintSolver::ContactConstraints::countTorsions(int c) {
    ContactDescriptor& descriptor = descriptors[static_cast<std::size_t>(c)];
    descriptor.torsionCount = (descriptor.point->m_combinedSpinningFriction > 0 ? 1 : 0) +
                              (descriptor.point->m_combinedRollingFriction > 0 ? 2 : 0);
}

void btPliantConstraintSolver::ContactConstraints::makeConstraint(int c, const btContactSolverInfo& info) {
    const ContactDescriptor& descriptor = descriptors[static_cast<std::size_t>(c)];
    const btManifoldPoint& point = *descriptor.point;
    ContactConstraint& contact = *new (&contacts[c]) ContactConstraint();
    contact.point = descriptor.point;
    contact.bodyA = descriptor.bodyA;
    contact.bodyB = descriptor.bodyB;
    contact.reducedA = descriptor.reducedA;
    contact.reducedB = descriptor.reducedB;
    contact.movesA = descriptor.movesA;
    contact.movesB = descriptor.movesB;
    const auto response = [this](int index, std::size_t begin) {
        if (index < 0 || reducedBodies[static_cast<std::size_t>(index)].whitened) return begin;
        return begin + 3 * static_cast<std::size_t>(reducedBodies[static_cast<std::size_t>(index)].stride);
    };
    contact.jacobianOffsetA = descriptor.jacobianOffsetA;
    contact.jacobianOffsetB = descriptor.jacobianOffsetB;
    contact.responseOffsetA = response(descriptor.reducedA, descriptor.jacobianOffsetA);
    contact.responseOffsetB = response(descriptor.reducedB, descriptor.jacobianOffsetB);
    if (descriptor.reducedA >= 0) {
        const ReducedBody& s = reducedBodies[static_cast<std::size_t>(descriptor.reducedA)];
        contact.velocityOffsetA = s.velocityOffset;
        contact.strideA = s.stride;
    }
    if (descriptor.reducedB >= 0) {
        const ReducedBody& s = reducedBodies[static_cast<std::size_t>(descriptor.reducedB)];
        contact.velocityOffsetB = s.velocityOffset;
        contact.strideB = s.stride;
    }
    contact.segmentA = point.m_index0;
    contact.segmentB = point.m_index1;
    contact.parameterA = btPliantInternal::decodeParameter(point.m_partId0);
    contact.parameterB = btPliantInternal::decodeParameter(point.m_partId1);
    contact.friction = point.m_combinedFriction;
    const bool hasOwn = (point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_CFM) != 0;
    contact.cfm = (hasOwn ? point.m_contactCFM : info.m_globalCfm) / info.m_timeStep;
    contact.rows[0].axis = point.m_normalWorldOnB;
    btPlaneSpace1(point.m_normalWorldOnB, contact.rows[1].axis, contact.rows[2].axis);
    contact.firstTorsion = descriptor.firstTorsion;
    contact.torsionCount = descriptor.torsionCount;
    int next = descriptor.firstTorsion;
    for (int k = 0; k < 3; ++k) {
        TorsionalFrictionRow torsion;
        torsion.axis = k;
        torsion.coefficient = k == 0 ? point.m_combinedSpinningFriction : point.m_combinedRollingFriction;
        if (torsion.coefficient > 0) new (&torsions[next++]) TorsionalFrictionRow(torsion);
    }
}

// One point half way between both, so that what one body gets in angular momentum the other loses. Segments that will
// only touch later in the step (continuous collision) lie beside each other as yet, and a point beside both would turn
// thin bodies about themselves; there the points themselves are taken, but for a radius.
void btPliantConstraintSolver::ContactConstraints::applicationPoints(const ContactConstraint& contact, btVector3& onA,
                                                                     btVector3& onB) const {
    const btVector3 &pointA = contact.point->getPositionWorldOnA(), &pointB = contact.point->getPositionWorldOnB();
    onA = onB = (pointA + pointB) * btScalar(0.5);
    double radius = 1e30;
    for (const bool first : {true, false}) {
        const int index = first ? contact.reducedA : contact.reducedB;
        if (index < 0) continue;
        radius = std::min(radius, segmentRadius(reducedBodies[static_cast<std::size_t>(index)],
                                                first ? contact.segmentA : contact.segmentB,
                                                first ? contact.parameterA : contact.parameterB));
    }
    const btVector3 &normal = contact.rows[0].axis, apart = pointA - pointB;
    const btVector3 beside = apart - normal * apart.dot(normal);
    const auto length = static_cast<double>(beside.length());
    if (!(length > 2.0 * radius)) return;
    const btVector3 excess = beside * static_cast<btScalar>(0.5 - radius / length);
    onA += excess;
    onB -= excess;
}

void btPliantConstraintSolver::ContactConstraints::prepareFrameJacobians(int c, const SolverBodies& bodies) {
    ContactConstraint& contact = contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    btVector3 onA, onB;
    applicationPoints(contact, onA, onB);
    const btVector3 armA = onA - origin(A), armB = onB - origin(B);
    for (ConstraintRow& row : contact.rows) {
        row.angularA = armA.cross(row.axis);
        row.angularB = -armB.cross(row.axis);
    }
    const ConstraintRow& normal = contact.rows[0];
    contact.splitImpulseResponseA = rigidResponse(A, normal.angularA);
    contact.splitImpulseResponseB = rigidResponse(B, normal.angularB);
    const btScalar inverseMass = linearInverseMass(normal, A, B) + normal.angularA.dot(contact.splitImpulseResponseA) +
                                 normal.angularB.dot(contact.splitImpulseResponseB);
    contact.splitImpulseEffectiveMass = inverseMass > 0 ? 1 / inverseMass : 0;
}

void btPliantConstraintSolver::ContactConstraints::prepareEffectiveMasses(int c, const SolverBodies& bodies) {
    ContactConstraint& contact = contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    for (int k = 0; k < 3; ++k) {
        ConstraintRow& row = contact.rows[k];
        if (contact.reducedA < 0) row.responseA = rigidResponse(A, row.angularA);
        if (contact.reducedB < 0) row.responseB = rigidResponse(B, row.angularB);
        const btScalar frames =
            linearInverseMass(row, A, B) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        const btScalar modes =
            modalInverseMass(contact.reducedA, contact.jacobianOffsetA, contact.responseOffsetA, k, k) +
            modalInverseMass(contact.reducedB, contact.jacobianOffsetB, contact.responseOffsetB, k, k);
        const btScalar bare = contact.isSelf() ? selfInverseMass(contact, k, k) : frames + modes;
        const btScalar sum = bare + (k == 0 ? contact.cfm : btScalar(0));
        row.effectiveMass = sum > 0 ? 1 / sum : 0;
    }
    const ConstraintRow& normal = contact.rows[0];
    const btVector3 linear = normal.axis * (A.internalGetInvMass() + B.internalGetInvMass());
    for (int k = 1; k < 3; ++k) {
        const ConstraintRow& row = contact.rows[k];
        if (contact.isSelf()) {
            contact.frameCoupling[k - 1] = 0;
            contact.modeCoupling[k - 1] = selfInverseMass(contact, 0, k);
            continue;
        }
        contact.frameCoupling[k - 1] =
            linear.dot(row.axis) + normal.angularA.dot(row.responseA) + normal.angularB.dot(row.responseB);
        contact.modeCoupling[k - 1] =
            modalInverseMass(contact.reducedA, contact.jacobianOffsetA, contact.responseOffsetA, 0, k) +
            modalInverseMass(contact.reducedB, contact.jacobianOffsetB, contact.responseOffsetB, 0, k);
    }
}

btScalar btPliantConstraintSolver::ContactConstraints::selfInverseMass(const ContactConstraint& contact, int k,
                                                                       int l) const {
    btScalar sum = 0;
    const int n = reducedBodies[static_cast<std::size_t>(contact.reducedA)].stride;
    for (const std::size_t row : {contact.jacobianOffsetA, contact.jacobianOffsetB})
        for (const std::size_t response : {contact.responseOffsetA, contact.responseOffsetB})
            sum += modalDot(modalVectors.data() + row + k * n, modalVectors.data() + response + l * n, n);
    return sum;
}

btScalar btPliantConstraintSolver::ContactConstraints::modalInverseMass(int index, std::size_t jacobian,
                                                                        std::size_t response, int k, int l) const {
    if (index < 0) return 0;
    const int n = reducedBodies[static_cast<std::size_t>(index)].stride;
    return modalDot(modalVectors.data() + jacobian + k * n, modalVectors.data() + response + l * n, n);
}

namespace {

/// Velocity of the frames along a row before the solver, forces of the step included.
double frameVelocity(const ConstraintRow& row, const btSolverBody& A, const btSolverBody& B) {
    double v = 0;
    if (A.m_originalBody)
        v += static_cast<double>(row.axis.dot(A.m_linearVelocity + A.m_externalForceImpulse) +
                                 row.angularA.dot(A.m_angularVelocity + A.m_externalTorqueImpulse));
    if (B.m_originalBody)
        v += static_cast<double>(row.angularB.dot(B.m_angularVelocity + B.m_externalTorqueImpulse) -
                                 row.axis.dot(B.m_linearVelocity + B.m_externalForceImpulse));
    return v;
}

/// J . x in four sums side by side: one would wait for each of its additions.
double modalVelocity(const btScalar* J, const pliant::ConstVectorView& x) {
    double sum[4] = {};
    const auto n = static_cast<int>(x.size());
    const double* numbers = x.data();
    int j = 0;
    for (; j + 4 <= n; j += 4)
        for (int k = 0; k < 4; ++k) sum[k] += static_cast<double>(J[j + k]) * numbers[j + k];
    for (; j < n; ++j) sum[0] += static_cast<double>(J[j]) * numbers[j];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

void btPliantConstraintSolver::ContactConstraints::computeBias(int c, const SolverBodies& bodies,
                                                               const btContactSolverInfo& info,
                                                               const btPliantSystemInfo& settings) {
    ContactConstraint& contact = contacts[c];
    const btManifoldPoint& point = *contact.point;
    const auto h = static_cast<double>(info.m_timeStep);
    double free[3], radius = 1e30;  // velocities along the rows after the free step
    for (int k = 0; k < 3; ++k) free[k] = frameVelocity(contact.rows[k], bodies[contact.bodyA], bodies[contact.bodyB]);
    const double frames = free[0];
    double start = frames, gapRate[3] = {free[0], free[1], free[2]};
    for (const bool first : {true, false}) {
        const int index = first ? contact.reducedA : contact.reducedB;
        if (index < 0) continue;
        const ReducedBody& s = reducedBodies[static_cast<std::size_t>(index)];
        const btPliantBody::Data& data = s.body->data();
        const btScalar* J = modalVectors.data() + (first ? contact.jacobianOffsetA : contact.jacobianOffsetB);
        for (int k = 0; k < 3; ++k) free[k] += modalVelocity(J + k * s.stride, data.batch().velocity(data.slot));
        start += modalVelocity(J, data.batch().startVelocity(data.slot));
        for (int k = 0; k < 3; ++k)
            gapRate[k] += (modalVelocity(J + k * s.stride, data.batch().q(data.slot)) -
                           modalVelocity(J + k * s.stride, data.batch().startPosition(data.slot))) /
                          h;
        radius = std::min(radius, segmentRadius(s, first ? contact.segmentA : contact.segmentB,
                                                first ? contact.parameterA : contact.parameterB));
    }
    if (point.m_combinedRestitution > 0) computeRestitution(c, bodies, info, start - frames, free[0] - frames);
    const auto distance = static_cast<double>(point.getDistance());
    double bias = pliant::contactTarget(start);
    if (distance > 0) bias -= distance / h;
    const double slop =
        static_cast<double>(settings.m_penetrationSlop) * radius + static_cast<double>(info.m_linearSlop);
    const double recovery = static_cast<double>(settings.m_penetrationRecovery) * std::max(0.0, -distance - slop) / h;
    if (info.m_splitImpulse && !contact.isSelf())  // pseudo-velocities are of frames
        contact.splitImpulseVelocity = static_cast<btScalar>(recovery);
    else
        bias += recovery;
    const double lowestGap = std::min(distance, -2.0 * slop);
    contact.gapRhs = static_cast<btScalar>((lowestGap - distance) / h - gapRate[0]);
    contact.rows[0].rhs = static_cast<btScalar>(bias - free[0]);
    contact.rows[1].rhs = static_cast<btScalar>(-free[1]);
    contact.rows[2].rhs = static_cast<btScalar>(-free[2]);
    addAnchors(contact, info, gapRate + 1);
    const bool warm = (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0 && point.m_appliedImpulse != btScalar(0);
    contact.hasResponse = warm || contact.velocityError(0, 0) > 0;
}

btVector3 btPliantInternal::frameTurn(const btSolverBody& body, const ReducedBody* reduced, const btVector3& angular) {
    if (!reduced) return rigidResponse(body, angular);
    const btPliantBody::Data& data = reduced->body->data();
    if (!data.frameIsFree) return btVector3(0, 0, 0);
    const Matrix3 A = toEigen(reduced->body->getWorldTransform().getBasis());
    const Vector3 turn = A * (data.inverseInertia * (A.transpose() * toEigen(angular)));
    return btPliantInternal::toBullet(turn) * reduced->body->getAngularFactor();
}

// The deformation has already stepped under these impulses (FreeStep.cpp); only the frames are left.
void btPliantConstraintSolver::ContactConstraints::warmStart(int c, SolverBodies& bodies,
                                                             const btContactSolverInfo& info) {
    ContactConstraint& contact = contacts[c];
    if (!(info.m_solverMode & SOLVER_USE_WARMSTARTING) || contact.point->m_appliedImpulse == btScalar(0)) return;
    const btVector3 impulse = btPliantInternal::warmStartImpulse(*contact.point, info.m_warmstartingFactor);
    btScalar P[3];
    for (int k = 0; k < 3; ++k) P[k] = contact.rows[k].impulse = impulse.dot(contact.rows[k].axis);
    applyToFramesAlone(contact, impulse, P, bodies);
}

void btPliantConstraintSolver::ContactConstraints::applyToFramesAlone(const ContactConstraint& contact,
                                                                      const btVector3& impulse, const btScalar* P,
                                                                      SolverBodies& bodies) {
    btVector3 angular[2] = {btVector3(0, 0, 0), btVector3(0, 0, 0)}, turned[2] = {angular[0], angular[0]};
    for (int k = 0; k < 3; ++k) {
        const ConstraintRow& row = contact.rows[k];
        angular[0] += row.angularA * P[k];
        angular[1] += row.angularB * P[k];
        turned[0] += row.responseA * P[k];
        turned[1] += row.responseB * P[k];
    }
    for (int side = 0; side < 2; ++side) {
        if (!(side == 0 ? contact.movesA : contact.movesB)) continue;  // shared with contacts of other threads
        btSolverBody& body = bodies[side == 0 ? contact.bodyA : contact.bodyB];
        const int index = side == 0 ? contact.reducedA : contact.reducedB;
        const ReducedBody* reduced = index >= 0 ? &reducedBodies[static_cast<std::size_t>(index)] : nullptr;
        const btVector3 turn = btPliantInternal::frameTurn(body, reduced, angular[side]);
        const btVector3 linear = impulse * body.internalGetInvMass();
        body.internalGetDeltaLinearVelocity() += side == 0 ? linear : -linear;
        body.internalGetDeltaAngularVelocity() += turn;
        if (!reduced) continue;
        reduced->body->data().solvedAngularVelocity += toEigen(btVector3(turn - turned[side]));
        reduced->body->data().coupledAngularVelocity -= toEigen(turned[side]);
    }
}

btVector3 btPliantConstraintSolver::ContactConstraints::torqueResponse(int reducedIndex, const btSolverBody& body,
                                                                       const btVector3& torque) const {
    return reducedIndex < 0 ? rigidResponse(body, torque)
                            : reducedBodies[static_cast<std::size_t>(reducedIndex)].torqueResponse * torque;
}

void btPliantConstraintSolver::ContactConstraints::prepareTorsions(int c, const SolverBodies& bodies) {
    const ContactConstraint& contact = contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    const auto angularVelocity = [](const btSolverBody& body) {
        return body.m_originalBody ? body.m_angularVelocity + body.m_externalTorqueImpulse : btVector3(0, 0, 0);
    };
    for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
        TorsionalFrictionRow& torsion = torsions[t];
        const btVector3& axis = contact.rows[torsion.axis].axis;
        const btScalar sum =
            axis.dot(torqueResponse(contact.reducedA, A, axis)) + axis.dot(torqueResponse(contact.reducedB, B, axis));
        torsion.effectiveMass = sum > 0 ? 1 / sum : 0;
        torsion.rhs = axis.dot(angularVelocity(B) - angularVelocity(A));
    }
}
