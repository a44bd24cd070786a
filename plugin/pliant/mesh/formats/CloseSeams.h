// SPDX-License-Identifier: Zlib
// Edges that should be one: corners that differ by rounding, corners in the middle of another triangle's edge.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// What closeSeams() did.
struct ClosedSeams {
    int moved = 0;    ///< Number of vertices that were moved to another one.
    int split = 0;    ///< Number of edges in which corners of others lay.
    int tooMany = 0;  ///< Number of open edges where they were more than are looked at (50,000), else 0.
    bool any() const { return moved > 0 || split > 0; }
};

/// Moves vertices of open edges that are no farther apart than `tolerance` (m) to one place, leaves out triangles that
/// collapse by that, and splits open edges where vertices of other open edges lie in them, with attributes in
/// proportion (normals of unit length); new vertices and triangles are appended. What is not within the tolerance stays
/// open.
ClosedSeams closeSeams(SurfaceMesh& mesh, double tolerance);

}  // namespace pliant
