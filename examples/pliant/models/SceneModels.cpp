// SPDX-License-Identifier: Zlib
#include "models/SceneModels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneModels.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {

namespace {

/// Of a model that was just made: what tells whether its material and its size are what was meant.
std::string describe(const std::string& name, const ReducedModel& model) {
    constexpr Eigen::Index kShown = 4;
    std::string text = fmt::format("  {}: r = {}, {:.4g} kg,", name, model.dimension(), model.totalMass());
    const Eigen::Index count = std::min(kShown, model.elasticEigenvalues.size());
    for (Eigen::Index i = 0; i < count; ++i)
        text += fmt::format("{} {:.4g}", i ? "," : "",
                            std::sqrt(std::max(0.0, model.elasticEigenvalues[i])) / (2.0 * EIGEN_PI));
    return text + (count > 0 ? " Hz" : "");
}

std::string keptAt(const scene::ModelEntry& entry, const std::string& folder) {
    return entry.keep.empty() ? (std::filesystem::path(folder) / (entry.name + ".pliant")).string() : entry.keep;
}

std::shared_ptr<const CharacterModel> loadFlesh(const scene::ModelEntry& entry, const std::string& folder, int threads,
                                                ProgressBar& bar) {
    CharacterOptions options = characterOptions(entry);
    options.threads = threads;
    const StoredCharacter stored =
        rigOrReuse(entry.file, options, keptAt(entry, folder),
                   [&](const std::string& stage, double fraction) { return bar(entry.name + ": " + stage, fraction); });
    bar.clear();
    if (!stored.reused) fmt::print(stderr, "{}\n", describe(entry.name, *stored.character->flesh));
    return stored.character;
}

}  // namespace

std::string modelsIn(const std::string& output) {
    return (std::filesystem::path(output) / "models").string();
}

Models loadModels(const scene::SceneDescription& scene, const std::string& folder, int threads) {
    ProgressBar bar;
    return scene::loadModels(scene, [&](const scene::ModelEntry& entry) -> scene::LoadedModel {
        if (entry.rig) return loadFlesh(entry, folder, threads, bar);
        ReduceOptions options = reduceOptions(entry);
        options.threads = threads;
        const StoredModel stored = reduceOrReuse(
            entry.file, options, keptAt(entry, folder),
            [&](const std::string& stage, double fraction) { return bar(entry.name + ": " + stage, fraction); });
        bar.clear();
        if (!stored.reused) fmt::print(stderr, "{}\n", describe(entry.name, *stored.model));
        return stored.model;
    });
}

}  // namespace pliant::program
