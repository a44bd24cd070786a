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

/// Where a file that appears whole is put by a rename: links are followed, since it would take the place of the link
/// itself, /dev/stdout for instance. @param problem why nothing may be put there, else untouched
inline std::filesystem::path placeOfWholeFile(const std::filesystem::path& path, std::string& problem) {
    std::error_code failed;
    if (isThere(path) && !isFile(path)) problem = "is there and no regular file";
    if (!std::filesystem::is_symlink(path, failed)) return path;
    const std::string folder = sameName(absolute(path).parent_path()).string() + "/";
    for (const std::string system : {"/dev/", "/proc/"})  // the system's links are of whoever is asked, and stay
        if (folder.compare(0, system.size(), system) == 0) problem = "is there and no regular file";
    const std::filesystem::path place = std::filesystem::canonical(path, failed);
    if (problem.empty() && (failed || !isFile(place))) problem = "is a link that leads to no file";
    return failed ? path : place;
}

/// The same. @throws Error where nothing may be put there
inline std::filesystem::path placeOfWholeFile(const std::filesystem::path& path) {
    std::string problem;
    const std::filesystem::path place = placeOfWholeFile(path, problem);
    if (!problem.empty()) throw Error(path.string(), problem, "give another name");
    return place;
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
