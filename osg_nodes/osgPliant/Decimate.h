// SPDX-License-Identifier: Zlib
// Fewer triangles over the same vertices: what is drawn of bodies that are small on the screen.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace osgPliant {

struct Decimated {
    pliant::Triangles triangles;        ///< Numbers of the original vertices, 3 x m.
    std::vector<int> triangleMaterial;  ///< Material of each of the m triangles.
    double error = 0.0;  ///< Largest root mean square, at rest, of a vertex's way from the planes it had, m.
    /// Largest way, at rest, of any original vertex from the surface, m: two or three times that. Where arrays are
    /// told.
    double farthest = 0.0;
};

/// Collapses edges into one of their ends, cheapest first by the quadric error of [GH97], down to
/// each target or until nothing can go without tearing or folding the surface. Vertices stay where they are, so every
/// basis row stays right. Vertices at equal positions (seams) move together.
/// @param targetTriangles descending; one result each
/// @param array           of every vertex the number of the array that it lies in; empty: all lie in one. A corner of a
///                        triangle stays in its array, which it goes on taking its colours and textures from.
std::vector<Decimated> decimate(const pliant::SurfaceMesh& surface, const std::vector<int>& targetTriangles,
                                const std::vector<int>& array = {});

/// Levels of detail for what is smaller and smaller on the screen, each with half of the triangles of the one before,
/// as far as that gains anything. @param array see decimate()
std::vector<Decimated> coarserLevels(const pliant::SurfaceMesh& surface, const std::vector<int>& array = {});

/// For each vertex the lowest number of one at the same position.
std::vector<int> weldByPosition(const pliant::Points& positions);

}  // namespace osgPliant
