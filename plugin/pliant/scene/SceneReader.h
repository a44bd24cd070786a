// SPDX-License-Identifier: Zlib
/// @file
/// Reads scene files (docs/scene.md): text into plain values, checked.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/Scope.h"

namespace pliant::scene {

/// Reads how a mesh becomes a model: the block `reduce` of an entry of `models`, which may be missing, and the scene
/// file that it stands in. What it throws is a mistake of the file.
using ReduceReader =
    std::function<std::shared_ptr<const ReduceRecipe>(const std::optional<CheckedYaml>&, const std::string&)>;

/// Reads how a rigged character gets flesh: the block `rig` of an entry of `models`. What it throws is a mistake of the
/// file.
using RigReader = std::function<std::shared_ptr<const ReduceRecipe>(const CheckedYaml&)>;

/// Reads a surface for a rigid body, m. @throws Error
using SurfaceReader = std::function<SurfaceMesh(const std::string&)>;

/// What the reader of a scene file is told beside the file.
struct SceneOptions {
    GivenVariables variables;     ///< Variables of the file with values of their own.
    ReduceReader reduceReader;    ///< Where there is none, meshes among the models are mistakes.
    RigReader rigReader;          ///< Where there is none, rigged characters among the models are mistakes.
    SurfaceReader surfaceReader;  ///< Of other formats than .obj; where there is none, they are mistakes.
    /// Name of a tool that is read as if it said `dynamics: thread`; "" = all tools.
    std::optional<std::string> toolInThread;
};

/// Reads and checks a scene file. Paths in the result are usable from the working directory. Does not open the models.
/// @throws Error with file:line:column, the problem and the nearest known key; SeveralErrors (SeveralErrors.h) where
/// several parts of the file are wrong
PLIANT_API SceneDescription readScene(const std::string& path, const SceneOptions& options = {});
/// The same as readScene(), for text that stands for the file `path`.
PLIANT_API SceneDescription parseScene(const std::string& text, const std::string& path,
                                       const SceneOptions& options = {});

/// A scene file as it was understood: one file without includes, variables, repeated entries and parameters, whose
/// prefabs have one instance each. Reading it gives the same scene.
/// @throws Error as readScene() does, and where files have lengths in different units
PLIANT_API std::string printedScene(const std::string& path, const SceneOptions& options = {});

}  // namespace pliant::scene
