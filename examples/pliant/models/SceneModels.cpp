// SPDX-License-Identifier: Zlib
#include "models/SceneModels.h"

#include <filesystem>

#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

std::shared_ptr<const ReducedModel> load(const scene::ModelEntry& entry, const std::string& folder, int threads,
                                         const ProgressCallback& progress) {
    if (entry.isReduced) return loadModel(entry.file);
    ReduceOptions options = reduceOptions(entry);
    options.threads = threads;
    const std::string kept =
        entry.keep.empty() ? (std::filesystem::path(folder) / (entry.name + ".pliant")).string() : entry.keep;
    return reduceOrReuse(entry.file, options, kept, progress).model;
}

}  // namespace

Models loadModels(const scene::SceneDescription& scene, const std::string& folder, int threads,
                  const ProgressCallback& progress) {
    Models models;
    for (const scene::ModelEntry& entry : scene.models) {
        try {
            models.push_back(load(entry, folder, threads, [&](const std::string& stage, double fraction) {
                return !progress || progress(entry.name + ": " + stage, fraction);
            }));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {
            throw Error(entry.where, "model \"" + entry.name + "\": " + problem.what());
        }
    }
    return models;
}

}  // namespace pliant::program
