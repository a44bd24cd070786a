// SPDX-License-Identifier: Zlib
// Internal: the parts of a scene's text that SceneOfFile.h puts together.
#pragma once

#include <string>

#include "models/SceneOfFile.h"
#include "pliant/mesh/MeshSize.h"

namespace pliant::program {

/// Whether a file is a reduced model, by its name.
bool isReducedModel(const std::string& file);

/// A ground, 24 balls above something, and a camera before it.
/// @param below box of what stands in the scene, m
std::string fallingBalls(const BoundingBox& below);

/// A character that plays its first clip below falling balls.
/// @param name of the file as the scene has it  @throws Error
std::string characterText(const SingleFile& single, const std::string& name);

/// Bodies that fall, or one that is held below falling balls.
/// @param name of the file as the scene has it  @throws Error
std::string bodyText(const SingleFile& single, const std::string& name);

}  // namespace pliant::program
