// SPDX-License-Identifier: Zlib
// How the camera of a WholeView moves.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "pliant/scene/WholeView.h"

namespace pliant::scene {

/// The box of all bodies that take part, and of their shadows straight down on the ground.
/// @param near bodies whose middle is farther than `reach` from here are left out: they have flown or rolled away
PLIANT_INTERNAL_API Bounds boundsAt(const SceneDescription& scene, const WholeView& whole, const ScenePoses& poses,
                                    const Vector3& near, double reach);

/// Comes nearer to the place from where the boxes of all bodies of `poses` are seen, within some tenths of a second,
/// sooner where that is farther away, and never farther than twice the distance of the start.
/// @param view where it stands; set
/// @param passed time since it stood there, s
PLIANT_INTERNAL_API void keepInPicture(const SceneDescription& scene, const WholeView& whole, const ScenePoses& poses,
                                       double passed, ViewPoint& view);

}  // namespace pliant::scene
