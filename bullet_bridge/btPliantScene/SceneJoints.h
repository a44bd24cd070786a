// SPDX-License-Identifier: Zlib
// Internal: the joints of a scene in a Bullet world.
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <memory>
#include <string>
#include <vector>

#include "btPliantScene/SceneData.h"

namespace btPliantInternal {

/// Of all joints of one entry of a scene, a point for each of their bodies.
std::vector<btPliantScene::JointPoint> jointPoints(const SceneData& data, const pliant::scene::JointGroup& group);

/// The joints of one entry of a scene, between bodies that stand where they start; not yet in a world.
std::vector<std::unique_ptr<btTypedConstraint>> makeJoints(const SceneData& data,
                                                           const pliant::scene::JointGroup& group);

/// Notes a joint that holds many points; nothing for others. @param group its entry in the scene
void listPointJoints(SceneData& data, int group, btTypedConstraint& joint);
/// Gives the points of joints their places for the step that begins.
void leadPoints(SceneData& data);
/// What points cannot be held as the bodies are now, a sentence a joint.
std::vector<std::string> givenUpPoints(const SceneData& data);

}  // namespace btPliantInternal
