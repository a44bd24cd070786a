// SPDX-License-Identifier: Zlib
// Characters as .glb, for generators and tests.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// Everything of the rig but textures. Numbers are stored in single precision; curves as splines, with their tangents.
/// @param path of a .glb  @throws Error when it cannot be written
PLIANT_INTERNAL_API void writeRig(const Rig& rig, const std::string& path);

/// The bytes of that file.
PLIANT_INTERNAL_API std::string rigAsGlb(const Rig& rig);

}  // namespace pliant
