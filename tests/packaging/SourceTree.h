// SPDX-License-Identifier: Zlib
// The project's own files, as text.
#pragma once

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace pliant::test {

inline std::filesystem::path projectFolder() {
    return PLIANT_SOURCE_DIR;
}

inline std::string readWhole(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// C++ files below a folder of the project.
inline std::vector<std::filesystem::path> sourceFiles(const std::string& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(projectFolder() / folder)) {
        const std::string ending = entry.path().extension().string();
        if (ending == ".h" || ending == ".cpp" || ending == ".inl") files.push_back(entry.path());
    }
    return files;
}

/// The headers that are installed, as users write them (cmake/PliantPublicHeaders.cmake).
inline std::set<std::string> publicHeaders() {
    const std::string list = readWhole(projectFolder() / "cmake/PliantPublicHeaders.cmake");
    const std::regex name("\\n\\s+([A-Za-z0-9_/]+\\.h)");
    std::set<std::string> headers;
    for (std::sregex_iterator match(list.begin(), list.end(), name), end; match != end; ++match)
        headers.insert((*match)[1]);
    return headers;
}

}  // namespace pliant::test
