// SPDX-License-Identifier: Zlib
// A body's contacts with itself. Bullet's broadphase pairs no object with itself, so they are found when a substep has
// ended, for the next one, and put into manifolds that name the body twice. Their rows act on the body at both points:
// what they do to the frame cancels, what they do to q is the sum (ContactConstraints.h).
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include "btPliant/narrowphase/ManifoldWriter.h"
#include "btPliant/narrowphase/PairContacts.h"
#include "btPliant/step/SystemData.h"

using btPliantInternal::ContactPair;

namespace {

btCollisionObjectWrapper wrapped(const btPliantBody& body) {
    return btCollisionObjectWrapper(nullptr, body.getCollisionShape(), &body, body.getWorldTransform(), -1, -1);
}

}  // namespace

void btPliantBody::setSelfContact(bool on) {
    Data& data = *m_data;
    if (on == (data.selfPair != nullptr)) return;
    data.selfPair.reset();
    activate(true);
    if (!on) return;
    btPliantSystem::Data& system = data.system->data();
    std::shared_ptr<const pliant::RestNeighbours>& neighbours = data.group->restNeighbours;
    for (const auto& group : system.groups)
        if (!neighbours && group->model == data.group->model) neighbours = group->restNeighbours;
    if (!neighbours) neighbours = std::make_shared<pliant::RestNeighbours>(data.group->collision);
    data.restNeighbours = neighbours;
    const btCollisionObjectWrapper wrap = wrapped(*this);
    data.selfPair.reset(new ContactPair(*this, wrap, *btPliantInternal::colliderOf(wrap), false, false,
                                        *system.world->getDispatcher()));
}

bool btPliantBody::getSelfContact() const {
    return m_data->selfPair != nullptr;
}

void btPliantSystem::Data::findSelfContacts() {
    work.clear();
    for (btPliantBody* body : bodies)
        if (body->data().selfPair && (body->isActive() || !isInWorld(*body))) work.push_back(body);
    if (work.empty()) return;
    workers->forBlocks(static_cast<int>(work.size()), 1, [this](int begin, int end) {
        for (int i = begin; i < end; ++i) {
            btPliantBody& body = *work[static_cast<std::size_t>(i)];
            if (!isInWorld(body)) {
                body.data().selfPair->contacts.clear();
                continue;
            }
            body.data().deformed->refit();
            const btPliantInternal::PlacedShape placed{*body.getCollisionShape(), body.getWorldTransform()};
            btPliantInternal::findContacts(*body.data().selfPair, placed, stepLength, -1.0);
        }
    });
    for (btPliantBody* body : work) {
        const btCollisionObjectWrapper wrap = wrapped(*body);
        btManifoldResult result(&wrap, &wrap);
        btPliantInternal::writeManifolds(*body->data().selfPair, wrap, wrap, result);
    }
}
