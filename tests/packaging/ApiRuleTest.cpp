// SPDX-License-Identifier: Zlib
// What is shown to users stands in installed headers, what is shown to the other libraries of Pliant in headers that
// are not.
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "SourceTree.h"

namespace pliant::test {
namespace {

/// The headers that are installed, as users write them.
std::set<std::string> publicHeaders() {
    const std::string list = readWhole(projectFolder() / "cmake/PliantPublicHeaders.cmake");
    const std::regex name("\\n\\s+([A-Za-z0-9_/]+\\.h)");
    std::set<std::string> headers;
    for (std::sregex_iterator match(list.begin(), list.end(), name), end; match != end; ++match)
        headers.insert((*match)[1]);
    return headers;
}

bool hasWord(const std::string& text, const std::string& word) {
    return std::regex_search(text, std::regex("\\b" + word + "\\b"));
}

TEST(ApiRule, EachMacroStandsInItsKindOfHeaderAlone) {
    const std::set<std::string> installed = publicHeaders();
    ASSERT_GT(installed.size(), 50u) << "the list has another form";
    int shown = 0, internal = 0;
    for (const char* root : {"plugin", "bullet_bridge", "osg_nodes"})
        for (const std::filesystem::path& file : sourceFiles(root)) {
            const std::string name = file.lexically_relative(projectFolder() / root).generic_string();
            if (name == "pliant/math/Api.h") continue;
            const std::string text = readWhole(file);
            const bool isPublic = installed.count(name) > 0;
            if (hasWord(text, "PLIANT_API")) {
                ++shown;
                EXPECT_TRUE(isPublic) << name << " is not installed: PLIANT_INTERNAL_API";
            }
            if (hasWord(text, "PLIANT_INTERNAL_API")) {
                ++internal;
                EXPECT_FALSE(isPublic) << name << " is installed: PLIANT_API";
            }
        }
    EXPECT_GT(shown, 30);
    EXPECT_GT(internal, 20);
}

}  // namespace
}  // namespace pliant::test
