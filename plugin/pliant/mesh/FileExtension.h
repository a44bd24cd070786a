// SPDX-License-Identifier: Zlib
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

namespace pliant {

/// ".obj" of "Cow.OBJ".
inline std::string lowerExtension(const std::string& path) {
    std::string extension = std::filesystem::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension;
}

inline bool hasExtension(const std::string& path, const std::vector<std::string>& extensions) {
    return std::find(extensions.begin(), extensions.end(), lowerExtension(path)) != extensions.end();
}

/// ".obj, .ply, .stl" for messages.
inline std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

}  // namespace pliant
