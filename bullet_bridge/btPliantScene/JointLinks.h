// SPDX-License-Identifier: Zlib
// Internal: what the joints of a scene look like.
#pragma once

#include "btPliantScene/btPliantScene.h"
#include "pliant/scene/ScenePoses.h"

namespace btPliantInternal {

/// The joints of a scene as they stand: a pin at each end, a rod between ends that are apart and to a body that is away
/// from its end, a hook where the world holds, an axle for hinges and a rail for sliders. Broken joints vanish.
void collectLinks(const btPliantScene& world, pliant::scene::LinkShapes& links);

}  // namespace btPliantInternal
