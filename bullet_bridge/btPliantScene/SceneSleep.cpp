// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneSleep.h"

#include <algorithm>
#include <numeric>
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

/// Whether Bullet is about to let it fall asleep though it moves. It does so at gDeactivationTime, and half of that is
/// soon enough: what is kept awake then is not asked again in each step.
bool dozes(const btRigidBody& body) {
    const int state = body.getActivationState();
    return (state == ACTIVE_TAG || state == WANTS_DEACTIVATION) && !body.isStaticOrKinematicObject() &&
           body.getDeactivationTime() > gDeactivationTime / 2 && body.getWorldArrayIndex() >= 0 && moves(body);
}

/// Whether one body bears on the other. Points that are only near, which Bullet keeps up to a distance that grows with
/// the shape, carry nothing.
bool touches(const btPersistentManifold& manifold) {
    for (int i = 0; i < manifold.getNumContacts(); ++i) {
        const btManifoldPoint& point = manifold.getContactPoint(i);
        if (point.m_appliedImpulse > 0 || !(point.getDistance() > 0)) return true;
    }
    return false;
}

/// A body's group, of those that reach each other through contacts.
int groupOf(std::vector<int>& groups, int body) {
    while (groups[static_cast<std::size_t>(body)] != body) {
        int& above = groups[static_cast<std::size_t>(body)];
        above = groups[static_cast<std::size_t>(above)];
        body = above;
    }
    return body;
}

/// Groups of bodies that touch, by their places in the world; what touches something that stands is in group 0.
/// Bullet's islands are others: boxes that overlap and joints unite them, and a bob that hangs on a stand is not
/// carried by the ground below the stand.
void groupByTouch(btDiscreteDynamicsWorld& world, std::vector<int>& groups) {
    groups.resize(static_cast<std::size_t>(world.getNumCollisionObjects()) + 1);
    std::iota(groups.begin(), groups.end(), 0);
    const auto placeOf = [](const btCollisionObject& object) {
        return object.isStaticOrKinematicObject() ? 0 : object.getWorldArrayIndex() + 1;
    };
    btDispatcher& dispatcher = *world.getDispatcher();
    for (int i = 0; i < dispatcher.getNumManifolds(); ++i) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(i);
        if (!touches(manifold)) continue;
        const int one = groupOf(groups, placeOf(*manifold.getBody0())),
                  other = groupOf(groups, placeOf(*manifold.getBody1()));
        groups[static_cast<std::size_t>(std::max(one, other))] = std::min(one, other);
    }
}

}  // namespace

void keepAwakeWhatNothingCarries(SceneData& data) {
    std::vector<btRigidBody*>& dozing = data.sleep.dozing;
    dozing.clear();
    dozing.reserve(data.rigids.size() + data.deformables.size());
    data.sleep.groups.reserve(static_cast<std::size_t>(data.world.getNumCollisionObjects()) + 1);
    for (const btPliantScene::Rigid& rigid : data.rigids)
        if (dozes(*rigid.m_body)) dozing.push_back(rigid.m_body);
    // Characters are left to step/Sleep.cpp: they stay awake while a clip or a fall moves their bones, and what the
    // frame does says nothing of that.
    for (const btPliantScene::Deformable& deformable : data.deformables)
        if (!btPliantCharacter::upcast(deformable.m_body) && dozes(*deformable.m_body))
            dozing.push_back(deformable.m_body);
    if (dozing.empty()) return;
    groupByTouch(data.world, data.sleep.groups);
    for (btRigidBody* body : dozing) {
        if (groupOf(data.sleep.groups, body->getWorldArrayIndex() + 1) == 0) continue;
        body->setActivationState(ACTIVE_TAG);
        body->setDeactivationTime(0);
    }
}

}  // namespace btPliantInternal
