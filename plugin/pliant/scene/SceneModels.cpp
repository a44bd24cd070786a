// SPDX-License-Identifier: Zlib
#include "pliant/scene/SceneModels.h"

#include "pliant/math/Error.h"
#include "pliant/math/Progress.h"

namespace pliant::scene {
namespace {

std::shared_ptr<const ReducedModel> loadOrMake(const ModelEntry& entry, const ModelMaker& make) {
    if (entry.isReduced) return loadModel(entry.file);
    if (!make) throw Error(entry.file, "is a mesh, and nothing was given that makes models of meshes");
    return make(entry);
}

}  // namespace

std::vector<std::shared_ptr<const ReducedModel>> loadModels(const SceneDescription& scene, const ModelMaker& make) {
    std::vector<std::shared_ptr<const ReducedModel>> models;
    for (const ModelEntry& entry : scene.models) {
        try {
            models.push_back(loadOrMake(entry, make));
            if (entry.damping && entry.damping->strainRate > 0.0 && models.back()->damping.empty())
                throw Error(
                    "", "damping: strain_rate is asked for, and the model has no strain-rate damping",
                    entry.isReduced ? "make it by `pliant reduce --strain-rate`" : "say reduce: {strain_rate: true}");
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {
            throw Error(entry.where, "model \"" + entry.name + "\": " + problem.what());
        }
    }
    return models;
}

}  // namespace pliant::scene
