// SPDX-License-Identifier: Zlib
// What is shown to users stands in installed headers, what is shown to the other libraries of Pliant in headers that
// are not.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "SourceTree.h"

namespace pliant::test {
namespace {

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

/// Lines of a class's public parts; `struct` begins with one, `class` with none.
std::vector<std::string> publicLines(const std::string& header) {
    static const std::regex opens("^(class|struct) [^;]*\\{.*"), shows("^ *public:.*"),
        hides("^ *(private|protected):.*"), closes("^\\};.*");
    std::vector<std::string> lines;
    std::istringstream text(header);
    bool isShown = true;
    for (std::string line; std::getline(text, line);) {
        std::smatch match;
        if (std::regex_match(line, match, opens)) isShown = match[1] == "struct";
        if (std::regex_match(line, shows) || std::regex_match(line, closes)) isShown = true;
        if (std::regex_match(line, hides)) isShown = false;
        if (isShown) lines.push_back(line);
    }
    return lines;
}

bool showsData(const std::string& line) {
    static const std::regex data(
        "^ *(?:const )?(?:\\w+::)*\\w*(?:Data|Group|Impl)& \\w+\\(\\).*|^ *struct PLIANT_HIDDEN .*");
    return std::regex_match(line, data);
}

// What a class keeps beside Bullet's or OpenSceneGraph's is nobody's but the library's.
TEST(ApiRule, NoInstalledHeaderShowsWhatAClassKeeps) {
    EXPECT_TRUE(showsData("    Data& data() { return *m_data; }"));
    EXPECT_TRUE(showsData("    const Data& data() const;"));
    EXPECT_TRUE(showsData("    struct PLIANT_HIDDEN Data;"));
    EXPECT_FALSE(showsData("    const SceneData get() const;"));
    EXPECT_EQ(publicLines("class A {\n    int a;\npublic:\n    int b;\nprivate:\n    int c;\n};\n").size(), 3u);
    for (const std::string& name : publicHeaders())
        for (const char* root : {"plugin", "bullet_bridge", "osg_nodes"})
            for (const std::string& line : publicLines(readWhole(projectFolder() / root / name)))
                EXPECT_FALSE(showsData(line)) << name << ": " << line;
}

}  // namespace
}  // namespace pliant::test
