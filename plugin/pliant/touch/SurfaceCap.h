// SPDX-License-Identifier: Zlib
// The rounding of the surface between its points (PointShell): what a point of a shell touches with.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/touch/DeformedField.h"

namespace pliant {

/// From a surface point to where the cap around it reaches farthest against `normal`, world, m. Zero where the point
/// has no cap.
/// @param outward normal of the surface there, unit, world @param normal unit, world, away from what is touched
PLIANT_INTERNAL_API Vector3 capReach(const PointShell& shell, int sphere, const Vector3& outward,
                                     const Vector3& normal);

/// Whether the cap around a surface point looks at what is touched. Beyond its opening the surface between other points
/// is nearer, or a sharp feature of what is touched is. True where the point has no cap.
PLIANT_INTERNAL_API bool capFaces(const PointShell& shell, int sphere, const Vector3& outward, const Vector3& normal);

}  // namespace pliant
