// SPDX-License-Identifier: Zlib
/// @file
/// Characters from glTF 2.0 files, by a reader of our own: others take 8-bit weights for garbage, fall over skins
/// without inverse bind matrices, and lose tangents and steps.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// A character, and what was left out or changed, one sentence each, for the user to see.
struct RigFile {
    Rig rig;                         ///< Complete and checked, bones with their ends.
    std::vector<std::string> notes;  ///< "FILE: what".
};

/// All surfaces with skins of a .gltf or .glb file, as one; docs/characters.md says what is taken and what is not.
/// Memory stays in proportion to the bytes of the file, whatever it says.
/// @throws Error with file, place and bone for everything that is not as it has to be
PLIANT_API RigFile readRig(const std::string& path);

}  // namespace pliant
