// SPDX-License-Identifier: Zlib
/// @file
/// The models that a scene names.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/scene/SceneDescription.h"

namespace pliant::scene {

/// A model of a scene: a reduced model, or a character with its flesh. Stands for the reduced one.
class LoadedModel {
public:
    LoadedModel() = default;
    /// Without bones.
    template <class Reduced, class = std::enable_if_t<std::is_convertible_v<Reduced*, const ReducedModel*>>>
    LoadedModel(std::shared_ptr<Reduced> reduced) : m_reduced(std::move(reduced)) {}
    /// A character.
    LoadedModel(std::shared_ptr<const CharacterModel> character)
        : m_reduced(character ? character->flesh : nullptr), m_character(std::move(character)) {}

    /// The reduced model; of a character its flesh.
    const std::shared_ptr<const ReducedModel>& reduced() const { return m_reduced; }
    /// Null where it is no character.
    const std::shared_ptr<const CharacterModel>& character() const { return m_character; }
    /// The reduced model.
    operator const std::shared_ptr<const ReducedModel>&() const { return m_reduced; }
    const ReducedModel& operator*() const { return *m_reduced; }        ///< The reduced model.
    const ReducedModel* operator->() const { return m_reduced.get(); }  ///< The reduced model.
    const ReducedModel* get() const { return m_reduced.get(); }         ///< The reduced model.
    explicit operator bool() const { return m_reduced != nullptr; }     ///< Whether there is one.

private:
    std::shared_ptr<const ReducedModel> m_reduced;
    std::shared_ptr<const CharacterModel> m_character;
};

/// The models of a scene, one an entry.
class Models : public std::vector<LoadedModel> {
public:
    using std::vector<LoadedModel>::vector;
    Models() = default;
    /// Without bones.
    Models(const std::vector<std::shared_ptr<const ReducedModel>>& reduced)
        : std::vector<LoadedModel>(reduced.begin(), reduced.end()) {}
};

/// Makes the model of an entry that names a mesh or a rigged character (ModelEntry::isReduced is false).
using ModelMaker = std::function<LoadedModel(const ModelEntry&)>;

/// The models of a scene in its order: those that have been made are loaded, others made.
/// @param scene names them
/// @param make may be empty where readScene() was given no ReduceReader, for then there are no meshes
/// @throws Error with the place of the entry; Cancelled as `make` throws it
PLIANT_API Models loadModels(const SceneDescription& scene, const ModelMaker& make = {});

}  // namespace pliant::scene
