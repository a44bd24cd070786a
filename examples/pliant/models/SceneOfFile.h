// SPDX-License-Identifier: Zlib
// A scene around a single mesh, reduced model or rigged character, for files that are no scenes.
#pragma once

#include <string>

#include "pliant/scene/SceneReader.h"

namespace pliant::program {

/// Whether a file is a mesh, a reduced model or a rigged character, by its name.
bool isSingleFile(const std::string& file);

/// What the command line says about a single file; empty: nothing.
struct SingleFile {
    std::string file;
    std::string up;     ///< Axis of the file that points up: x, y or z; empty: not said.
    std::string units;  ///< Units of its coordinates, as in scenes: m, cm, ...; empty: not said.
};

/// Reduced bodies fall onto the ground and onto each other; onto those that are held, and onto characters, which play
/// their first clip, balls fall.
/// @param folder that paths in the text start from
/// @return a scene file  @throws Error
std::string sceneTextOf(const SingleFile& single, const std::string& folder);

}  // namespace pliant::program
