// SPDX-License-Identifier: Zlib
#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "pliant/math/Error.h"
#include "pliant/rig/import/ChildReader.h"

namespace pliant::import {

namespace {

namespace fs = std::filesystem;

/// The folder of what this code is part of: the shared library, or a program.
fs::path ownFolder() {
    static const char mark = 0;
    Dl_info info{};
    std::error_code error;
    fs::path own;
    if (::dladdr(&mark, &info) != 0 && info.dli_fname != nullptr) own = fs::canonical(info.dli_fname, error);
    // What a program was called by may be no path at all.
    if (own.empty() || error) own = fs::canonical("/proc/self/exe", error);
    return own.parent_path();
}

}  // namespace

std::string importProgram(const std::string& file) {
    if (const char* given = ::secure_getenv("PLIANT_IMPORTER")) return given;
    fs::path folder = ownFolder();
    for (int level = 0; level < 4 && folder.has_relative_path(); ++level) {
        folder = folder.parent_path();
        const fs::path program = folder / "libexec" / "pliant" / "pliant-import";
        if (::access(program.c_str(), X_OK) == 0) return program.string();
    }
    throw Error(file, "the program pliant-import, which reads such files, is not found",
                "install Pliant again, or say where it is in PLIANT_IMPORTER");
}

}  // namespace pliant::import
