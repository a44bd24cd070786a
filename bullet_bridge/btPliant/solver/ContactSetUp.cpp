// SPDX-License-Identifier: Zlib
#include "btPliant/solver/ContactSetUp.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <limits>
#include <new>

#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/solver/EffectiveMass.h"
#include "btPliant/solver/FrameResponse.h"
#include "btPliant/solver/FrictionAnchors.h"
#include "btPliant/solver/RagdollRows.h"
#include "btPliant/solver/Restitution.h"
#include "btPliant/solver/SpringEnergy.h"
#include "btPliant/solver/TrappedBodies.h"
#include "pliant/runtime/ragdoll/RagdollContact.h"

namespace btPliantInternal {

namespace {

/// Of the thinner side, m; 1e30 where none is reduced.
double smallerRadius(const ContactConstraint& contact, const ReducedBodies& reducedBodies) {
    double radius = 1e30;
    if (const ReducedBody* s = reducedBody(reducedBodies, contact.reducedA))
        radius = std::min(radius, segmentRadius(s->body->getModel().skeleton, contact.segmentA, contact.parameterA));
    if (const ReducedBody* s = reducedBody(reducedBodies, contact.reducedB))
        radius = std::min(radius, segmentRadius(s->body->getModel().skeleton, contact.segmentB, contact.parameterB));
    return radius;
}

/// The way that a contact of a floppy solid may be out by, in and out, m; 0: none of the two is one. Frames move by
/// h v_1, q by h (q'_0 + q'_1) / 2: a contact that holds moves against its frame by h u / 2 when its modes have the
/// velocity u along the normal, and back when they have lost it (ContactConstraints.h). Of a body whose softest mode
/// the step does not resolve u is no motion to and fro but the last step's.
double reversibleWay(const ContactConstraint& contact, const ReducedBodies& reducedBodies, double penetrationSlop,
                     double h) {
    constexpr double share = 0.2, resolved = 1.0;
    double way = 0.0;
    for (const int index : {contact.reducedA, contact.reducedB}) {
        const ReducedBody* s = reducedBody(reducedBodies, index);
        if (!s) continue;
        const BodyData& data = dataOf(*s->body);
        const pliant::VectorX& frequencies = data.batch().modalFrequencies();
        const bool isFloppy = frequencies.size() > 0 && frequencies[0] * h < resolved;
        if (!data.group->surface || data.character || !isFloppy) continue;
        const double own = share * penetrationSlop * data.contactScale;
        way = way > 0.0 ? std::min(way, own) : own;
    }
    return way;
}

btVector3 origin(const btSolverBody& body) {
    return body.m_originalBody ? body.m_originalBody->getWorldTransform().getOrigin() : btVector3(0, 0, 0);
}

/// Where the modal vectors of a contact lie.
void setOffsets(const ContactDescriptor& descriptor, const ReducedBodies& reducedBodies, ContactConstraint& contact) {
    contact.jacobianOffsetA = contact.responseOffsetA = descriptor.jacobianOffsetA;
    contact.jacobianOffsetB = contact.responseOffsetB = descriptor.jacobianOffsetB;
    if (const ReducedBody* s = reducedBody(reducedBodies, descriptor.reducedA)) {
        if (!s->whitened) contact.responseOffsetA += 3 * static_cast<std::size_t>(s->stride);
        contact.velocityOffsetA = s->velocityOffset;
        contact.strideA = s->stride;
    }
    if (const ReducedBody* s = reducedBody(reducedBodies, descriptor.reducedB)) {
        if (!s->whitened) contact.responseOffsetB += 3 * static_cast<std::size_t>(s->stride);
        contact.velocityOffsetB = s->velocityOffset;
        contact.strideB = s->stride;
    }
}

// Penalty contact of strands [HSO03 section 4.3] at the end of the step: with the depth -d and the rate w of the gap
// over the step, of modes the mean of their velocities before and after it (BodyBatch.h),
//     P = h k (-d_0 - h w) - h c w,    or    w + P / (h (h k + c)) = -k d_0 / (h k + c).
// k d^2 / 2 is convex, and the mean velocity is what the modes take work by: a spring so gives back no more than it has
// taken, whatever h^2 k / m is. What does not touch yet is not damped.
struct PointPenalty {
    btScalar mixing;  ///< 1 / (h (h k + c)), 1/kg
    btScalar rate;    ///< -k d_0 / (h k + c), m/s

