// SPDX-License-Identifier: Zlib
// Set-up of contact rows: geometry, responses, targets.
#include "btPliant/solver/ContactConstraints.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "btPliant/body/Convert.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/narrowphase/ContactPair.h"
#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/step/SystemData.h"
#include "pliant/math/Prefetch.h"

using btPliantInternal::ContactPlace;
using btPliantInternal::ContactRow;
using btPliantInternal::modalDot;
using btPliantInternal::Row;
using btPliantInternal::SoftBody;
using btPliantInternal::toEigen;
using btPliantInternal::TorsionRow;
using pliant::Matrix3;
using pliant::Vector3;
using SolverBodies = btAlignedObjectArray<btSolverBody>;

btPliantConstraintSolver::Rows::Rows()
    : joints(std::make_unique<btPliantInternal::JointRows>()),
      acceleration(std::make_unique<btPliantInternal::SweepAcceleration>()) {}
btPliantConstraintSolver::Rows::~Rows() = default;

void btPliantConstraintSolver::Rows::clear() {
    for (SoftBody& s : soft) s.body->data().softIndex = -1;
    soft.clear();
    joints->clear();
    acceleration->restart();
    stockJoints.clear();
    places.clear();
    contacts.resize(0);
    torsions.resize(0);
    velocity.clear();
    sides.clear();
    runs.clear();
    pieces.clear();
    stages.clear();
    stock.clear();
    touching.clear();
}

int btPliantConstraintSolver::Rows::softIndex(btPliantBody& body) {
    int& index = body.data().softIndex;
    if (index >= 0) return index;
    index = static_cast<int>(soft.size());
    body.data().solvedTurn.setZero();
    body.data().coupledTurn.setZero();
    SoftBody entry;
    entry.body = &body;
    entry.stride = btPliantInternal::paddedDimension(body.data().model().dimension());
    entry.offset = velocity.size();
    entry.whitened = body.data().batch().whitens(body.data().slot);
    soft.push_back(entry);
    velocity.resize(pliant::roundUpToCacheLines<btScalar>(velocity.size() + static_cast<std::size_t>(entry.stride)),
                    btScalar(0));
    return index;
}

namespace {

btVector3 rigidResponse(const btSolverBody& body, const btVector3& angular) {
    if (!body.m_originalBody) return btVector3(0, 0, 0);
    return body.m_originalBody->getInvInertiaTensorWorld() * angular * body.m_originalBody->getAngularFactor();
}

/// J W J' of a row's linear parts, 1/kg.
btScalar linearMass(const Row& row, const btSolverBody& A, const btSolverBody& B) {
    return (row.axis * (A.internalGetInvMass() + B.internalGetInvMass())).dot(row.axis);
}

double segmentRadius(const SoftBody& soft, int segment, float parameter) {
    const pliant::ContactSkeleton& skeleton = soft.body->getModel().skeleton;
    const float r0 = skeleton.radii[skeleton.segments(0, segment)], r1 = skeleton.radii[skeleton.segments(1, segment)];
    return static_cast<double>(r0 + parameter * (r1 - r0));
}

btVector3 origin(const btSolverBody& body) {
    return body.m_originalBody ? body.m_originalBody->getWorldTransform().getOrigin() : btVector3(0, 0, 0);
}

}  // namespace

void btPliantConstraintSolver::Rows::fetchPoint(int c) const {
    if (c < static_cast<int>(places.size()))
        pliant::prefetch(places[static_cast<std::size_t>(c)].point, sizeof(btManifoldPoint));
}

void btPliantConstraintSolver::Rows::countTorsions(int c) {
    ContactPlace& place = places[static_cast<std::size_t>(c)];
    place.torsionCount =
        (place.point->m_combinedSpinningFriction > 0 ? 1 : 0) + (place.point->m_combinedRollingFriction > 0 ? 2 : 0);
}

