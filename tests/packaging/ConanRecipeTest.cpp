// SPDX-License-Identifier: Zlib
// What CMake installs of the source tree is in the source package of the Conan recipe: CMake passes over a folder to
// install that is not there, so that its lack would be noticed by users first.
#include <gtest/gtest.h>

#include <algorithm>

#include "SourceTree.h"

namespace pliant::test {
namespace {

/// The words between two regular expressions, of all places where they match.
std::vector<std::string> wordsBetween(const std::string& text, const std::string& begin, const std::string& end) {
    const std::regex place(begin + "([^()]*?)" + end), word("[A-Za-z0-9_./*-]+");
    std::vector<std::string> words;
    for (std::sregex_iterator match(text.begin(), text.end(), place), last; match != last; ++match) {
        const std::string found = (*match)[1];
        for (std::sregex_iterator w(found.begin(), found.end(), word), none; w != none; ++w) words.push_back(w->str());
    }
    return words;
}

TEST(ConanRecipe, ExportsWhatIsInstalled) {
    const std::string install = readWhole(projectFolder() / "cmake/PliantInstall.cmake");
    const std::vector<std::string> patterns =
        wordsBetween(readWhole(projectFolder() / "cmake/packages/conanfile.py"), "for pattern in \\(", "\\):");
    ASSERT_GT(patterns.size(), 8U);
    const auto isExported = [&patterns](const std::string& name) {
        return std::any_of(patterns.begin(), patterns.end(), [&name](const std::string& pattern) {
            const bool isFolder = pattern.back() == '*';  // "docs/*" has all below docs
            return isFolder ? (name + "/").rfind(pattern.substr(0, pattern.size() - 1), 0) == 0 : name == pattern;
        });
    };
    const std::vector<std::string> folders = wordsBetween(install, "install\\(DIRECTORY ", "DESTINATION");
    EXPECT_GE(folders.size(), 7U);
    for (const std::string& folder : folders) EXPECT_TRUE(isExported(folder)) << folder;
    for (const std::string& file : wordsBetween(install, "install\\(FILES (?=LICENSE|cmake)", "DESTINATION"))
        EXPECT_TRUE(isExported(file)) << file;
    for (const std::string& pattern : patterns) {
        const std::string name = pattern.back() == '*' ? pattern.substr(0, pattern.size() - 2) : pattern;
        EXPECT_TRUE(std::filesystem::exists(projectFolder() / name)) << pattern << " matches nothing";
    }
}

}  // namespace
}  // namespace pliant::test
