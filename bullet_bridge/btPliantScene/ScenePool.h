// SPDX-License-Identifier: Zlib
// Bodies that are made at the start and come into the scene by events: a running world makes no bodies.
#pragma once

#include "btPliantScene/SceneData.h"

namespace btPliantInternal {

/// Whether a body takes part in the scene.
bool isPresent(const btRigidBody& body);

/// Gives the broadphase the words of a body that takes part, or of one that waits.
void setFilter(SceneData& data, btRigidBody& body, bool isThere);
/// Takes a body out of the scene: it touches nothing, is not moved, and lies where it has no potential energy.
void park(SceneData& data, btRigidBody& body);

/// Brings a parked body into the scene, undeformed and at rest but for its velocity. @param place of its mesh frame
void unpark(SceneData& data, btRigidBody& body, const pliant::RigidTransform& place, const pliant::Vector3& velocity);

}  // namespace btPliantInternal
