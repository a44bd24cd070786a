// SPDX-License-Identifier: Zlib
// Who meets whom, in Bullet's filter words.
#pragma once

#include "btPliantScene/SceneData.h"

namespace btPliantInternal {

/// The words that Bullet compares: a pair is looked at where each one's group is in the other's mask.
struct FilterWords {
    int group, mask;
};

/// Of bodies in a layer. @param layer a name of the scene's
FilterWords filterOf(const pliant::scene::SceneDescription& scene, const std::string& layer);
/// The layer of a body of the scene; empty where it is in none.
const std::string& layerOf(const SceneData& data, const btRigidBody& body);
/// Adds a body to the world, in its layer. @param layer may be empty
void addToWorld(SceneData& data, btRigidBody& body, const std::string& layer);
/// Makes layers names of all their bodies, for sensors, fields and events.
void nameLayers(SceneData& data);

}  // namespace btPliantInternal
