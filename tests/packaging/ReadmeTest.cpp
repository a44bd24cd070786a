// SPDX-License-Identifier: Zlib
// What the README shows is what the project holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

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

/// What stands in `code` in a line.
std::vector<std::string> codeIn(const std::string& line) {
    static const std::regex code("`([^`]+)`");
    std::vector<std::string> found;
    for (std::sregex_iterator match(line.begin(), line.end(), code), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

bool isFunction(const std::string& name) {
    return name.size() > 2 && name.compare(name.size() - 2, 2, "()") == 0;
}

// The tables of docs/architecture.md that tell where things are: files exist, and hold the functions beside them.
TEST(Documents, SayWhereThingsAre) {
    const std::string page = readWhole(projectFolder() / "docs/architecture.md");
    const std::size_t begin = page.find("## Where is what"), end = page.find("\n## ", begin + 1);
    ASSERT_NE(begin, std::string::npos);
    std::istringstream lines(page.substr(begin, end - begin));
    int files = 0, functions = 0;
    for (std::string line; std::getline(lines, line);) {
        std::string text;
        for (const std::string& name : codeIn(line)) {
            if (isFunction(name)) {
                ++functions;
                const std::regex definition("\\b" + name.substr(0, name.size() - 2) + "\\(");
                EXPECT_TRUE(std::regex_search(text, definition)) << name << " is not where this says: " << line;
            } else if (name.find('/') != std::string::npos) {
                ++files;
                EXPECT_TRUE(std::filesystem::exists(projectFolder() / name)) << name;
                if (!std::filesystem::is_directory(projectFolder() / name)) text = readWhole(projectFolder() / name);
            }
        }
    }
    EXPECT_GT(files, 25);
    EXPECT_GT(functions, 15);
}

}  // namespace
}  // namespace pliant::test
