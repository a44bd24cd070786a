// SPDX-License-Identifier: Zlib
// What every maker of contact geometry asks of its input.
#pragma once

#include <string>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Throws an Error where surface, simulation mesh and basis are no body: no triangles or elements, triangles of
/// vertices that do not exist, numbers that are not finite, a basis of another mesh.
/// @param basis 3n x r, over the vertices of `mesh`
/// @param where what is made of them, for the message
void checkBodyInput(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& basis, const std::string& where);

}  // namespace pliant
