// SPDX-License-Identifier: Zlib
#include "models/SceneModels.h"

#include <filesystem>

#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneModels.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

std::string modelsIn(const std::string& output) {
    return (std::filesystem::path(output) / "models").string();
}

Models loadModels(const scene::SceneDescription& scene, const std::string& folder, int threads) {
    ProgressBar bar;
    return scene::loadModels(scene, [&](const scene::ModelEntry& entry) {
        ReduceOptions options = reduceOptions(entry);
        options.threads = threads;
        const std::string kept =
            entry.keep.empty() ? (std::filesystem::path(folder) / (entry.name + ".pliant")).string() : entry.keep;
        return reduceOrReuse(
                   entry.file, options, kept,
                   [&](const std::string& stage, double fraction) { return bar(entry.name + ": " + stage, fraction); })
            .model;
    });
}

}  // namespace pliant::program
