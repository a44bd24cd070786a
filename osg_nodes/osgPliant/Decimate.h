// SPDX-License-Identifier: Zlib
// Fewer triangles over the same vertices: what is drawn of bodies that are small on the screen.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace osgPliant {

struct Decimated {
    pliant::Triangles triangles;        ///< Numbers of the original vertices, 3 x m.
    std::vector<int> triangleMaterial;  ///< Material of each of the m triangles.
    double error = 0.0;                 ///< Largest way, at rest, that the surface has moved, m.
};

/// Collapses edges into one of their ends, cheapest first by the quadric error of [GH97], down to
/// each target or until nothing can go without tearing or folding the surface. Vertices stay where they are, so every
/// basis row stays right. Vertices at equal positions (seams) move together.
/// @param targetTriangles descending; one result each
std::vector<Decimated> decimate(const pliant::SurfaceMesh& surface, const std::vector<int>& targetTriangles);

/// For each vertex the lowest number of one at the same position.
std::vector<int> weldByPosition(const pliant::Points& positions);

}  // namespace osgPliant
