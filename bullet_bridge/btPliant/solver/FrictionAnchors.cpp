// SPDX-License-Identifier: Zlib
// Friction anchors of solids: contacts that stick give back what they have slipped.
//
// Friction is a constraint on velocities, and iterations leave a rest of them: a stack, whose weight pulls the same way
// in every step, creeps by that rest for ever. So each contact of a pair whose friction holds remembers how far its two
// points have slipped along the tangents, s (m), and its tangential rows ask for the velocity -k s / h. Pairs that
// slide have no memory; s is some micrometres in a stack at rest.
//
// Slip is the mean of the velocities at both ends of the step times h, which is what a row does work by, and not the
// change of place. Frames move by h v_1 and modes by h (q'_0 + q'_1) / 2, so that points that stick, with the velocity
// v + u = 0 of frame and modes at the end of every step, move by h (v_1 - v_0) / 2 in one and by h v / 2 in all, to and
// fro as the body sways on them. Taken back a step later that moves the foot of a body that sways by x, with the
// frequency omega, by -k x(t - h) / 2, as if its damping ratio were less by (k / 4) sin(omega h): a tenth where a
// period has four steps, and bodies that stood by themselves swayed for ever. Places are held all the same, within
// h v / 2. In the step in which a pair comes to stick the mean would count half of what it has slid: then slip is the
// change of place, as it is beside bodies that are driven, whose velocity of the step is that of its beginning (the
// mean would add up their accelerations), and for integrators whose q does not move by half a step of an impulse.
//
// Whether friction holds is asked of all contacts of a pair together: which of them are chosen and carry the load
// changes from step to step. To the s of a contact that was there a step before, carries load and is held by its own
// friction its own slip is added: the feet of a table that stand apart creep towards each other, and the patch as a
// whole does not move. A contact that carries nothing may swing freely, and what it gets is the motion of the patch in
// its plane that fits the slips of the contacts best, each weighted by its normal impulse; so do contacts of flesh,
// which bones hold. A new contact begins with the slip of the one beside it.
//
// Strands touch at points that run along the segments, so only pairs with a solid have anchors. Springs by area have
// none: what anchors take back is given, and springs have to give back what they took.
//
// s is kept in the manifold point, along m_lateralFrictionDir1 and 2, in two numbers that Bullet leaves to friction on
// moving surfaces and to soft friction, m_contactMotion2 and m_frictionCFM.
#include "btPliant/solver/FrictionAnchors.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>

#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/runtime/IntegratorTraits.h"