void btPliantConstraintSolver::Rows::makeRow(int c, const btContactSolverInfo& info) {
    const ContactPlace& place = places[static_cast<std::size_t>(c)];
    const btManifoldPoint& point = *place.point;
    ContactRow& contact = *new (&contacts[c]) ContactRow();
    contact.point = place.point;
    contact.bodyA = place.bodyA;
    contact.bodyB = place.bodyB;
    contact.softA = place.softA;
    contact.softB = place.softB;
    contact.movesA = place.movesA;
    contact.movesB = place.movesB;
    const auto answer = [this](int index, std::size_t begin) {
        if (index < 0 || soft[static_cast<std::size_t>(index)].whitened) return begin;
        return begin + 3 * static_cast<std::size_t>(soft[static_cast<std::size_t>(index)].stride);
    };
    contact.modalA = place.modalA;
    contact.modalB = place.modalB;
    contact.answerA = answer(place.softA, place.modalA);
    contact.answerB = answer(place.softB, place.modalB);
    if (place.softA >= 0) {
        const SoftBody& s = soft[static_cast<std::size_t>(place.softA)];
        contact.velocityA = s.offset;
        contact.strideA = s.stride;
    }
    if (place.softB >= 0) {
        const SoftBody& s = soft[static_cast<std::size_t>(place.softB)];
        contact.velocityB = s.offset;
        contact.strideB = s.stride;
    }
    contact.segmentA = point.m_index0;
    contact.segmentB = point.m_index1;
    contact.parameterA = btPliantInternal::decodeParameter(point.m_partId0);
    contact.parameterB = btPliantInternal::decodeParameter(point.m_partId1);
    contact.friction = point.m_combinedFriction;
    const bool hasOwn = (point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_CFM) != 0;
    contact.softness = (hasOwn ? point.m_contactCFM : info.m_globalCfm) / info.m_timeStep;
    contact.rows[0].axis = point.m_normalWorldOnB;
    btPlaneSpace1(point.m_normalWorldOnB, contact.rows[1].axis, contact.rows[2].axis);
    contact.firstTorsion = place.firstTorsion;
    contact.torsionCount = place.torsionCount;
    int next = place.firstTorsion;
    for (int k = 0; k < 3; ++k) {
        TorsionRow torsion;
        torsion.axis = k;
        torsion.coefficient = k == 0 ? point.m_combinedSpinningFriction : point.m_combinedRollingFriction;
        if (torsion.coefficient > 0) new (&torsions[next++]) TorsionRow(torsion);
    }
}

