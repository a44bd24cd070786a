// SPDX-License-Identifier: Zlib
// Reference data lives outside the project (its README tells fields and tolerances). Tests that need it skip loudly.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace pliant::test {

inline std::string referencePath(const std::string& name) {
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
