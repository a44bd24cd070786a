// SPDX-License-Identifier: Zlib
// A body's contacts with itself. Bullet's broadphase pairs no object with itself, so they are found when a substep has
// ended, for the next one, and put into manifolds that name the body twice. Their rows act on the body at both points:
// what they do to the frame cancels, what they do to q is the sum (ContactConstraints.h).
#include "btPliant/narrowphase/SelfContact.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/PairContacts.h"

namespace btPliantInternal {

namespace {

btCollisionObjectWrapper wrapped(const btPliantBody& body) {
    return btCollisionObjectWrapper(nullptr, body.getCollisionShape(), &body, body.getWorldTransform(), -1, -1);
}

}  // namespace

std::unique_ptr<ContactPair> makeSelfPair(btPliantBody& body, const ShapeCollider& collider) {
    return std::make_unique<ContactPair>(body, wrapped(body), collider, false, false,
                                         *body.getSystem().getWorld()->getDispatcher());
}

void findSelfContacts(SystemData& system) {
    system.work.clear();
    for (btPliantBody* body : system.bodies)
        if (dataOf(*body).selfPair && (body->isActive() || !system.isInWorld(*body))) system.work.push_back(body);
    if (system.work.empty()) return;
    system.workers->forBlocks(static_cast<int>(system.work.size()), 1, [&system](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody& body = *system.work[static_cast<std::size_t>(i)];
            if (!system.isInWorld(body)) {
                dataOf(body).selfPair->contacts.clear();
                continue;
            }
            dataOf(body).deformed->refit();
            const PlacedShape placed{*body.getCollisionShape(), body.getWorldTransform()};
            findContacts(*dataOf(body).selfPair, placed, system.stepLength, -1.0);
        }
    });
    for (btPliantBody* body : system.work) {
        const btCollisionObjectWrapper wrap = wrapped(*body);
        btManifoldResult result(&wrap, &wrap);
        writeManifolds(*dataOf(*body).selfPair, wrap, wrap, result);
    }
}

}  // namespace btPliantInternal