// One place half way between both points, so that what one body gets in angular momentum the other loses. Strands that
// will only touch on their way (SweepBodies.h) lie beside each other as yet, and a place beside both would turn thin
// bodies about themselves; there the points themselves are taken, but for a radius.
void btPliantConstraintSolver::Rows::placesOf(const ContactRow& contact, btVector3& onA, btVector3& onB) const {
    const btVector3 &pointA = contact.point->getPositionWorldOnA(), &pointB = contact.point->getPositionWorldOnB();
    onA = onB = (pointA + pointB) * btScalar(0.5);
    double radius = 1e30;
    for (const bool first : {true, false}) {
        const int index = first ? contact.softA : contact.softB;
        if (index < 0) continue;
        radius = std::min(
            radius, segmentRadius(soft[static_cast<std::size_t>(index)], first ? contact.segmentA : contact.segmentB,
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

void btPliantConstraintSolver::Rows::prepareArms(int c, const SolverBodies& bodies) {
    ContactRow& contact = contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    btVector3 onA, onB;
    placesOf(contact, onA, onB);
    const btVector3 armA = onA - origin(A), armB = onB - origin(B);
    for (Row& row : contact.rows) {
        row.angularA = armA.cross(row.axis);
        row.angularB = -armB.cross(row.axis);
    }
    const Row& normal = contact.rows[0];
    contact.pushResponseA = rigidResponse(A, normal.angularA);
    contact.pushResponseB = rigidResponse(B, normal.angularB);
    const btScalar push = linearMass(normal, A, B) + normal.angularA.dot(contact.pushResponseA) +
                          normal.angularB.dot(contact.pushResponseB);
    contact.pushInverse = push > 0 ? 1 / push : 0;
}

void btPliantConstraintSolver::Rows::prepareMasses(int c, const SolverBodies& bodies) {
    ContactRow& contact = contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    for (int k = 0; k < 3; ++k) {
        Row& row = contact.rows[k];
        if (contact.softA < 0) row.responseA = rigidResponse(A, row.angularA);
        if (contact.softB < 0) row.responseB = rigidResponse(B, row.angularB);
        const btScalar frames =
            linearMass(row, A, B) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        const btScalar modes = modalMass(contact.softA, contact.modalA, contact.answerA, k, k) +
                               modalMass(contact.softB, contact.modalB, contact.answerB, k, k);
        const btScalar bare = contact.isSelf() ? selfMass(contact, k, k) : frames + modes;
        const btScalar sum = bare + (k == 0 ? contact.softness : btScalar(0));
        row.inverse = sum > 0 ? 1 / sum : 0;
    }
    const Row& normal = contact.rows[0];
    const btVector3 linear = normal.axis * (A.internalGetInvMass() + B.internalGetInvMass());
    for (int k = 1; k < 3; ++k) {
        const Row& row = contact.rows[k];
        if (contact.isSelf()) {
            contact.frameCoupling[k - 1] = 0;
            contact.modeCoupling[k - 1] = selfMass(contact, 0, k);
            continue;
        }
        contact.frameCoupling[k - 1] =
            linear.dot(row.axis) + normal.angularA.dot(row.responseA) + normal.angularB.dot(row.responseB);
        contact.modeCoupling[k - 1] = modalMass(contact.softA, contact.modalA, contact.answerA, 0, k) +
                                      modalMass(contact.softB, contact.modalB, contact.answerB, 0, k);
    }
}

btScalar btPliantConstraintSolver::Rows::selfMass(const ContactRow& contact, int k, int l) const {
    btScalar sum = 0;
    const int n = soft[static_cast<std::size_t>(contact.softA)].stride;
    for (const std::size_t row : {contact.modalA, contact.modalB})
        for (const std::size_t response : {contact.answerA, contact.answerB})
            sum += modalDot(modal.data() + row + k * n, modal.data() + response + l * n, n);
    return sum;
}

btScalar btPliantConstraintSolver::Rows::modalMass(int index, std::size_t jacobian, std::size_t answer, int k,
                                                   int l) const {
    if (index < 0) return 0;
    const int n = soft[static_cast<std::size_t>(index)].stride;
    return modalDot(modal.data() + jacobian + k * n, modal.data() + answer + l * n, n);
}

namespace {

/// Velocity of the frames along a row before the solver, forces of the step included.
double frameVelocity(const Row& row, const btSolverBody& A, const btSolverBody& B) {
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

void btPliantConstraintSolver::Rows::aim(int c, const SolverBodies& bodies, const btContactSolverInfo& info,
                                         const btPliantSystemInfo& settings) {
    ContactRow& contact = contacts[c];
    const btManifoldPoint& point = *contact.point;
    const auto h = static_cast<double>(info.m_timeStep);
    double free[3], radius = 1e30;  // velocities along the rows after the free step
    for (int k = 0; k < 3; ++k) free[k] = frameVelocity(contact.rows[k], bodies[contact.bodyA], bodies[contact.bodyB]);
    double start = free[0], gapRate = free[0];
    for (const bool first : {true, false}) {
        const int index = first ? contact.softA : contact.softB;
        if (index < 0) continue;
        const SoftBody& s = soft[static_cast<std::size_t>(index)];
        const btPliantBody::Data& data = s.body->data();
        const btScalar* J = modal.data() + (first ? contact.modalA : contact.modalB);
        for (int k = 0; k < 3; ++k) free[k] += modalVelocity(J + k * s.stride, data.batch().velocity(data.slot));
        start += modalVelocity(J, data.batch().startVelocity(data.slot));
        gapRate +=
            (modalVelocity(J, data.batch().q(data.slot)) - modalVelocity(J, data.batch().startPosition(data.slot))) / h;
        radius = std::min(radius, segmentRadius(s, first ? contact.segmentA : contact.segmentB,
                                                first ? contact.parameterA : contact.parameterB));
    }
    const auto distance = static_cast<double>(point.getDistance());
    const bool slow = std::abs(start) < static_cast<double>(info.m_restitutionVelocityThreshold);
    double target = pliant::contactTarget(start, slow ? 0.0 : static_cast<double>(point.m_combinedRestitution));
    if (distance > 0) target -= distance / h;
    const double slop =
        static_cast<double>(settings.m_penetrationSlop) * radius + static_cast<double>(info.m_linearSlop);
    const double recovery = static_cast<double>(settings.m_penetrationRecovery) * std::max(0.0, -distance - slop) / h;
    if (info.m_splitImpulse && !contact.isSelf())  // pseudo-velocities are of frames
        contact.pushTarget = static_cast<btScalar>(recovery);
    else
        target += recovery;
    const double lowestGap = std::min(distance, -2.0 * slop);
    contact.gapChange = static_cast<btScalar>((lowestGap - distance) / h - gapRate);
    contact.rows[0].change = static_cast<btScalar>(target - free[0]);
    contact.rows[1].change = static_cast<btScalar>(-free[1]);
    contact.rows[2].change = static_cast<btScalar>(-free[2]);
    const bool warm = (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0 && point.m_appliedImpulse != btScalar(0);
    contact.hasResponse = warm || contact.missing(0, 0) > 0;
}

namespace {

/// Turns a frame by the angular part of an impulse. @param soft the body when it is ours
btVector3 frameTurn(const btSolverBody& body, const SoftBody* soft, const btVector3& angular) {
    if (!soft) return rigidResponse(body, angular);
    const btPliantBody::Data& data = soft->body->data();
    if (!data.frameIsFree) return btVector3(0, 0, 0);
    const Matrix3 A = toEigen(soft->body->getWorldTransform().getBasis());
    const Vector3 turn = A * (data.inverseInertia * (A.transpose() * toEigen(angular)));
    return btPliantInternal::toBullet(turn) * soft->body->getAngularFactor();
}

}  // namespace

// The deformation has already stepped under these impulses (Data::addContactForces); only the frames are left.
void btPliantConstraintSolver::Rows::warmStart(int c, SolverBodies& bodies, const btContactSolverInfo& info) {
    ContactRow& contact = contacts[c];
    if (!(info.m_solverMode & SOLVER_USE_WARMSTARTING) || contact.point->m_appliedImpulse == btScalar(0)) return;
    const btVector3 impulse = btPliantInternal::warmImpulse(*contact.point, info.m_warmstartingFactor);
    btVector3 angular[2] = {btVector3(0, 0, 0), btVector3(0, 0, 0)}, turned[2] = {angular[0], angular[0]};
    for (Row& row : contact.rows) {
        row.impulse = impulse.dot(row.axis);
        angular[0] += row.angularA * row.impulse;
        angular[1] += row.angularB * row.impulse;
        turned[0] += row.responseA * row.impulse;
        turned[1] += row.responseB * row.impulse;
    }
    for (int side = 0; side < 2; ++side) {
        if (!(side == 0 ? contact.movesA : contact.movesB)) continue;  // shared with contacts of other threads
        btSolverBody& body = bodies[side == 0 ? contact.bodyA : contact.bodyB];
        const int index = side == 0 ? contact.softA : contact.softB;
        const SoftBody* ours = index >= 0 ? &soft[static_cast<std::size_t>(index)] : nullptr;
        const btVector3 turn = frameTurn(body, ours, angular[side]);
        const btVector3 linear = impulse * body.internalGetInvMass();
        body.internalGetDeltaLinearVelocity() += side == 0 ? linear : -linear;
        body.internalGetDeltaAngularVelocity() += turn;
        if (!ours) continue;
        ours->body->data().solvedTurn += toEigen(btVector3(turn - turned[side]));
        ours->body->data().coupledTurn -= toEigen(turned[side]);
    }
}

btVector3 btPliantConstraintSolver::Rows::turn(int softIndex, const btSolverBody& body, const btVector3& torque) const {
    return softIndex < 0 ? rigidResponse(body, torque) : soft[static_cast<std::size_t>(softIndex)].turn * torque;
}

void btPliantConstraintSolver::Rows::prepareTorsions(int c, const SolverBodies& bodies) {
    const ContactRow& contact = contacts[c];
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    const auto angularVelocity = [](const btSolverBody& body) {
        return body.m_originalBody ? body.m_angularVelocity + body.m_externalTorqueImpulse : btVector3(0, 0, 0);
    };
    for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
        TorsionRow& torsion = torsions[t];
        const btVector3& axis = contact.rows[torsion.axis].axis;
        const btScalar sum = axis.dot(turn(contact.softA, A, axis)) + axis.dot(turn(contact.softB, B, axis));
        torsion.inverse = sum > 0 ? 1 / sum : 0;
        torsion.change = axis.dot(angularVelocity(B) - angularVelocity(A));
    }
}
