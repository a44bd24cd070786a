// SPDX-License-Identifier: Zlib
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// Where every copy of a placement stands (mesh frame -> world), in order: x fastest, then y, then z.
/// The same seed gives the same places on every machine. @param up unit vector that stacks grow along
PLIANT_INTERNAL_API std::vector<RigidTransform> place(const Placement& placement, const Vector3& up);

/// A place that is told in a frame, in the world. @param frame world from the frame that `place` is told in
PLIANT_INTERNAL_API RigidTransform inFrame(const RigidTransform& frame, const RigidTransform& place);
/// A frame by its origin, m, and its rotation about x, then y, then z, degrees.
PLIANT_INTERNAL_API RigidTransform frameOf(const Vector3& position, const Vector3& degrees);

}  // namespace pliant::scene
