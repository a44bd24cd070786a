// SPDX-License-Identifier: Zlib
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// Where every copy of a placement stands (mesh frame -> world), in order: x fastest, then y, then z.
/// The same seed gives the same places on every machine. @param up unit vector that stacks grow along
PLIANT_INTERNAL_API std::vector<RigidTransform> place(const Placement& placement, const Vector3& up);

}  // namespace pliant::scene
