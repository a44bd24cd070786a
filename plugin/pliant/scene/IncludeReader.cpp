// SPDX-License-Identifier: Zlib
// Scene files that other scene files include.
#include <algorithm>
#include <filesystem>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

class Includes {
public:
    explicit Includes(const CheckedYaml::Kind& kind) : m_kind(kind) {}

    /// What a file includes, and then the file itself: the later one may override the earlier.
    void add(const CheckedYaml& file) {
        m_open.push_back(files::sameName(file.file()).string());
        if (const auto list = file.find("include"))
            for (const CheckedYaml& item : list->items()) include(item);
        m_seen.push_back(m_open.back());
        m_open.pop_back();
        m_files.push_back(inOwnUnits(file));
    }
    std::vector<CheckedYaml> files() { return std::move(m_files); }

private:
    void include(const CheckedYaml& item) {
        const std::string path = existingFile(item, item.file()), name = files::sameName(path).string();
        if (std::find(m_open.begin(), m_open.end(), name) != m_open.end())
            item.fail("\"" + path + "\" includes itself", "remove it from one of the files");
        if (std::find(m_seen.begin(), m_seen.end(), name) == m_seen.end()) add(CheckedYaml::readFile(path, m_kind));
    }

    CheckedYaml::Kind m_kind;
    std::vector<CheckedYaml> m_files;
    std::vector<std::string> m_open, m_seen;
};

}  // namespace

CheckedYaml readIncludes(const CheckedYaml& root, const CheckedYaml::Kind& kind) {
    Includes all(kind);
    all.add(root);
    return CheckedYaml::merged(all.files());
}

}  // namespace pliant::scene
