// SPDX-License-Identifier: Zlib
// Bones as driven rigid bodies, and what contacts do to them.
#include <Eigen/Geometry>
#include <cmath>
#include <string>

#include "btPliant/body/CharacterPoses.h"
#include "btPliant/btPliantCharacter.h"
#include "btPliant/data/Convert.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {

using pliant::AffineMap;
using pliant::Matrix3;
using pliant::RigidTransform;
using pliant::Vector3;

namespace {

/// Head and axes of a bone, world.
RigidTransform boneFrame(const CharacterData& c, int bone, const std::vector<AffineMap>& at) {
    const AffineMap& map = at[static_cast<std::size_t>(bone)];
    const pliant::Similarity& bind = c.model->skeleton.bones[static_cast<std::size_t>(bone)].bind;
    const double scale = map.col(0).norm();
    RigidTransform frame;
    frame.rotation = map.leftCols<3>() / (scale > 0.0 ? scale : 1.0) * bind.rotation.toRotationMatrix();
    frame.translation = map.leftCols<3>() * bind.translation + map.col(3);
    return frame;
}

}  // namespace

void placeBone(const CharacterData& c, int bone) {
    btRigidBody& body = *c.boneBodies[static_cast<std::size_t>(bone)];
    const RigidTransform now = boneFrame(c, bone, c.bones);
    body.setWorldTransform(toBullet(now));
    body.setInterpolationWorldTransform(body.getWorldTransform());
    Vector3 velocity = Vector3::Zero(), spin = Vector3::Zero();
    if (c.begunStep > 0.0 && !c.jumps) {
        const RigidTransform next = boneFrame(c, bone, c.nextBones);
        const Eigen::AngleAxisd turn(Matrix3(next.rotation * now.rotation.transpose()));
        velocity = (next.translation - now.translation) / c.begunStep;
        spin = turn.axis() * (turn.angle() / c.begunStep);
    }
    body.setLinearVelocity(toBullet(velocity));
    body.setAngularVelocity(toBullet(spin));
}

// Solvers that are built for several threads know driven bodies by their number in the world, which bones do not have:
// they are numbered behind all that is in it.
void numberBones(SystemData& system) {
    int next = system.world->getNumCollisionObjects();
    for (btPliantBody* body : system.characters)
        for (auto& bone : dataOf(*body).character->boneBodies)
            if (bone) bone->setWorldArrayIndex(next++);
}

}  // namespace btPliantInternal

using btPliantInternal::CharacterData;
using btPliantInternal::dataOf;

namespace {
bool isBone(const CharacterData& c, int bone) {
    return bone >= 0 && bone < c.boneCount();
}
}  // namespace

btTransform btPliantCharacter::getBoneTransform(int bone) const {
    const CharacterData& c = *data().character;
    if (!isBone(c, bone)) return btTransform::getIdentity();
    return btPliantInternal::toBullet(btPliantInternal::boneFrame(c, bone, c.bones));
}

btRigidBody& btPliantCharacter::getBoneBody(int bone) {
    CharacterData& c = *data().character;
    if (!isBone(c, bone))
        throw pliant::Error("btPliantCharacter::getBoneBody",
                            "there is no bone " + std::to_string(bone) + ", there are " + std::to_string(c.boneCount()),
                            "take a number from 0 on");
    c.boneBodies.resize(static_cast<std::size_t>(c.boneCount()));
    auto& body = c.boneBodies[static_cast<std::size_t>(bone)];
    if (!body) {
        body = std::make_unique<btRigidBody>(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, nullptr));
        body->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT | btCollisionObject::CF_NO_CONTACT_RESPONSE);
        body->setActivationState(DISABLE_DEACTIVATION);
        btPliantInternal::placeBone(c, bone);
        btPliantInternal::numberBones(dataOf(getSystem()));
    }
    return *body;
}

btVector3 btPliantCharacter::getBoneImpulse(int bone) const {
    const CharacterData& c = *data().character;
    return isBone(c, bone) ? btPliantInternal::toBullet(c.impulses[static_cast<std::size_t>(bone)])
                           : btVector3(0, 0, 0);
}

btVector3 btPliantCharacter::getBoneAngularImpulse(int bone) const {
    const CharacterData& c = *data().character;
    return isBone(c, bone) ? btPliantInternal::toBullet(c.angularImpulses[static_cast<std::size_t>(bone)])
                           : btVector3(0, 0, 0);
}
