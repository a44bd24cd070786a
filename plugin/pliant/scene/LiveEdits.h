// SPDX-License-Identifier: Zlib
/// @file
/// What of a scene that runs can follow its file while it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {

/// A live number that a file has given another value.
struct LiveEdit {
    std::string name;    ///< As events have it: "crate.friction".
    LivePath path;       ///< The same, checked.
    double value = 0.0;  ///< That it comes to, as events set it.
};

/// Compares a scene with what has become of its file. Live are gravity; friction and restitution of bodies and rigid
/// bodies that have a name; the motors of joints that have one; and the damping of a model whose bodies all have one.
/// @param before, after the two as printedScene() writes them  @param path the file that both stand for
/// @param options as for readScene()
/// @return the edits, in the order of the file; nothing where something else has changed, or a number is one that only
/// a new start can have
PLIANT_API std::optional<std::vector<LiveEdit>> liveEdits(const std::string& before, const std::string& after,
                                                          const std::string& path, const SceneOptions& options = {});

}  // namespace pliant::scene
