// SPDX-License-Identifier: Zlib
// Characters as .glb, for generators and tests.
#pragma once

#include <cstdint>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// Everything of the rig but textures; bones and clips alone where it has no triangles. Numbers are stored in single
/// precision; curves as splines, with their tangents.
/// @param path of a .glb  @throws Error when it cannot be written, and before anything is for more than a .glb can hold
PLIANT_INTERNAL_API void writeRig(const Rig& rig, const std::string& path);

/// The bytes of that file. @param where for errors
PLIANT_INTERNAL_API std::string rigAsGlb(const Rig& rig, const std::string& where = "writeRig");

/// Bones that numbers of 16 bits tell apart.
constexpr std::uint64_t mostGlbBones = 65536;
/// The largest length that the header of a .glb can say.
constexpr std::uint64_t mostGlbBytes = 0xFFFFFFFF;

/// @throws Error at `where` for more than these
PLIANT_INTERNAL_API void checkGlbLimits(std::uint64_t bones, std::uint64_t bytes, const std::string& where);

}  // namespace pliant
