// SPDX-License-Identifier: Zlib
// Blocks of several files as one.
#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/scene/CheckedYaml.h"

namespace pliant::scene {
namespace {

/// Lists whose entries stand each for itself; others, such as a vector, are one value.
bool isListOfEntries(const std::string& name) {
    const KeyRow* row = sceneKeys("scene").find(name);
    return row && row->type == "list";
}

}  // namespace

CheckedYaml CheckedYaml::merged(std::vector<CheckedYaml> files) {
    if (files.size() == 1) return files[0];
    for (CheckedYaml& file : files) file.m_isWholeFile = true;
    CheckedYaml whole = files.back();
    whole.m_parts = std::move(files);
    return whole;
}

std::vector<std::string> CheckedYaml::files() const {
    std::vector<std::string> all;
    for (const CheckedYaml& part : m_parts) all.push_back(part.m_file);
    if (all.empty()) all.push_back(m_file);
    return all;
}

bool CheckedYaml::says(const char* key) const {
    if (!m_node.IsMap()) return false;
    for (const auto& pair : m_node)
        if (pair.first.IsScalar() && pair.first.Scalar() == key) return child(pair.second, key).boolean();
    return false;
}

/// What several parts have under one key.
CheckedYaml CheckedYaml::mergedFrom(std::vector<CheckedYaml> found) const {
    const auto every = [&](const auto& holds) { return std::all_of(found.begin(), found.end(), holds); };
    const CheckedYaml& last = found.back();
    const bool blocks = m_isWholeFile && every([](const CheckedYaml& part) { return part.isBlock(); });
    const bool lists =
        m_isWholeFile && isListOfEntries(last.m_name) && every([](const CheckedYaml& part) { return part.isList(); });
    if (blocks || lists) {
        CheckedYaml result = last;
        if (lists)
            for (CheckedYaml& part : found) part.m_isWholeFile = true;  // its entries may override others
        result.m_parts = std::move(found);
        return result;
    }
    const bool overrides = last.says("override") || m_parts.back().says("override");
    if (!overrides)
        last.fail("\"" + last.m_name + "\" stands in another file, too: " + found[found.size() - 2].where(),
                  "remove one of them, or say override: true in its block");
    return last;
}

std::vector<std::pair<std::string, CheckedYaml>> CheckedYaml::mergedEntries(const TryKey& tryKey) const {
    std::vector<std::pair<std::string, CheckedYaml>> result;
    for (const CheckedYaml& part : m_parts)
        for (const auto& entry : part.entries(tryKey)) {
            const auto same = std::find_if(result.begin(), result.end(),
                                           [&](const auto& other) { return other.first == entry.first; });
            CheckedYaml value = entry.second;
            value.m_mayOverride = value.isBlock();
            if (same == result.end()) {
                result.emplace_back(entry.first, value);
                continue;
            }
            const auto replace = [&] {
                if (!m_isWholeFile && !value.says("override") && !part.says("override"))
                    value.fail("\"" + entry.first + "\" stands in another file, too: " + same->second.where(),
                               "remove one of them, or say override: true in its block");
                same->second = value;
            };
            tryKey ? tryKey(entry.first, replace) : replace();
        }
    return result;
}

std::vector<CheckedYaml> CheckedYaml::mergedItems(const TryItem& tryItem) const {
    std::vector<CheckedYaml> result;
    const auto nameOf = [](const CheckedYaml& item) {
        const auto name = item.isBlock() ? item.find("name") : std::nullopt;
        return name ? name->text() : std::string();
    };
    for (const CheckedYaml& part : m_parts) {
        const std::vector<CheckedYaml> items = part.items(tryItem);
        for (const CheckedYaml& item : items) {
            const std::string name = nameOf(item);
            if (name.empty() || !item.says("override") || item.m_suffix.find_first_not_of("[0]") != std::string::npos)
                continue;  // of repeated entries the first one speaks for all
            const auto kept = std::remove_if(result.begin(), result.end(),
                                             [&](const CheckedYaml& other) { return nameOf(other) == name; });
            if (kept == result.end())
                item.fail("\"" + name + "\" overrides nothing", "no file that is included has one of this name");
            result.erase(kept, result.end());
        }
        result.insert(result.end(), items.begin(), items.end());
    }
    return result;
}

}  // namespace pliant::scene