namespace btPliantInternal {

namespace {

/// Share of the slip that a step takes back.
constexpr btScalar kRecovery = btScalar(0.4);
/// Slip beyond this share of the distance that contacts are found within is given up: points that swung or slid
/// along without a load would be torn back when they touch.
constexpr double kLongestSlip = 0.5;
/// Share of the friction's limit from which on a pair slides.
constexpr btScalar kSliding = btScalar(0.98);

/// Velocity along a tangent: a share of what the solve has added to the frames, and that by which split impulses move
/// them, m/s.
btScalar addedFrameVelocity(const ConstraintRow& row, btSolverBody& A, btSolverBody& B, btScalar share,
                            btScalar turnShare) {
    return row.axis.dot(share * (A.internalGetDeltaLinearVelocity() - B.internalGetDeltaLinearVelocity()) +
                        A.internalGetPushVelocity() - B.internalGetPushVelocity()) +
           row.angularA.dot(share * A.internalGetDeltaAngularVelocity() + A.internalGetTurnVelocity() * turnShare) +
           row.angularB.dot(share * B.internalGetDeltaAngularVelocity() + B.internalGetTurnVelocity() * turnShare);
}

/// Velocity of a patch that moves as one.
struct PlanarMotion {
    btVector3 velocity = btVector3(0, 0, 0), turn = btVector3(0, 0, 0), centre = btVector3(0, 0, 0);
    btVector3 at(const btVector3& point) const { return velocity + turn.cross(point - centre); }
};

/// Whether a contact was there a step before, carries load and is held by its own friction.
bool holdsByItself(const ContactConstraint& contact) {
    const ConstraintRow* rows = contact.rows;
    const btScalar limit = contact.friction * rows[0].impulse;
    const btScalar sideways = btSqrt(rows[1].impulse * rows[1].impulse + rows[2].impulse * rows[2].impulse);
    return contact.point->m_lifeTime > 0 && rows[0].impulse > 0 && sideways < kSliding * limit;
}

/// Whether one of two bodies is flesh on bones, which hold it: its contacts slip with the patch.
bool isOfCharacter(const ContactConstraint& contact, const ReducedBodies& reducedBodies) {
    const auto isFlesh = [&reducedBodies](int index) {
        const ReducedBody* s = reducedBody(reducedBodies, index);
        return s && dataOf(*s->body).character != nullptr;
    };
    return isFlesh(contact.reducedA) || isFlesh(contact.reducedB);
}

/// Whether friction holds a pair as a whole.
bool sticks(const PairRange& range, const ContactConstraints& all) {
    btScalar limit = 0, sideways = 0;
    for (int c = range.first; c < range.first + range.count; ++c) {
        const ConstraintRow* rows = all.contacts[c].rows;
        limit += all.contacts[c].friction * rows[0].impulse;
        sideways += btSqrt(rows[1].impulse * rows[1].impulse + rows[2].impulse * rows[2].impulse);
    }
    return sideways < kSliding * limit;
}

/// That is remembered, m.
btScalar longestSlip(const ContactConstraint& contact, const ReducedBodies& reducedBodies) {
    double scale = 0.0;
    for (const int index : {contact.reducedA, contact.reducedB})
        if (const ReducedBody* s = reducedBody(reducedBodies, index)) {
            const double own = dataOf(*s->body).contactScale;
            scale = scale > 0.0 ? std::min(scale, own) : own;
        }
    return static_cast<btScalar>(kLongestSlip * scale);
}

/// Whether the slip of a step is the mean velocity's, not the change of place.
bool slipsByMean(const ContactConstraint& contact, const ReducedBodies& reducedBodies, const SolverBodies& bodies) {
    const auto isDriven = [&bodies](int index) {
        const btRigidBody* body = bodies[index].m_originalBody;
        return body && body->isKinematicObject();
    };
    const auto movesByHalfStep = [&reducedBodies](int index) {
        const ReducedBody* s = reducedBody(reducedBodies, index);
        return !s || pliant::movesByHalfStep(dataOf(*s->body).batch().settings());
    };
    const bool hasStuck = contact.slip[0] != 0 || contact.slip[1] != 0;
    return hasStuck && !isDriven(contact.bodyA) && !isDriven(contact.bodyB) && movesByHalfStep(contact.reducedA) &&
           movesByHalfStep(contact.reducedB);
}

/// Rate at which the two points of a contact slip along its tangents, as the solution has it, m/s.
btVector3 slipRate(const ContactConstraint& contact, const ContactConstraints& all, SolverBodies& bodies,
                   btScalar turnShare) {
    const btScalar *J = all.modalVectors.data(), *v = all.modalVelocities.data();
    const btScalar share = slipsByMean(contact, all.reducedBodies, bodies) ? btScalar(0.5) : btScalar(1);
    btVector3 rate(0, 0, 0);
    for (int k = 0; k < 2; ++k) {
        const ConstraintRow& row = contact.rows[k + 1];
        const btScalar modes = modalDot(J + contact.jacobianOffsetA + (k + 1) * contact.strideA,
                                        v + contact.velocityOffsetA, contact.strideA) +
                               modalDot(J + contact.jacobianOffsetB + (k + 1) * contact.strideB,
                                        v + contact.velocityOffsetB, contact.strideB);
        rate += row.axis * (contact.freeSlipRate[k] + modes / 2 +
                            addedFrameVelocity(row, bodies[contact.bodyA], bodies[contact.bodyB], share, turnShare));
    }
    return rate;
}

/// That of the pair: the contacts' mean by load, which slip as one.
PlanarMotion meanSlipRate(const PairRange& range, const ContactConstraints& all, SolverBodies& bodies,
                          btScalar turnShare) {
    PlanarMotion mean;
    btVector3 moment(0, 0, 0);
    btScalar load = 0;
    const auto forLoaded = [&](const auto& visit) {
        for (int c = range.first; c < range.first + range.count; ++c)
            if (all.contacts[c].rows[0].impulse > 0) visit(all.contacts[c], all.contacts[c].rows[0].impulse);
    };
    forLoaded([&](const ContactConstraint& contact, btScalar P) {
        load += P;
        mean.centre += contact.point->getPositionWorldOnB() * P;
        mean.velocity += slipRate(contact, all, bodies, turnShare) * P;
        mean.turn += contact.rows[0].axis * P;  // the mean normal as yet
    });
    if (!(load > 0)) return {};
    mean.centre /= load;
    mean.velocity /= load;
    const btScalar length = mean.turn.length();
    const btVector3 normal = length > btScalar(0.5) * load ? mean.turn / length : btVector3(0, 0, 0);
    btScalar inertia = 0, momentum = 0;
    forLoaded([&](const ContactConstraint& contact, btScalar P) {
        const btVector3 turning = normal.cross(contact.point->getPositionWorldOnB() - mean.centre);
        inertia += P * turning.length2();
        momentum += P * turning.dot(slipRate(contact, all, bodies, turnShare));
    });
    mean.turn = inertia > 0 ? normal * (momentum / inertia) : btVector3(0, 0, 0);
    return mean;
}

}  // namespace

bool takesAnchor(const ContactConstraint& contact, const ReducedBodies& reducedBodies) {
    const auto isSolid = [&reducedBodies](int index) {
        const ReducedBody* s = reducedBody(reducedBodies, index);
        return s && dataOf(*s->body).group->surface != nullptr;
    };
    return !contact.isSpring && !contact.isSelf() && (isSolid(contact.reducedA) || isSolid(contact.reducedB));
}

void addAnchor(const ReducedBodies& reducedBodies, const SolverBodies& bodies, const btContactSolverInfo& info,
               const double* mean, const double* moved, ContactConstraint& contact) {
    contact.hasAnchor = true;
    const btManifoldPoint& point = *contact.point;
    const btVector3 slip =
        point.m_lateralFrictionDir1 * point.m_contactMotion2 + point.m_lateralFrictionDir2 * point.m_frictionCFM;
    for (int k = 0; k < 2; ++k) {
        ConstraintRow& row = contact.rows[k + 1];
        contact.slip[k] = slip.dot(row.axis);
        row.rhs -= kRecovery * contact.slip[k] / info.m_timeStep;
    }
    const double* free = slipsByMean(contact, reducedBodies, bodies) ? mean : moved;
    for (int k = 0; k < 2; ++k) contact.freeSlipRate[k] = static_cast<btScalar>(free[k]);
}

void moveAnchors(const ContactConstraints& all, const btContactSolverInfo& info, SolverBodies& bodies) {
    const btScalar turnShare = info.m_splitImpulse ? info.m_splitImpulseTurnErp : btScalar(0);
    for (const PairRange& range : all.order.pairRanges) {
        if (!all.contacts[range.first].hasAnchor) continue;
        const bool stick = sticks(range, all);
        const bool each = stick && !isOfCharacter(all.contacts[range.first], all.reducedBodies);
        const btScalar longest = longestSlip(all.contacts[range.first], all.reducedBodies);
        const PlanarMotion mean = stick ? meanSlipRate(range, all, bodies, turnShare) : PlanarMotion();
        for (int c = range.first; c < range.first + range.count; ++c) {
            const ContactConstraint& contact = all.contacts[c];
            const btVector3 rate = each && holdsByItself(contact) ? slipRate(contact, all, bodies, turnShare)
                                                                  : mean.at(contact.point->getPositionWorldOnB());
            btScalar slip[2] = {};
            for (int k = 0; k < 2 && stick; ++k)
                slip[k] = contact.slip[k] + rate.dot(contact.rows[k + 1].axis) * info.m_timeStep;
            const btScalar length = btSqrt(slip[0] * slip[0] + slip[1] * slip[1]);
            const btScalar keeps = length > longest ? longest / length : length >= 0 ? btScalar(1) : btScalar(0);
            contact.point->m_contactMotion2 = keeps > 0 ? keeps * slip[0] : btScalar(0);
            contact.point->m_frictionCFM = keeps > 0 ? keeps * slip[1] : btScalar(0);
        }
    }
}

}  // namespace btPliantInternal
