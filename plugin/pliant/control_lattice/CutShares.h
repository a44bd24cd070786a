// SPDX-License-Identifier: Zlib
// How much of a tetrahedron lies inside a surface: the part where the signed distance, taken as linear between the
// corners, is below zero. The paper integrates over every tetrahedron with a corner inside: a sphere six of them across
// then weighs 64 % too much.
#pragma once

#include <array>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Share of the volume of a tetrahedron where a linear function with these values at its corners is below zero, 0 to 1.
double shareBelowZero(const std::array<double, 4>& values);

/// Distance of each point to the surface, m, below zero inside.
/// @param surface closed; how its triangles are turned does not matter  @param points 3 x n
VectorX signedDistances(const SurfaceMesh& surface, const Points& points);

}  // namespace pliant
