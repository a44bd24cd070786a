// SPDX-License-Identifier: Zlib
#include "models/ModelStore.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/reduce/InputHash.h"

namespace pliant::program {
namespace {

/// The model at `path` where it is whole and made from the same input and options, else null.
std::shared_ptr<const ReducedModel> fresh(const std::string& path, const std::string& hash,
                                          const std::string& options) {
    if (!files::isFile(path)) return nullptr;
    try {
        std::shared_ptr<const ReducedModel> model = loadModel(path);
        const Provenance& made = model->provenance;
        return made.inputHash == hash && made.options == options ? model : nullptr;
    } catch (const Error&) {
        return nullptr;  // truncated, foreign or of an older version: made anew
    }
}

bool hasEmbeddedTextures(const SurfaceMesh& surface) {
    return std::any_of(surface.materials.begin(), surface.materials.end(),
                       [](const SurfaceMaterial& material) { return material.embeddedTexture != nullptr; });
}

}  // namespace

void expectWritableFolder(const std::string& folder) {
    const std::filesystem::path path = folder.empty() ? "." : folder;
    std::error_code problem;
    std::filesystem::create_directories(path, problem);
    const std::filesystem::path probe = path / (".pliant-" + std::to_string(getpid()));
    const bool written = std::ofstream(probe).put('x').flush().good();
    std::filesystem::remove(probe, problem);
    if (!written)
        throw Error(path.string(), "cannot write into this folder",
                    "choose another one (of scenes: --output, --models)");
}

void expectWritableFile(const std::string& path) {
    if (files::isFolder(path)) throw Error(path, "is a folder", "name a file");
    // Whole files take the place of what has their name: a device would be no device any more.
    expectWritableFolder(files::placeOfWholeFile(path).parent_path().string());
}

void expectWritableStream(const std::string& path) {
    if (files::isFolder(path)) throw Error(path, "is a folder", "name a file");
    if (files::isThere(path) && !files::isFile(path)) return;  // opening a pipe would be to write
    expectWritableFolder(std::filesystem::path(path).parent_path().string());
}

void expectWritableModel(const std::string& path) {
    if (std::filesystem::path(path).extension() != ".pliant")
        throw Error(path, "the name of a reduced model ends in .pliant", "write to " + path + ".pliant");
    expectWritableFile(path);
}

StoredModel reduceOrReuse(const std::string& input, const ReduceOptions& given, const std::string& path,
                          const ProgressCallback& progress, ReductionReport* report) {
    const auto start = std::chrono::steady_clock::now();
    StoredModel stored;
    const ReduceOptions options = given.decidedFor(input);
    const std::string hash = inputHash(input, options);
    // Of several processes the first one looks, and writes; the others do as it says.
    const MatrixX reused = workOfFirst(options.shares, [&] {
        stored.model = fresh(path, hash, options.canonical());
        if (!stored.model) expectWritableModel(path);
        return MatrixX::Constant(1, 1, stored.model ? 1.0 : 0.0);
    });
    stored.reused = reused(0, 0) > 0.0;
    if (!stored.reused) {
        stored.model = reduceFile(input, options, progress, report);
        workOfFirst(options.shares, [&] { return saveModel(*stored.model, path), MatrixX(); });
        if (hasEmbeddedTextures(stored.model->surface)) stored.model = loadModel(path);  // they are files now
    }
    stored.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return stored;
}

StoredCharacter rigOrReuse(const std::string& input, const CharacterOptions& options, const std::string& path,
                           const ProgressCallback& progress, CharacterReport* report) {
    StoredCharacter stored;
    const std::string hash = filesHash({input});
    if (files::isFile(path)) {
        try {
            stored.character = loadCharacter(path);
            const Provenance& made = stored.character->flesh->provenance;
            stored.reused = made.inputHash == hash && made.options == options.canonical();
        } catch (const Error&) {  // truncated, foreign or of an older version: made anew
        }
    }
    if (stored.reused) return stored;
    expectWritableModel(path);
    stored.character = makeCharacterOf(input, options, progress, report);
    saveCharacter(*stored.character, path);
    stored.character = loadCharacter(path);  // textures are files now
    return stored;
}

}  // namespace pliant::program
