// SPDX-License-Identifier: Zlib
// What the README shows is what the project holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "SourceTree.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

/// The text of the first block of the language that contains `mark`.
std::string blockWith(const std::string& readme, const std::string& language, const std::string& mark) {
    const std::string fence = "```" + language + "\n";
    for (std::size_t at = readme.find(fence); at != std::string::npos; at = readme.find(fence, at + 1)) {
        const std::size_t start = at + fence.size();
        const std::string block = readme.substr(start, readme.find("```", start) - start);
        if (block.find(mark) != std::string::npos) return block;
    }
    return "no such block";
}

const std::string& readme() {
    static const std::string text = readWhole(projectFolder() / "README.md");
    return text;
}

TEST(Readme, ShowsTheExamplesAsTheyAre) {
    for (const std::string name : {"plain_bullet", "bullet_and_osg"}) {
        const std::string program = readWhole(projectFolder() / "examples" / name / (name + ".cpp"));
        ASSERT_FALSE(program.empty());
        EXPECT_EQ(blockWith(readme(), "cpp", "usage: " + name), program);
    }
    const std::string build = readWhole(projectFolder() / "examples/plain_bullet/CMakeLists.txt");
    const std::string shown = blockWith(readme(), "cmake", "find_package(Pliant");
    for (const std::string line : {"find_package(Pliant 0.1 REQUIRED COMPONENTS core bullet)",
                                   "target_link_libraries(plain_bullet PRIVATE Pliant::bullet)"}) {
        EXPECT_THAT(shown, HasSubstr(line));
        EXPECT_THAT(build, HasSubstr(line));
    }
}

TEST(Documents, ShowTheExamplesAsTheyAre) {
    const std::string page = readWhole(projectFolder() / "docs/osg-nodes.md");
    EXPECT_EQ(blockWith(page, "cpp", "usage: add_a_body"),
              readWhole(projectFolder() / "examples/add_a_body/add_a_body.cpp"));
}

TEST(Readme, ShowsTheSceneAsItIs) {
    EXPECT_EQ(blockWith(readme(), "yaml", "basket.obj"), readWhole(projectFolder() / "media/scenes/basket_drop.yaml"));
}

TEST(Documents, LinkOnlyToFilesThatExist) {
    const std::regex link("\\]\\(([^)#:]+)(#[^)]*)?\\)");
    std::vector<std::filesystem::path> documents = {projectFolder() / "README.md", projectFolder() / "CHANGELOG.md"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(projectFolder() / "docs"))
        if (entry.path().extension() == ".md") documents.push_back(entry.path());
    int links = 0;
    for (const std::filesystem::path& document : documents) {
        const std::string text = readWhole(document);
        for (std::sregex_iterator match(text.begin(), text.end(), link), end; match != end; ++match, ++links)
            EXPECT_TRUE(std::filesystem::exists(document.parent_path() / std::string((*match)[1])))
                << document << " links to " << (*match)[1];
    }
    EXPECT_GT(links, 5);
}

TEST(Documents, CiteOnlyWhatTheReferencesHold) {
    const std::string references = readWhole(projectFolder() / "docs/references.bib");
    for (const char* key : {"BJ05", "B07", "JP04", "HSO03", "C02", "S"})
        EXPECT_THAT(references, HasSubstr("{" + std::string(key) + ","));
}

}  // namespace
}  // namespace pliant::test
