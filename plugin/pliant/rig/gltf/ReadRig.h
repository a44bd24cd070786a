// SPDX-License-Identifier: Zlib
/// @file
/// Characters from files. glTF 2.0 by a reader of our own: others take 8-bit weights for garbage, fall over skins
/// without inverse bind matrices, and lose tangents and steps. Older formats through Assimp, in a process of its own.
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

/// All surfaces with skins of a file, as one: glTF (.gltf, .glb), and FBX, Collada (.dae) and DirectX .x, which a
/// program of its own reads with limits of time and memory; docs/characters.md says what is taken and what is not.
/// Memory stays in proportion to the bytes of the file, whatever it says.
/// @throws Error with file, place and bone for everything that is not as it has to be
PLIANT_API RigFile readRig(const std::string& path);

/// Whether a file that readRig() takes by its name has a surface that is bound to bones.
/// @throws Error where it cannot be read
PLIANT_API bool hasSkin(const std::string& path);

/// Clips for a skeleton, and what was left out or changed.
struct ClipsFile {
    std::vector<Clip> clips;         ///< At least one; all numbers are those of the skeleton's bones.
    std::vector<std::string> notes;  ///< "FILE: what".
};

/// The clips of a file that is a source of motion alone, for a skeleton of another: BVH, or any that readRig() takes,
/// with or without a skin. Bones are found by their names, and are turned in their parents as the file says; lengths of
/// bones stay the skeleton's. Scales that the clips give to bones are for checkBoneScales() to see.
/// @throws Error with file, clip and bone, and for files that move none of these bones
PLIANT_API ClipsFile readClips(const std::string& path, const Skeleton& skeleton);

}  // namespace pliant
