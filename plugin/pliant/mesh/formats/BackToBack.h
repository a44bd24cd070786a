// SPDX-License-Identifier: Zlib
// Triangles that lie on each other: backs of double-sided surfaces, and walls between bodies that touch.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Triangles between the same places, one the other way round: front and back of a double-sided surface, or two walls
/// of bodies that touch.
struct BackToBack {
    Eigen::Index first, second;
};

/// @param place of each vertex: vertices with the same number are at one place
std::vector<BackToBack> backToBack(const SurfaceMesh& mesh, const std::vector<int>& place);

/// Whether the back of a pair is drawn as its front is: the material, and texture coordinates and colours corner by
/// corner.
bool looksTheSame(const SurfaceMesh& mesh, const std::vector<int>& place, const BackToBack& pair);

/// Those of the pairs that are walls inside of a closed surface, not sheets with two sides beside it: they hang
/// together up to edges of other triangles, all around, at which the material lies on both sides of them. Walls in
/// sight, of or beside what is transparent, are none.
/// @param outward the mesh's triangles, facing out of the material
/// @param place for each vertex the first one at its place (firstAtPlace())
std::vector<BackToBack> wallsAmong(const SurfaceMesh& mesh, const Triangles& outward, const std::vector<int>& place,
                                   const std::vector<BackToBack>& pairs);

}  // namespace pliant
