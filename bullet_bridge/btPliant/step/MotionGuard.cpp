// SPDX-License-Identifier: Zlib
// A guard over motions: what Bullet or its user has made of a body, before it is stepped and before others see it.
//
// SolutionGuard looks at what the solver has found. Transforms and velocities also come from elsewhere: the user sets
// them on the btRigidBody, and Bullet integrates them with the step that it was given.
#include "btPliant/step/MotionGuard.h"

#include <cmath>

#include "btPliant/data/Sound.h"

namespace btPliantInternal {

namespace {

constexpr int kGuardedAtOnce = 64;

bool canBe(const BodyData& data) {
    const btPliantBody& body = *data.body;
    if (!isPlace(body.getWorldTransform()) || !isWithin(body.getLinearVelocity(), kFastest) ||
        !isWithin(body.getAngularVelocity(), kFastest))
        return false;
    if (body.getActivationState() == ISLAND_SLEEPING) return true;  // what sleeps keeps its q
    if (data.ragdoll() && !(data.ragdoll()->V.cwiseAbs().maxCoeff() <= kFastest)) return false;
    // Mass-normalised: |q'|^2 / 2 is an energy, and |q| a length times the root of the mass.
    const double root = std::sqrt(data.model().totalMass());
    return data.batch().velocity(data.slot).norm() <= kFastest * root &&
           data.batch().q(data.slot).norm() <= kFarthest * root;
}

void putBack(BodyData& data) {
    btPliantBody& body = *data.body;
    const bool pastCanBe = data.previousQ.norm() <= kFarthest * std::sqrt(data.model().totalMass());
    if (!pastCanBe) data.previousQ.setZero();
    data.batch().putBack(data.slot, data.previousQ.data());
    if (RagdollData* d = data.ragdoll()) d->V.setZero();
    body.setWorldTransform(data.deformedTransform);
    body.setLinearVelocity(btVector3(0, 0, 0));
    body.setAngularVelocity(btVector3(0, 0, 0));
    body.setInterpolationWorldTransform(data.deformedTransform);
    body.setInterpolationLinearVelocity(btVector3(0, 0, 0));
    body.setInterpolationAngularVelocity(btVector3(0, 0, 0));
    body.updateInertiaTensor();
    // Bullet has taken it out of the simulation where its box was larger than a thousand kilometres.
    if (body.getActivationState() == DISABLE_SIMULATION) body.forceActivationState(ACTIVE_TAG);
    data.lastLinearVelocity.setZero();
    data.angularMomentum.setZero();
    data.momentumIsKnown = false;
    data.collisionIsOutdated = true;
}

template <class Body>
void forBodiesInWorld(SystemData& system, const Body& each) {
    system.workers->forBlocks(static_cast<int>(system.bodies.size()), kGuardedAtOnce, [&](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody& body = *system.bodies[static_cast<std::size_t>(i)];
            if (system.isInWorld(body)) each(dataOf(body));
        }
    });
}

}  // namespace

double usableStep(SystemData& system, double step) {
    if (std::isfinite(step) && step >= 0.0) return step;
    system.say("A step of a length that cannot be was asked for: reduced bodies stood still in it. ");
    return 0.0;
}

void putBackBeforeStep(SystemData& system) {
    forBodiesInWorld(system, [](BodyData& data) {
        data.wasPutBack = !canBe(data);
        if (data.wasPutBack) putBack(data);
    });
}

void putBackAfterStep(SystemData& system) {
    forBodiesInWorld(system, [](BodyData& data) {
        if (data.wasPutBack || !canBe(data)) putBack(data);
        data.wasPutBack = false;
        // Bullet adds up the steps that it was given, and a state holds their sum.
        if (!std::isfinite(data.body->getDeactivationTime())) data.body->setDeactivationTime(0);
    });
}

}  // namespace btPliantInternal
