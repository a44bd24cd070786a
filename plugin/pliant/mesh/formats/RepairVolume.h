// SPDX-License-Identifier: Zlib
// What a simulation mesh of others may have wrong with it: repaired with a note, or refused.
#pragma once

#include <string>

#include "pliant/mesh/ReadVolume.h"

namespace pliant {

/// Merges vertices at one position, leaves out vertices that no element uses, and turns inverted tetrahedra round;
/// fills file.vertexOf and adds a note for each thing repaired.
/// @throws Error (checkVolumeMesh) for NaN, numbers out of range, elements without volume
void repairVolume(VolumeFile& file, const std::string& where);

}  // namespace pliant
