// SPDX-License-Identifier: Zlib
#pragma once

#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "btPliantScene/btPliantScene.h"

namespace btPliantInternal {

/// Bodies of a scene by the name of their group, in the order of place().
using NamedBodies = std::map<std::string, std::vector<btRigidBody*>>;

struct SceneData;

/// Of all joints of one entry of a scene, a point for each of their bodies.
std::vector<btPliantScene::JointPoint> jointPoints(const SceneData& data, const pliant::scene::JointGroup& group);

/// The joints of one entry of a scene, between bodies that stand where they start; not yet in a world.
std::vector<std::unique_ptr<btTypedConstraint>> makeJoints(const SceneData& data,
                                                           const pliant::scene::JointGroup& group);

}  // namespace btPliantInternal
