// SPDX-License-Identifier: Zlib
#include "pliant/scene/SceneModels.h"

#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/math/Progress.h"
#include "pliant/scene/NearestWord.h"

namespace pliant::scene {
namespace {

LoadedModel loadOrMake(const ModelEntry& entry, const ModelMaker& make) {
    if (entry.isReduced && isCharacterFile(entry.file)) return loadCharacter(entry.file);
    if (entry.isReduced) return loadModel(entry.file);
    if (!make) throw Error(entry.file, "is a mesh, and nothing was given that makes models of meshes");
    return make(entry);
}

/// Materials of the mesh that the entry gives another look.
void expectMaterials(const ModelEntry& entry, const ReducedModel& model) {
    std::vector<std::string> known;
    std::string list;
    for (const SurfaceMaterial& material : model.surface.materials) {
        known.push_back(material.name);
        list += (list.empty() ? "" : ", ") + material.name;
    }
    for (const auto& [ofMesh, own] : entry.materials) {
        if (std::find(known.begin(), known.end(), ofMesh) != known.end()) continue;
        const std::string near = nearestWord(ofMesh, known);
        throw Error("", "the mesh has no material \"" + ofMesh + "\"",
                    near.empty() ? "it has: " + list : "did you mean \"" + near + "\"?");
    }
}

}  // namespace

Models loadModels(const SceneDescription& scene, const ModelMaker& make) {
    Models models;
    for (const ModelEntry& entry : scene.models) {
        try {
            models.push_back(loadOrMake(entry, make));
            if (entry.damping && entry.damping->strainRate > 0.0 && models.back()->damping.empty())
                throw Error(
                    "", "damping: strain_rate is asked for, and the model has no strain-rate damping",
                    entry.isReduced ? "make it by `pliant reduce --strain-rate`" : "say reduce: {strain_rate: true}");
            expectMaterials(entry, *models.back());
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {
            throw Error(entry.where, "model \"" + entry.label + "\": " + problem.what());
        }
    }
    return models;
}

}  // namespace pliant::scene
