// SPDX-License-Identifier: Zlib
// How far away a box has to be seen from to be whole in the picture.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/scene/SceneBounds.h"

namespace pliant::scene {

/// The least distance from the middle of the bounds, m, at which all their corners are in the picture, with a tenth of
/// room around them.
/// @param back unit vector towards the eye
/// @param view its `up` and `fieldOfView` count
/// @param aspect width of the picture over its height
PLIANT_INTERNAL_API double fittingDistance(const Bounds& bounds, const Vector3& back, const ViewPoint& view,
                                           double aspect);

}  // namespace pliant::scene
