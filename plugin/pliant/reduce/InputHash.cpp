// SPDX-License-Identifier: Zlib
#include "pliant/reduce/InputHash.h"

#include <xxhash.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/ObjText.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

struct FreeState {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

/// Counted up where the same input and options give another model than before, so that models kept beside scenes are
/// made anew. 2: assumed strains of thin bodies, and finer surfaces of what bends. 3: thin bodies
/// are cut along their own axes, and walls of open surfaces through their thickness.
constexpr std::uint64_t reductionVersion = 4;

class FileHasher {
public:
    FileHasher() : m_state(XXH3_createState()) { XXH3_128bits_reset(m_state.get()); }

    /// Takes the file, then those that it names. A named file that is missing counts as empty: readers tolerate a
    /// missing .mtl and refuse a missing *INCLUDE themselves.
    void add(const std::filesystem::path& path) {
        if (!m_seen.insert(path.lexically_normal().string()).second) return;
        const std::string text = readTextFile(path.string());
        const std::uint64_t size = text.size();
        XXH3_128bits_update(m_state.get(), &size, sizeof size);
        XXH3_128bits_update(m_state.get(), text.data(), text.size());
        for (const std::string_view line : splitLines(text)) {
            constexpr std::string_view include = "*INCLUDE", materials = "mtllib";
            if (line.substr(0, include.size()) == include) {
                const auto named = path.parent_path() / std::string(trimmed(line.substr(include.size())));
                if (files::isFile(named)) add(named);
            }
            if (line.substr(0, materials.size()) != materials) continue;
            const std::string named(trimmed(line.substr(materials.size())));
            for (const std::string& file : materialFilesThere(named, path.parent_path().string())) add(file);
        }
        if (path.extension() == ".gltf") addUris(text, path.parent_path());
    }

    void addNumber(std::uint64_t number) { XXH3_128bits_update(m_state.get(), &number, sizeof number); }

    std::string hex() const {
        const XXH128_hash_t hash = XXH3_128bits_digest(m_state.get());
        char text[33];
        std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                      static_cast<unsigned long long>(hash.low64));
        return text;
    }

private:
    /// Files that a .gltf names: "uri": "NAME", unless it holds the data themselves.
    void addUris(const std::string& text, const std::filesystem::path& folder) {
        for (std::size_t at = text.find("\"uri\""); at != std::string::npos; at = text.find("\"uri\"", at + 1)) {
            const std::size_t open = text.find('"', at + 5);
            const std::size_t close = open == std::string::npos ? open : text.find('"', open + 1);
            if (close == std::string::npos) return;
            const std::string name = text.substr(open + 1, close - open - 1);
            if (name.compare(0, 5, "data:") != 0 && files::isFile(folder / name)) add(folder / name);
        }
    }

    std::unique_ptr<XXH3_state_t, FreeState> m_state;
    std::set<std::string> m_seen;
};

}  // namespace

std::string inputHash(const std::string& input, const ReduceOptions& options) {
    FileHasher hasher;
    hasher.addNumber(reductionVersion);
    hasher.add(input);
    if (!options.fixedVertices.empty()) hasher.add(options.fixedVertices);
    if (!options.surface.empty()) hasher.add(options.surface);
    return hasher.hex();
}

std::string filesHash(const std::vector<std::string>& paths) {
    FileHasher hasher;
    for (const std::string& path : paths) hasher.add(path);
    return hasher.hex();
}

}  // namespace pliant
