// SPDX-License-Identifier: Zlib
// Numbers and meshes of other programs: those of tests/reference, which belong to the project and are enough for every
// test, and more outside of it (its README tells fields and tolerances). Tests run over both; where the folder outside
// is not there, its cases do not exist, and the program says how many there would be.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pliant::test {

inline std::string ownReferencePath(const std::string& name) {
    return std::string(PLIANT_OWN_REFERENCE_DATA) + "/" + name;
}

/// Whether it belongs to tests/reference. Coordinates there have all their digits, so that bricks are cuboids to the
/// last bit; those of the files outside are rounded, and bricks agree to 1e-7 or so only.
inline bool isOwnReference(const std::string& name) {
    return std::ifstream(ownReferencePath(name)).good();
}

/// @param name in one of the two folders, as "meshes/bar.veg", or of a file of the project's media, as
/// "media/basket/basket.obj"
inline std::string referencePath(const std::string& name) {
    if (name.rfind("media/", 0) == 0) return PLIANT_MEDIA_DIR + name.substr(std::string("media").size());
    if (isOwnReference(name)) return ownReferencePath(name);
    const char* folder = std::getenv("PLIANT_REFERENCE_DATA");
    return std::string(folder && *folder ? folder : PLIANT_REFERENCE_DATA_DEFAULT) + "/" + name;
}

inline bool referenceExists(const std::string& name) {
    return std::ifstream(referencePath(name)).good();
}

/// Those of `cases` whose file is there, for the cases of a test that also runs over data of the project.
/// @param fileOf the file that a case needs, as referencePath() takes it
template <typename Case, typename FileOf>
std::vector<Case> outsideCases(std::initializer_list<Case> cases, const FileOf& fileOf) {
    std::vector<Case> found;
    for (const Case& each : cases)
        if (referenceExists(fileOf(each))) found.push_back(each);
    if (const std::size_t missing = cases.size() - found.size(); missing > 0)
        std::fprintf(stderr,
                     "reference data outside of the project not found (%s; PLIANT_REFERENCE_DATA): %zu cases fewer\n",
                     referencePath(fileOf(*cases.begin())).c_str(), missing);
    return found;
}

/// The same for cases that are names: "oracles/" + name + ".json" has to be there.
inline std::vector<const char*> outsideNames(std::initializer_list<const char*> names, const char* ending = ".json",
                                             const char* folder = "oracles/") {
    return outsideCases(names, [=](const char* name) { return std::string(folder) + name + ending; });
}

/// The paths of those of `files` that are there.
inline std::vector<std::string> outsidePaths(std::initializer_list<const char*> files) {
    std::vector<std::string> paths;
    for (const char* file : outsideNames(files, "", "")) paths.push_back(referencePath(file));
    return paths;
}

/// What a file has; the parser takes a second to compile and is compiled once, and who looks into what it returns
/// includes <nlohmann/json.hpp>. @param name as referencePath() takes it. @throws nlohmann::json::exception where it is
/// no JSON
nlohmann::json readReferenceJson(const std::string& name);

}  // namespace pliant::test
