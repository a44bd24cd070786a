// SPDX-License-Identifier: Zlib
#include "btPliant/body/ForgetBody.h"

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>

namespace btPliantInternal {
namespace {

/// Out of the world, with its joints.
void takeOutOfWorld(const SystemData& system, btPliantBody& body) {
    btDiscreteDynamicsWorld& world = *system.world;
    for (int i = world.getNumConstraints() - 1; i >= 0; --i) {
        btTypedConstraint* constraint = world.getConstraint(i);
        if (&constraint->getRigidBodyA() == &body || &constraint->getRigidBodyB() == &body)
            world.removeConstraint(constraint);
    }
    if (system.isInWorld(body)) world.removeRigidBody(&body);
}

}  // namespace

void forgetBody(SystemData& system, btPliantBody& gone) {
    btPliantBody* body = &gone;
    std::vector<btPliantBody*>&bodies = system.bodies, &characters = system.characters;
    std::vector<TouchRequest>& touchRequests = system.touchRequests;
    const auto found = std::find(bodies.begin(), bodies.end(), body);
    if (found == bodies.end()) return;
    bodies.erase(found);
    characters.erase(std::remove(characters.begin(), characters.end(), body), characters.end());
    if (!system.worldIsGone) takeOutOfWorld(system, gone);
    touchRequests.erase(std::remove_if(touchRequests.begin(), touchRequests.end(),
                                       [body](const auto& r) { return r.body == body || r.other == body; }),
                        touchRequests.end());
    system.pairPenalties.forget(body);
    gone.setSelfContact(false);
}

}  // namespace btPliantInternal
