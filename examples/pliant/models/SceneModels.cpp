// SPDX-License-Identifier: Zlib
#include "models/SceneModels.h"

#include <filesystem>

#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneModels.h"

namespace pliant::program {

Models loadModels(const scene::SceneDescription& scene, const std::string& folder, int threads,
                  const ProgressCallback& progress) {
    return scene::loadModels(scene, [&](const scene::ModelEntry& entry) {
        ReduceOptions options = reduceOptions(entry);
        options.threads = threads;
        const std::string kept =
            entry.keep.empty() ? (std::filesystem::path(folder) / (entry.name + ".pliant")).string() : entry.keep;
        return reduceOrReuse(entry.file, options, kept,
                             [&](const std::string& stage, double fraction) {
                                 return !progress || progress(entry.name + ": " + stage, fraction);
                             })
            .model;
    });
}

}  // namespace pliant::program
