// SPDX-License-Identifier: Zlib
#include "btPliant/step/OneWayStep.h"

#include <LinearMath/btTransformUtil.h>

#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/step/FreeStep.h"
#include "btPliant/step/MotionGuard.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

void listDeformingBodies(SystemData& system, bool awake) {
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (system.isInWorld(*body) && !dataOf(*body).character && (!awake || body->isActive()))
            system.work.push_back(body);
}

template <class Each>
void forWork(SystemData& system, const Each& each) {
    system.workers->forBlocks(static_cast<int>(system.work.size()), 8, [&system, &each](int begin, int end) {
        for (int i = begin; i < end; ++i) each(dataOf(*system.work[static_cast<std::size_t>(i)]));
    });
}

// The trapezoidal rule's q'_1 = 2 (q_1 - q_0) / h - q'_0, and the response to the impulses on top of it.
void predictLoaded(BodyData& data, double h) {
    const pliant::BodyBatch& batch = data.batch();
    const auto v = batch.velocity(data.slot);
    data.loadedVelocity = v;
    if (!batch.hasResponse(data.slot)) return;
    batch.predict(data.slot, h, data.contactProjection.data());
    data.loadedVelocity = (2.0 / h) * (data.contactProjection - batch.q(data.slot)) - v;
    const Vector3 noTorque = Vector3::Zero();
    Vector3 turn;
    data.modalContactForce *= h;  // now impulses
    batch.response(data.slot, noTorque, data.modalContactForce.data(), turn, data.contactProjection.data());
    data.loadedVelocity += data.contactProjection;
}

void countPairsInContact(SystemData& system) {
    for (btPliantBody* body : system.bodies) dataOf(*body).pairsInContact = 0;
    for (ContactPair* pair : system.pairs) {
        pair->wasInContact = !pair->manifolds.empty();
        if (!pair->wasInContact) continue;
        ++dataOf(pair->a).pairsInContact;
        if (pair->b) ++dataOf(*pair->b).pairsInContact;
    }
}

}  // namespace

void predictLoadedBodies(SystemData& system) {
    const double h = system.stepLength;
    if (!(h > 0.0)) return;
    countPairsInContact(system);
    listDeformingBodies(system, false);
    sumLastContactForces(system, system.work);
    forWork(system, [h](BodyData& data) { predictLoaded(data, h); });
}

namespace {

bool turnsFreely(const btPliantBody& body) {
    return dataOf(body).frameIsFree && body.getAngularFactor() == btVector3(1, 1, 1);
}

/// The frame as it stood before Bullet turned it; its place stays.
btTransform turned(const btPliantBody& body, const btVector3& omega, double h) {
    btTransform result;
    btTransformUtil::integrateTransform(body.getWorldTransform(), btVector3(0, 0, 0), omega, static_cast<btScalar>(h),
                                        result);
    return result;
}

/// What Bullet has done to the angular velocity it has done to a body with the inertia of rest: that much angular
/// momentum has come in.
void takeAngularImpulse(BodyData& data) {
    btPliantBody& body = *data.body;
    const btVector3& omega = body.getAngularVelocity();
    const btMatrix3x3& basis = body.getWorldTransform().getBasis();
    constexpr double sameFrame = 1e-3;  // beyond what rounding makes of turning there and back
    const Matrix3 A = toEigen(basis);
    const bool wasSet = omega.isZero() || (A - toEigen(data.momentumBasis)).norm() > sameFrame;
    if (!data.momentumIsKnown || wasSet) {
        data.momentumIsKnown = false;  // updateMomentum() takes it from the velocity
        return;
    }
    const Vector3 change = A.transpose() * toEigen(btVector3(omega - data.momentumVelocity));
    const Vector3 inverse = toEigen(body.getInvInertiaDiagLocal());
    Vector3 impulse = Vector3::Zero();
    for (int i = 0; i < 3; ++i)
        if (inverse[i] > 0.0) impulse[i] = change[i] / inverse[i];
    data.angularMomentum += A * impulse;
    data.momentumVelocity = omega;
    data.momentumBasis = basis;
}

/// To the start of the substep, where the impulses acted.
void turnBack(BodyData& data, double h) {
    btPliantBody& body = *data.body;
    if (!turnsFreely(body)) return;
    body.setWorldTransform(turned(body, -body.getAngularVelocity(), h));
    takeAngularImpulse(data);
}

/// Through the substep, by the momentum and the inertia of its end.
void turnOn(BodyData& data, double h) {
    settleEnergy(data);
    if (!data.frameIsFree) return;
    updateInertia(data);
    btPliantBody& body = *data.body;
    if (!turnsFreely(body)) return;
    updateMidstepAngularVelocity(data, h);
    body.setCenterOfMassTransform(turned(body, body.getAngularVelocity(), h));
}

}  // namespace

void stepOneWay(SystemData& system) {
    const double h = system.stepLength;
    system.contactsAreFound = false;
    putBackBeforeStep(system);
    if (!(h > 0.0)) return;
    system.lastSolvedStep = h;
    listDeformingBodies(system, true);
    forWork(system, [h](BodyData& data) { turnBack(data, h); });
    freeStep(system, system.work);
    listDeformingBodies(system, true);
    forWork(system, [h](BodyData& data) { turnOn(data, h); });
}

}  // namespace btPliantInternal
