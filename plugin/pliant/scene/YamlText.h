// SPDX-License-Identifier: Zlib
/// @file
/// Parts of messages about YAML values.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

namespace pliant::scene {

/// So that a whole file does not become a message.
inline std::string shortened(const std::string& text) {
    constexpr std::size_t most = 40;
    return text.size() <= most ? text : text.substr(0, most) + " ...";
}

inline std::string kindOf(const YAML::Node& node) {
    switch (node.Type()) {
        case YAML::NodeType::Null:
            return "nothing";
        case YAML::NodeType::Scalar:
            return "\"" + shortened(node.Scalar()) + "\"";
        case YAML::NodeType::Sequence:
            return "a list";
        case YAML::NodeType::Map:
            return "a block of keys";
        default:
            return "nothing";
    }
}

/// Separated by commas.
inline std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace pliant::scene
