// SPDX-License-Identifier: Zlib
// Numbers of other programs: those of tests/reference, which belong to the project, and more outside of it (its README
// tells fields and tolerances), without which tests that need them skip loudly.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace pliant::test {

inline std::string ownReferencePath(const std::string& name) {
    return std::string(PLIANT_OWN_REFERENCE_DATA) + "/" + name;
}

/// Whether it belongs to the project. Coordinates there have all their digits, so that bricks are cuboids to the last
/// bit; those of the files outside are rounded, and bricks agree to 1e-7 or so only.
inline bool isOwnReference(const std::string& name) {
    return std::ifstream(ownReferencePath(name)).good();
}

inline std::string referencePath(const std::string& name) {
    if (isOwnReference(name)) return ownReferencePath(name);
    const char* folder = std::getenv("PLIANT_REFERENCE_DATA");
    return std::string(folder && *folder ? folder : PLIANT_REFERENCE_DATA_DEFAULT) + "/" + name;
}

inline bool referenceExists(const std::string& name) {
    return std::ifstream(referencePath(name)).good();
}

inline nlohmann::json readReferenceJson(const std::string& name) {
    std::ifstream file(referencePath(name));
    return nlohmann::json::parse(file);
}

}  // namespace pliant::test

/// Skips the running test, saying which file is missing.
#define PLIANT_NEEDS_REFERENCE(name)                                                  \
    if (!pliant::test::referenceExists(name))                                         \
    GTEST_SKIP() << "reference data not found: " << pliant::test::referencePath(name) \
                 << " (set PLIANT_REFERENCE_DATA to the folder that holds meshes/ and oracles/)"
