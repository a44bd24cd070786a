// SPDX-License-Identifier: Zlib
// Sharp edges of a surface that has no normals of its own, for the picture.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Triangles that share an edge share the normals of its ends only where their planes meet at no more than `degrees`
/// (0: flat everywhere; 180: smooth everywhere, nothing changes). Vertices whose triangles do not all hang together by
/// such edges are split: the first group of triangles keeps the number, copies for the others are appended, each with
/// the normal of its own triangles (weighted by their angles). Vertices at one position count as one; those that need
/// no splitting keep their normals. Triangles keep their numbers.
void splitCreases(SurfaceMesh& mesh, double degrees);

}  // namespace pliant