    PointPenalty(const btManifoldPoint& point, btScalar h) {
        const btScalar k = btMax(point.m_combinedContactStiffness1, btScalar(0));
        const btScalar c = point.getDistance() > 0 ? btScalar(0) : btMax(point.m_combinedContactDamping1, btScalar(0));
        const btScalar both = btMax(h * k + c, btScalar(SIMD_EPSILON));  // neither: as good as no contact
        mixing = 1 / (h * both);
        rate = -k * point.getDistance() / both;
    }
};
/// m/s, by which a bound that counts for nothing lies below the other one.
constexpr btScalar kNoBound = btScalar(1e5);

void makeTorsions(const ContactDescriptor& descriptor, btAlignedObjectArray<TorsionalFrictionRow>& torsions) {
    int next = descriptor.firstTorsion;
    for (int k = 0; k < 3; ++k) {
        TorsionalFrictionRow torsion;
        torsion.axis = k;
        torsion.coefficient =
            k == 0 ? descriptor.point->m_combinedSpinningFriction : descriptor.point->m_combinedRollingFriction;
        if (torsion.coefficient > 0) new (&torsions[next++]) TorsionalFrictionRow(torsion);
    }
}

}  // namespace

void countTorsions(const ReducedBodies& reducedBodies, ContactDescriptor& descriptor) {
    descriptor.torsionCount = 0;
    for (const int index : {descriptor.reducedA, descriptor.reducedB})
        if (const ReducedBody* s = reducedBody(reducedBodies, index))
            if (dataOf(*s->body).ragdoll()) return;
    descriptor.torsionCount = (descriptor.point->m_combinedSpinningFriction > 0 ? 1 : 0) +
                              (descriptor.point->m_combinedRollingFriction > 0 ? 2 : 0);
}

void makeConstraint(int c, const btContactSolverInfo& info, ContactConstraints& all) {
    const ContactDescriptor& descriptor = all.descriptors[static_cast<std::size_t>(c)];
    const btManifoldPoint& point = *descriptor.point;
    ContactConstraint& contact = *new (&all.contacts[c]) ContactConstraint();
    contact.point = descriptor.point;
    contact.bodyA = descriptor.bodyA;
    contact.bodyB = descriptor.bodyB;
    contact.reducedA = descriptor.reducedA;
    contact.reducedB = descriptor.reducedB;
    contact.movesA = descriptor.movesA;
    contact.movesB = descriptor.movesB;
    contact.hasDrivenBones = descriptor.hasDrivenBones;
    contact.isTrapped = descriptor.isTrapped;
    setOffsets(descriptor, all.reducedBodies, contact);
    contact.segmentA = point.m_index0;
    contact.segmentB = point.m_index1;
    contact.parameterA = decodeParameter(point.m_partId0);
    contact.parameterB = decodeParameter(point.m_partId1);
    contact.friction = point.m_combinedFriction;
    const bool hasOwn = (point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_CFM) != 0;
    contact.cfm = (hasOwn ? point.m_contactCFM : info.m_globalCfm) / info.m_timeStep;
    contact.isPenalty = isPenalty(point) && !hasRagdoll(contact, all.reducedBodies);
    contact.isSpring = contact.isPenalty && isSurfaceSpring(point) && !all.springs.empty();
    if (contact.isPenalty) contact.cfm = contact.isSpring ? btScalar(0) : PointPenalty(point, info.m_timeStep).mixing;
    contact.rows[0].axis = point.m_normalWorldOnB;
    btPlaneSpace1(point.m_normalWorldOnB, contact.rows[1].axis, contact.rows[2].axis);
    contact.firstTorsion = descriptor.firstTorsion;
    contact.torsionCount = descriptor.torsionCount;
    if (contact.torsionCount > 0) makeTorsions(descriptor, all.torsions);
}

void applicationPoints(const ContactConstraint& contact, const ReducedBodies& reducedBodies, btVector3& onA,
                       btVector3& onB) {
    applicationPoints(*contact.point, smallerRadius(contact, reducedBodies), onA, onB);
}

void prepareFrameJacobians(const SolverBodies& bodies, const ReducedBodies& reducedBodies, ContactConstraint& contact) {
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    btVector3 onA, onB;
    applicationPoints(contact, reducedBodies, onA, onB);
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

/// The part of frameVelocity() that the forces of the step, gravity above all, have given.
double forcedVelocity(const ConstraintRow& row, const btSolverBody& A, const btSolverBody& B) {
    double v = 0;
    if (A.m_originalBody)
        v += static_cast<double>(row.axis.dot(A.m_externalForceImpulse) + row.angularA.dot(A.m_externalTorqueImpulse));
    if (B.m_originalBody)
        v += static_cast<double>(row.angularB.dot(B.m_externalTorqueImpulse) - row.axis.dot(B.m_externalForceImpulse));
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

/// Velocities of a contact's points against each other, m/s.
struct ContactVelocities {
    double free[3] = {};     ///< along the rows after the free step
    double gapRate[3] = {};  ///< along the rows, by which the free step moves the points
    double start = 0;        ///< along the normal at the start of the step, before its forces
    double startModes = 0;   ///< the modes' part of `start`
    double frames = 0;       ///< the frames' part of free[0]
    double skin = 0;         ///< of `frames`, what bones add to the frames of characters
};

void addModes(const ReducedBody& s, const btScalar* J, double h, ContactVelocities& v) {
    const BodyData& data = dataOf(*s.body);
    for (int k = 0; k < 3; ++k) v.free[k] += modalVelocity(J + k * s.stride, data.batch().velocity(data.slot));
    v.startModes += modalVelocity(J, data.batch().startVelocity(data.slot));
    for (int k = 0; k < 3; ++k)
        v.gapRate[k] += (modalVelocity(J + k * s.stride, data.batch().q(data.slot)) -
                         modalVelocity(J + k * s.stride, data.batch().startPosition(data.slot))) /
                        h;
}

/// Velocity that the skin of a character has at a contact beyond that of its frame, m/s.
btVector3 skinVelocity(const ReducedBodies& reducedBodies, const ContactConstraint& contact, bool first, double h) {
    const ReducedBody* s = reducedBody(reducedBodies, first ? contact.reducedA : contact.reducedB);
    if (!s || !dataOf(*s->body).character || dataOf(*s->body).character->begunStep <= 0.0) return btVector3(0, 0, 0);
    const BodyData& data = dataOf(*s->body);
    if (data.ragdoll()) return -s->body->getLinearVelocity();  // rows have its limbs, and its frame does not count
    const pliant::Vector3 point =
        toEigen(first ? contact.point->getPositionWorldOnA() : contact.point->getPositionWorldOnB());
    const pliant::Vector3 way = pliant::skinnedPointMotion(*data.deformed, first ? contact.segmentA : contact.segmentB,
                                                           first ? contact.parameterA : contact.parameterB, point,
                                                           data.character->nextBones.data());
    return toBullet(pliant::Vector3(way / h)) - s->body->getLinearVelocity();
}

ContactVelocities velocitiesOf(const ContactConstraint& contact, const SolverBodies& bodies,
                               const ContactConstraints& all, double h) {
    ContactVelocities v;
    const btVector3 skins =
        skinVelocity(all.reducedBodies, contact, true, h) - skinVelocity(all.reducedBodies, contact, false, h);
    for (int k = 0; k < 3; ++k)
        v.free[k] = v.gapRate[k] = frameVelocity(contact.rows[k], bodies[contact.bodyA], bodies[contact.bodyB]) +
                                   static_cast<double>(contact.rows[k].axis.dot(skins));
    v.frames = v.free[0];
    v.skin = static_cast<double>(contact.rows[0].axis.dot(skins));
    const btScalar* J = all.modalVectors.data();
    if (const ReducedBody* s = reducedBody(all.reducedBodies, contact.reducedA))
        addModes(*s, J + contact.jacobianOffsetA, h, v);
    if (const ReducedBody* s = reducedBody(all.reducedBodies, contact.reducedB))
        addModes(*s, J + contact.jacobianOffsetB, h, v);
    v.start = v.frames - forcedVelocity(contact.rows[0], bodies[contact.bodyA], bodies[contact.bodyB]) + v.startModes;
    return v;
}

/// Of a spring by area. @param forced forcedVelocity() along its normal
PenaltySpring springOf(const btManifoldPoint& point, const ContactVelocities& v, double forced, double h) {
    PenaltySpring spring;
    spring.step = h;
    spring.stiffness = std::max(0.0, static_cast<double>(point.m_combinedContactStiffness1));
    spring.damping = std::max(0.0, static_cast<double>(point.m_combinedContactDamping1));
    spring.start = h / 2 * (v.frames - forced) - static_cast<double>(point.getDistance());
    spring.freeEnd = spring.start - h * (v.gapRate[0] - forced / 2);
    return spring;
}

/// Of a contact that holds a ragdoll.
ContactStart ragdollVelocities(const ContactConstraint& contact, const SolverBodies& bodies,
                               const ContactConstraints& all, double h) {
    static const pliant::VectorX noLimbs;
    ContactStart v;
    const btSolverBody &A = bodies[contact.bodyA], &B = bodies[contact.bodyB];
    const btVector3 skins =
        skinVelocity(all.reducedBodies, contact, true, h) - skinVelocity(all.reducedBodies, contact, false, h);
    for (int k = 0; k < 3; ++k) {
        v.free[k] = frameVelocity(contact.rows[k], A, B) + static_cast<double>(contact.rows[k].axis.dot(skins));
        v.start[k] = v.free[k] - forcedVelocity(contact.rows[k], A, B);
    }
    for (const bool first : {true, false}) {
        const ReducedBody* s = reducedBody(all.reducedBodies, first ? contact.reducedA : contact.reducedB);
        if (!s) continue;
        const BodyData& data = dataOf(*s->body);
        const RagdollData* d = data.ragdoll();
        const btScalar* J = all.modalVectors.data() + (first ? contact.jacobianOffsetA : contact.jacobianOffsetB);
        for (int k = 0; k < 3; ++k, J += s->stride) {
            v.free[k] += velocityAlong(J, data.batch().velocity(data.slot), d ? d->V : noLimbs);
            v.start[k] += velocityAlong(J, data.batch().startVelocity(data.slot), d ? d->startV : noLimbs);
        }
    }
    return v;
}

/// What restitution asks of a point of a ragdoll that strikes something in this step: e |u_0|, which is no more than
/// what gains nothing (RagdollContact.h). Points that do not come to touch, that carried an impulse in the last step or
/// are slow have no bounce. @return m/s; lower than all targets where there is none
double bounceTarget(const ContactConstraint& contact, const ContactStart& v, const btContactSolverInfo& info) {
    const btManifoldPoint& point = *contact.point;
    const double e = std::clamp(static_cast<double>(point.m_combinedRestitution), 0.0, 1.0);
    const bool closes = static_cast<double>(point.getDistance() / info.m_timeStep) + v.free[0] < 0.0;
    const bool isFast = -v.start[0] > static_cast<double>(info.m_restitutionVelocityThreshold);
    if (!(e > 0.0) || !closes || !isFast || point.m_appliedImpulse > 0) return -std::numeric_limits<double>::infinity();
    return -e * v.start[0];
}

/// Rows of ragdolls have one bound, their target; friction stops the points.
void computeRagdollBias(int c, const SolverBodies& bodies, const btContactSolverInfo& info,
                        const btPliantSystemInfo& settings, ContactConstraints& all) {
    ContactConstraint& contact = all.contacts[c];
    const auto h = static_cast<double>(info.m_timeStep);
    const ContactStart v = ragdollVelocities(contact, bodies, all, h);
    all.ragdollVelocities[static_cast<std::size_t>(c)] = v;
    const double slop = static_cast<double>(settings.m_penetrationSlop) * smallerRadius(contact, all.reducedBodies) +
                        static_cast<double>(info.m_linearSlop);
    const auto distance = static_cast<double>(contact.point->getDistance());
    const double gap = distance > 0.0 ? distance : std::min(0.0, distance + slop);
    const double target = std::max(pliant::rowTarget(v.start[0], gap, h), bounceTarget(contact, v, info));
    for (int k = 0; k < 3; ++k) contact.rows[k].rhs = static_cast<btScalar>((k == 0 ? target : 0.0) - v.free[k]);
    contact.gapRhs = contact.rows[0].rhs - kNoBound;
    contact.hasResponse = contact.rows[0].rhs > 0;
}

/// The bias of a contact by a penalty, whose force bounds the gap's rate; of a spring by area its law over the step,
/// too.
void computePenaltyBias(int c, const ContactVelocities& v, const SolverBodies& bodies, const btContactSolverInfo& info,
                        ContactConstraints& all) {
    ContactConstraint& contact = all.contacts[c];
    const btManifoldPoint& point = *contact.point;
    contact.splitImpulseVelocity = 0;
    contact.gapRhs = PointPenalty(point, info.m_timeStep).rate - static_cast<btScalar>(v.gapRate[0]);
    contact.rows[0].rhs = contact.gapRhs - kNoBound;
    if (!contact.isSpring) return;
    const double forced = forcedVelocity(contact.rows[0], bodies[contact.bodyA], bodies[contact.bodyB]);
    PenaltySpring& spring = all.springs[static_cast<std::size_t>(c)];
    spring = springOf(point, v, forced, static_cast<double>(info.m_timeStep));
    setBounds(spring, contact);
}

}  // namespace

void computeBias(int c, const SolverBodies& bodies, const btContactSolverInfo& info, const btPliantSystemInfo& settings,
                 ContactConstraints& all) {
    ContactConstraint& contact = all.contacts[c];
    if (hasRagdoll(contact, all.reducedBodies)) {
        computeRagdollBias(c, bodies, info, settings, all);
        return;
    }
    const btManifoldPoint& point = *contact.point;
    const auto h = static_cast<double>(info.m_timeStep);
    const ContactVelocities v = velocitiesOf(contact, bodies, all, h);
    if (point.m_combinedRestitution > 0 && !contact.isPenalty &&
        computeRestitution(bodies, info, v.skin, v.startModes, v.free[0] - v.frames, contact))
        all.hasRestitution = true;
    const auto distance = static_cast<double>(point.getDistance());
    const auto slopShare = static_cast<double>(settings.m_penetrationSlop);
    const double way = reversibleWay(contact, all.reducedBodies, slopShare, h);
    const double shifted = distance + std::clamp(h / 2 * v.startModes, -way, way);
    double bias = pliant::contactTarget(v.start);
    if (shifted > 0) bias -= shifted / h;
    constexpr double leftOfWay = 0.1;  // what rounding takes in and out is not taken back either
    const double slop = slopShare * smallerRadius(contact, all.reducedBodies) + leftOfWay * way +
                        static_cast<double>(info.m_linearSlop);
    const double recovery = static_cast<double>(settings.m_penetrationRecovery) * std::max(0.0, -shifted - slop) / h;
    const bool isSplit = info.m_splitImpulse && !contact.isSelf();  // pseudo-velocities are of frames
    if (isSplit)
        contact.splitImpulseVelocity = static_cast<btScalar>(recovery);
    else
        bias += recovery;
    if (contact.hasDrivenBones)
        contact.boneSpeed = boneSpeed(contact, all.reducedBodies, v.skin - (isSplit ? 0.0 : recovery));
    const bool isAnchored = takesAnchor(contact, all.reducedBodies);
    ContactMean mean;
    for (int k = 0; k < 3 && (isAnchored || !all.meanVelocities.empty()); ++k)
        mean.along[k] =
            v.gapRate[k] - 0.5 * forcedVelocity(contact.rows[k], bodies[contact.bodyA], bodies[contact.bodyB]);
    if (!isSplit) mean.along[0] -= recovery;
    if (!all.meanVelocities.empty()) all.meanVelocities[static_cast<std::size_t>(c)] = mean;
    const double lowestGap = std::min(distance, -2.0 * slop - way);
    contact.gapRhs = static_cast<btScalar>((lowestGap - distance) / h - v.gapRate[0]);
    contact.rows[0].rhs = static_cast<btScalar>(bias - v.free[0]);
    if (contact.isPenalty) computePenaltyBias(c, v, bodies, info, all);
    contact.rows[1].rhs = static_cast<btScalar>(-v.free[1]);
    contact.rows[2].rhs = static_cast<btScalar>(-v.free[2]);
    if (isAnchored) addAnchor(all.reducedBodies, bodies, info, mean.along + 1, v.gapRate + 1, contact);
    const bool warm = (info.m_solverMode & SOLVER_USE_WARMSTARTING) != 0 && point.m_appliedImpulse != btScalar(0);
    contact.hasResponse = warm || contact.velocityError(0, 0) > 0;
}

}  // namespace btPliantInternal
