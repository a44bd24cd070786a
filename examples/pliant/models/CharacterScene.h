// SPDX-License-Identifier: Zlib
// A scene around a single character, for files that are no scenes.
#pragma once

#include <string>

#include "pliant/scene/SceneReader.h"

namespace pliant::program {

/// Whether a file is a rigged character, or flesh on one, by its name.
bool isCharacterName(const std::string& file);

/// The character on the ground plays its first clip, and balls fall on it.
/// @param up axis of the file that points up: x, y or z  @throws Error
scene::SceneDescription sceneOfCharacter(const std::string& file, char up, const scene::SceneOptions& options);

}  // namespace pliant::program
