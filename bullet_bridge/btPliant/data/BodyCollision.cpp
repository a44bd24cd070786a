// SPDX-License-Identifier: Zlib
#include "btPliant/data/BodyCollision.h"

#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "pliant/runtime/IntegratorTraits.h"

namespace btPliantInternal {

bool collisionNeedsUpdate(const BodyData& data) {
    // Where a body cannot be it is not moved to: to ask again and again would add to the bounds of its motion each
    // time.
    const btTransform& place = data.body->getWorldTransform();
    return data.collisionIsOutdated || (!(place == data.deformedTransform) && isPlace(place));
}

pliant::DeformedBody::NewState beginCollisionUpdate(BodyData& data) {
    data.collisionIsOutdated = false;
    // A place that cannot be is none to move to: bounds on motion are sums, which would be no numbers for good. The
    // substep puts the body back (step/MotionGuard.h).
    if (isPlace(data.body->getWorldTransform())) data.deformedTransform = data.body->getWorldTransform();
    return {&*data.deformed, data.batch().q(data.slot).data(), toEigen(data.deformedTransform),
            data.character ? data.character->bones.data() : nullptr};
}

void updateCollision(BodyData& data) {
    if (!collisionNeedsUpdate(data)) return;
    const pliant::DeformedBody::NewState state = beginCollisionUpdate(data);
    pliant::DeformedBody::moveTogether(&state, 1);
}

pliant::DeformedField::NewState fieldState(BodyData& data) {
    return {&*data.field, &*data.deformed, data.batch().q(data.slot).data()};
}

void recordSubstepMotion(BodyData& data) {
    data.substepTravel = data.travel.until(data.deformed->motionBound());
    data.travel.begin(data.deformed->motionBound());
    data.substepRelativeMotionBound = data.relativeTravel.until(data.deformed->relativeMotionBound());
    data.relativeTravel.begin(data.deformed->relativeMotionBound());
}

pliant::RigidTransform worldFromMesh(const BodyData& data) {
    const pliant::RigidTransform &body = data.deformed->worldFromBody(), &mesh = data.model().meshFromBody;
    pliant::RigidTransform world;
    world.rotation = body.rotation * mesh.rotation.transpose();
    world.translation = body.translation - world.rotation * mesh.translation;
    return world;
}

void forgetMotion(BodyData& data) {
    data.collisionIsOutdated = true;
    updateCollision(data);
    data.travel.begin(data.deformed->motionBound());
    data.relativeTravel.begin(data.deformed->relativeMotionBound());
}

bool takesSurfaceSprings(const BodyData& data) {
    if (!data.field || data.character) return false;
    const pliant::BatchSettings& settings = data.batch().settings();
    return pliant::movesByHalfStep(settings) && !pliant::traitsOf(settings.integrator).holdsForceOverStep &&
           data.field->model().surface().shell.count() == data.deformed->model().spheres().count();
}

bool asksForImpulses(const BodyData& data) {
    return pliant::traitsOf(data.batch().settings().integrator).expectsImpulses;
}

void stateWasSet(BodyData& data) {
    data.batch().resetAcceleration(data.slot);
    data.momentumIsKnown = false;
    data.collisionIsOutdated = true;
    data.isAsleep = false;
    data.body->activate(true);
}

}  // namespace btPliantInternal
