// SPDX-License-Identifier: Zlib
// Which bones the parts of a finished reduced model follow.
#pragma once

#include "pliant/model/CharacterModel.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// @param rig whose surface is the drawn one of `flesh`, vertex by vertex  @param nodes weights of the simulation
/// vertices. Spheres at a drawn vertex follow what that follows, others the flesh around them.
BodySkin bindSkin(const Rig& rig, const ReducedModel& flesh, const SkinWeights& nodes);

}  // namespace pliant
