// SPDX-License-Identifier: Zlib
// Questions about paths that users and files name. They answer for every name, also for those that no file system takes
// (too long, a loop of links, a folder that may not be entered), where std::filesystem's own throw a foreign exception.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "pliant/math/Error.h"

namespace pliant::files {

/// Whether a regular file of this name is there; no for a name that cannot be looked up.
inline bool isFile(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::is_regular_file(path, unknown);
}

/// Whether a folder of this name is there; no for a name that cannot be looked up.
inline bool isFolder(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::is_directory(path, unknown);
}

/// Whether anything of this name is there; no for a name that cannot be looked up.
inline bool isThere(const std::filesystem::path& path) {
    std::error_code unknown;
    return std::filesystem::exists(path, unknown);
}

/// One name for all ways to a file, without links; the path itself where it cannot be followed.
inline std::filesystem::path sameName(const std::filesystem::path& path) {
    std::error_code unknown;
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(path, unknown);
    return unknown ? path.lexically_normal() : canonical;
}

/// Counted from the root, by the very links and dots that it has; "" is the working folder.
inline std::filesystem::path absolute(const std::filesystem::path& path) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::absolute(path.empty() ? "." : path, unknown);
    return unknown ? path : whole;
}

/// What lies in a folder, by name. @throws Error where it cannot be listed
inline std::vector<std::filesystem::path> listed(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> found;
    std::error_code failed;
    for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
        found.push_back(at->path());
    if (failed) throw Error(folder.string(), "cannot be listed: " + failed.message(), "check the name and its rights");
    std::sort(found.begin(), found.end());
    return found;
}

/// The size of a file in bytes; nought where it is not there.
inline std::uintmax_t size(const std::filesystem::path& path) {
    std::error_code unknown;
    const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
    return unknown ? 0 : bytes;
}

/// Makes a folder and those above it. @throws Error where it cannot be made
inline void makeFolder(const std::filesystem::path& folder) {
    std::error_code failed;
    if (!folder.empty()) std::filesystem::create_directories(folder, failed);
    if (failed) throw Error(folder.string(), "cannot be made: " + failed.message(), "choose another folder");
}

}  // namespace pliant::files
