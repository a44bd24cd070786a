// SPDX-License-Identifier: Zlib
// How large a scene is, and where one looks at it from when the scene does not say.
#pragma once

#include "btPliantScene/btPliantScene.h"
#include "pliant/scene/SceneBounds.h"

namespace btPliantInternal {

/// Of all bodies as they stand, and of their shadows straight down on the ground.
pliant::scene::Bounds boundsOf(const btPliantScene& world);

/// What a picture of the whole run has to hold: all bodies as they stand, and where those that fall come to, alone
/// (along their parabolas) and as a heap.
pliant::scene::Bounds boundsOfRun(const btPliantScene& world);

/// The scene's camera, or one for boundsOfRun() that leaves no more room around it than it must.
pliant::scene::ViewPoint viewPoint(const btPliantScene& world);

/// Width of the picture over its height.
double aspectOf(const pliant::scene::SceneDescription& scene);

}  // namespace btPliantInternal
