// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "scene/SceneDescription.h"
#include "scene/Scope.h"

namespace pliant::scene {

/// Reads and checks a scene file. Paths in the result are usable from the working directory. Does not open the models.
/// @throws Error with file:line:column, the problem and the nearest known key; SeveralErrors (Mistakes.h) where several
/// parts of the file are wrong
/// @param given variables of the file with values of their own
SceneDescription readScene(const std::string& path, const GivenVariables& given = {});
/// As readScene, for text that stands for the file `path`.
SceneDescription parseScene(const std::string& text, const std::string& path, const GivenVariables& given = {});

}  // namespace pliant::scene
