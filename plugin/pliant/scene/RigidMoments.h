// SPDX-License-Identifier: Zlib
/// @file
/// What compounds of simple shapes weigh.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/RigidSurface.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// Volume, centre of mass and inertia of parts of one density; where they overlap, that counts twice.
/// @param parts at least one; boxes, spheres, capsules, cylinders and cones
/// @return as solidMoments(), in the frame that the parts are placed in
PLIANT_INTERNAL_API SolidMoments momentsOf(const std::vector<RigidPart>& parts);

}  // namespace pliant::scene
