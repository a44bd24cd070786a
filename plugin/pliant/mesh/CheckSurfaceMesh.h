// SPDX-License-Identifier: Zlib
// What a surface has to be before anything is made of it.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Refuses a surface that nothing can be made of.
/// @param where what the message names: a file, or what the surface is
/// @throws Error  no triangles, NaN or infinite position, vertex number out of range, arrays of unequal length
PLIANT_INTERNAL_API void checkSurfaceMesh(const SurfaceMesh& mesh, const std::string& where);

}  // namespace pliant
