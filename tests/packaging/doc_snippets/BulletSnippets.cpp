// SPDX-License-Identifier: Zlib
// What stands around the examples of docs/characters.md, docs/hand.md, docs/joints.md and docs/runtime.md that are
// about bodies in a Bullet world.
#include <btBulletDynamicsCommon.h>

#include "btPliant/btPliantCharacter.h"
#include "btPliant/btPliantHandThread.h"
#include "btPliant/btPliantHeldPoints.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/btPliantSystem.h"
#include "btPliant/btPliantTool.h"
#include "pliant/hand/HandDevice.h"

namespace doc_snippets {

void characterInAWorld(btPliantSystem& system, btDiscreteDynamicsWorld& world, const btPliantCharacterInfo& info,
                       double speed, double phase, const pliant::Pose& pose, const btTransform& place) {
#include "characters/3.inc"
}

void toolInAWorld(btDiscreteDynamicsWorld& world, btPliantBody* spoon, const btTransform& grip,
                  const pliant::HandSettings& settings, const pliant::ToolPose& devicePose, pliant::HandDevice& device,
                  double time, btScalar h) {
#include "hand/2.inc"
}

void handBesideAWorld(btDiscreteDynamicsWorld& world, btPliantBody* cow, btRigidBody* ground,
                      const btSphereShape& sphere, const pliant::ToolPose& start,
                      const std::shared_ptr<pliant::HandDevice>& device, const btPliantTouchSettings& touch,
                      bool (*plays)(), btScalar h) {
#include "hand/3.inc"
}

void hookInAWorld(btDiscreteDynamicsWorld& world, btPliantBody* basket) {
#include "joints/1.inc"
}

void heldPoints(btDiscreteDynamicsWorld& world, btPliantBody* flag, const btVector3& where, const btVector3& velocity) {
#include "joints/2.inc"
}

void softContact(btPliantSystem& system, btPliantBody* cushion, btRigidBody* ground) {
#include "runtime/1.inc"
}

}  // namespace doc_snippets
