// SPDX-License-Identifier: Zlib
#include "models/SceneModels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneKeys.h"
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

/// A message of the reduction, which names options of the command line, in the words of a scene.
std::string inKeys(std::string text) {
    static const std::pair<const char*, const char*> own[] = {
        {"--shell", "solid: false"}, {"--solid", "solid: true"}, {"--dim", "dimension"}, {"--hold", "fixed"}};
    for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 1)) {
        const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz-", at);
        const std::string option = text.substr(at, end - at);
        std::string key = option.substr(2);
        std::replace(key.begin(), key.end(), '-', '_');
        if (!scene::sceneKeys("reduce").find(key) && !scene::sceneKeys("rig").find(key)) key.clear();
        for (const auto& [known, word] : own)
            if (option == known) key = word;
        if (!key.empty()) text.replace(at, option.size(), key);
    }
    return text;
}

/// What the making of a model has to tell, in the words of a scene, a line each.
void tell(const std::string& name, const std::vector<std::string>& notes) {
    for (const std::string& note : notes) fmt::print(stderr, "  {}: note: {}\n", name, inKeys(note));
}

/// make(); mistakes get the words of scenes. Their place is added by scene::loadModels().
template <class Make>
auto inScene(const Make& make) {
    try {
        return make();
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& problem) {
        throw Error("", inKeys(problem.what()));
    }
}

/// The name under which an entry's reduction is kept: that of the first one with the same mesh and options, so that
/// models that differ by colour alone are reduced once.
std::string sharedName(const scene::SceneDescription& scene, const scene::ModelEntry& entry) {
    if (entry.rig) return entry.name;
    const std::string options = reduceOptions(entry).canonical();
    for (const scene::ModelEntry& other : scene.models)
        if (!other.rig && !other.isReduced && other.keep.empty() && other.file == entry.file &&
            reduceOptions(other).canonical() == options)
            return other.name;
    return entry.name;
}

std::string keptAt(const scene::SceneDescription& scene, const scene::ModelEntry& entry, const ModelFolder& folder) {
    const std::filesystem::path path(folder.path);
    if (entry.keep.empty()) return (path / (sharedName(scene, entry) + ".pliant")).string();
    return folder.movesWhatIsKept ? (path / std::filesystem::path(entry.keep).filename()).string() : entry.keep;
}

std::shared_ptr<const CharacterModel> loadFlesh(const scene::ModelEntry& entry, const std::string& path, int threads,
                                                ProgressBar& bar) {
    CharacterOptions options = characterOptions(entry);
    options.threads = threads;
    CharacterReport report;
    const StoredCharacter stored = rigOrReuse(
        entry.file, options, path,
        [&](const std::string& stage, double fraction) { return bar(entry.name + ": " + stage, fraction); }, &report);
    bar.clear();
    tell(entry.name, report.notes);
    if (!stored.reused) fmt::print(stderr, "{}\n", describe(entry.name, *stored.character->flesh));
    return stored.character;
}

}  // namespace

ModelFolder modelsIn(const std::string& output) {
    return {(std::filesystem::path(output) / "models").string(), false};
}

Models loadModels(const scene::SceneDescription& scene, const ModelFolder& folder, int threads) {
    ProgressBar bar;
    return scene::loadModels(scene, [&](const scene::ModelEntry& entry) -> scene::LoadedModel {
        const std::string path = keptAt(scene, entry, folder);
        if (entry.rig) return inScene([&] { return loadFlesh(entry, path, threads, bar); });
        ReduceOptions options = reduceOptions(entry);
        options.threads = threads;
        ReductionReport report;
        const StoredModel stored = inScene([&] {
            return reduceOrReuse(
                entry.file, options, path,
                [&](const std::string& stage, double fraction) { return bar(entry.name + ": " + stage, fraction); },
                &report);
        });
        bar.clear();
        tell(entry.name, report.notes);
        if (!stored.reused) fmt::print(stderr, "{}\n", describe(entry.name, *stored.model));
        return stored.model;
    });
}

}  // namespace pliant::program
