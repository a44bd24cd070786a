// SPDX-License-Identifier: Zlib
// Internal: the parts of a scene's text that SceneOfFile.h puts together.
#pragma once

#include <string>

#include "models/SceneOfFile.h"
#include "pliant/math/Types.h"

namespace pliant::program {

/// Lower and upper corner of what stands in the scene, m.
struct Extent {
    Vector3 lower = Vector3::Zero(), upper = Vector3::Zero();

    Vector3 middle() const { return 0.5 * (lower + upper); }
    double size() const { return (upper - lower).maxCoeff(); }
};

/// Whether a file is a reduced model, by its name.
bool isReducedModel(const std::string& file);

/// Of points, m.
Extent extentOf(const Points& points);

/// A ground, 24 balls above something, and a camera before it.
std::string fallingBalls(const Extent& extent);

/// A character that plays its first clip below falling balls.
/// @param name of the file as the scene has it  @throws Error
std::string characterText(const SingleFile& single, const std::string& name);

/// Bodies that fall, or one that is held below falling balls.
/// @param name of the file as the scene has it  @throws Error
std::string bodyText(const SingleFile& single, const std::string& name);

}  // namespace pliant::program
