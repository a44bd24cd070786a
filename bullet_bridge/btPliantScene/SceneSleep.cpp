// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneSleep.h"

#include <vector>

#include "btPliant/btPliantCharacter.h"
#include "btPliantScene/SceneData.h"

namespace btPliantInternal {

namespace {

/// Of Bullet's thresholds: what hangs or floats is at rest below this share of them.
constexpr btScalar restingShare = btScalar(0.01);

bool moves(const btRigidBody& body) {
    const btScalar linear = restingShare * body.getLinearSleepingThreshold(),
                   angular = restingShare * body.getAngularSleepingThreshold();
    return body.getLinearVelocity().length2() > linear * linear ||
           body.getAngularVelocity().length2() > angular * angular;
}

/// Whether Bullet is about to let it fall asleep though it moves.
bool dozes(const btRigidBody& body) {
    const int state = body.getActivationState();
    return (state == ACTIVE_TAG || state == WANTS_DEACTIVATION) && !body.isStaticOrKinematicObject() &&
           body.getDeactivationTime() > 0 && body.getIslandTag() >= 0 && moves(body);
}

/// Numbers of the groups of bodies, by contacts and joints, that touch something that stands.
std::vector<char> carriedIslands(btDiscreteDynamicsWorld& world) {
    std::vector<char> carried(static_cast<std::size_t>(world.getNumCollisionObjects()), 0);
    const auto note = [&carried](const btCollisionObject& one, const btCollisionObject& other) {
        const int tag = one.getIslandTag();
        if (other.isStaticOrKinematicObject() && tag >= 0 && tag < static_cast<int>(carried.size()))
            carried[static_cast<std::size_t>(tag)] = 1;
    };
    btDispatcher& dispatcher = *world.getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        if (manifold.getNumContacts() == 0) continue;
        note(*manifold.getBody0(), *manifold.getBody1());
        note(*manifold.getBody1(), *manifold.getBody0());
    }
    return carried;
}

}  // namespace

void keepAwakeWhatNothingCarries(SceneData& data) {
    std::vector<btRigidBody*> dozing;
    for (const btPliantScene::Rigid& rigid : data.rigids)
        if (dozes(*rigid.m_body)) dozing.push_back(rigid.m_body);
    for (const btPliantScene::Deformable& deformable : data.deformables)
        if (!btPliantCharacter::upcast(deformable.m_body) && dozes(*deformable.m_body))
            dozing.push_back(deformable.m_body);
    if (dozing.empty()) return;
    const std::vector<char> carried = carriedIslands(data.world);
    for (btRigidBody* body : dozing) {
        const auto tag = static_cast<std::size_t>(body->getIslandTag());
        if (tag < carried.size() && carried[tag]) continue;
        body->setActivationState(ACTIVE_TAG);
        body->setDeactivationTime(0);
    }
}

}  // namespace btPliantInternal
