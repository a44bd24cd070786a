// SPDX-License-Identifier: Zlib
// Whether a surface closes: its vertices joined by position, every edge shared.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// For each vertex the first one at its place: itself, or the lowest one that is first at its own place and no farther
/// than `tolerance`.
PLIANT_INTERNAL_API std::vector<int> firstAtPlace(const Points& positions, double tolerance);

/// Triangles that come a second time between the same places, either way round.
enum class TriangleCopies { LeftOut, Kept };

/// The triangles between places: corners are the first vertices there. Those with two corners at one place are left
/// out, and so are `copies`. Vertices closer than 1e-6 of the surface's diagonal are at one place: seams of texture
/// coordinates, and what exporters have rounded.
PLIANT_INTERNAL_API Triangles trianglesBetweenPlaces(const SurfaceMesh& surface,
                                                     TriangleCopies copies = TriangleCopies::LeftOut);

/// Edges at which a surface ends.
struct OpenEdges {
    int count = 0;                    ///< Number of open edges; 0: the surface is closed.
    Vector3 place = Vector3::Zero();  ///< Middle of the first open edge.
};

/// Edges with an odd number of `triangles` (as trianglesBetweenPlaces() gives them). Four at an edge are two sheets
/// that touch there; orientation does not matter.
PLIANT_INTERNAL_API OpenEdges openEdges(const Points& positions, const Triangles& triangles);

/// Whether the surface encloses its inside: it has triangles, and no open edge.
PLIANT_INTERNAL_API bool isClosed(const SurfaceMesh& surface);

}  // namespace pliant
