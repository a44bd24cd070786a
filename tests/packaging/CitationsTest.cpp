// SPDX-License-Identifier: Zlib
// What comments and pages cite stands in docs/references.bib, by its key: [BJ05 app. C].
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>

#include "SourceTree.h"

namespace pliant::test {
namespace {

using Names = std::set<std::string>;

Names keysOf(const std::string& references) {
    static const std::regex entry("(?:^|\\n)@\\w+\\{(\\w+),");
    Names keys;
    for (std::sregex_iterator found(references.begin(), references.end(), entry), end; found != end; ++found)
        keys.insert((*found)[1]);
    return keys;
}

/// Keys that a text cites. [N59; BJ05 app. C] are two; what follows a word or a bracket is an index, not a citation.
Names citedIn(const std::string& text) {
    static const std::regex bracket("(?:^|[^\\w\\])])\\[([^\\[\\]]*)\\]");
    static const std::regex key("(?:^|; )([A-Z]{1,4}[0-9]{2}|S(?=$|;|,| ))");
    Names cited;
    for (std::sregex_iterator found(text.begin(), text.end(), bracket), end; found != end; ++found) {
        const std::string inside = (*found)[1];
        for (std::sregex_iterator one(inside.begin(), inside.end(), key); one != end; ++one) cited.insert((*one)[1]);
    }
    return cited;
}

/// Papers that are cited by their authors, which no key leads to.
Names citedByAuthor(const std::string& text) {
    static const std::regex author(
        "\\b[Ee]t\\s+al\\.|[\\[(][A-Z][a-z]+[^\\[\\]()]*[ ,](?:19|20)[0-9]{2}(?:,[^\\[\\]()]*)?[\\])]");
    Names cited;
    for (std::sregex_iterator found(text.begin(), text.end(), author), end; found != end; ++found)
        cited.insert(found->str());
    return cited;
}

/// Comments of a file in C++ or a shader, lines that go on in the next one joined.
std::string commentsOf(const std::string& text) {
    static const std::regex comment("//[/!]?<?([^\\n]*)");
    std::string all;
    for (std::sregex_iterator found(text.begin(), text.end(), comment), end; found != end; ++found)
        all += (*found)[1].str() + ' ';
    return all;
}

std::vector<std::filesystem::path> filesWithComments() {
    std::vector<std::filesystem::path> files;
    for (const char* root : {"plugin", "bullet_bridge", "osg_nodes", "examples", "python", "tests"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(projectFolder() / root)) {
            static const Names endings = {".h", ".cpp", ".inl", ".vert", ".frag", ".glsl"};
            if (endings.count(entry.path().extension().string()) && entry.path().filename() != "CitationsTest.cpp")
                files.push_back(entry.path());
        }
    return files;
}

TEST(Citations, AreFoundAsTheyStand) {
    EXPECT_EQ(citedIn("[N59; BJ05 app. C], v[S], [S] and [S, 3.2], q[B07], [JP04]"),
              (Names{"N59", "BJ05", "S", "JP04"}));
    EXPECT_EQ(citedIn("[Small; A or B]"), Names{});
    EXPECT_EQ(citedByAuthor("the quadric [Garland and Heckbert 1997], spline (Catmull, Rom 1974)").size(), 2u);
    EXPECT_EQ(citedByAuthor("[Somebody et"
                            " al. 2002, (19)]")
                  .size(),
              1u);
    EXPECT_EQ(citedByAuthor("(see [BJ05 app. C], 1997 bodies) in (2017)"), Names{});
    EXPECT_EQ(commentsOf("int a;  ///< one\n/// two [X\n/// 3]\n"), " one  two [X  3] ");
    EXPECT_EQ(keysOf("@book{S,\n a = {b}\n}\n@misc{R18,\n}\n"), (Names{"R18", "S"}));
}

TEST(Citations, ResolveInTheReferences) {
    const Names keys = keysOf(readWhole(projectFolder() / "docs/references.bib"));
    Names cited;
    const auto check = [&](const std::filesystem::path& file, const std::string& text) {
        for (const std::string& key : citedIn(text)) {
            cited.insert(key);
            EXPECT_TRUE(keys.count(key)) << file << " cites [" << key << "], which docs/references.bib does not hold";
        }
        for (const std::string& name : citedByAuthor(text))
            ADD_FAILURE() << file << " cites \"" << name << "\": give it a key in docs/references.bib";
    };
    for (const std::filesystem::path& file : filesWithComments()) check(file, commentsOf(readWhole(file)));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(projectFolder() / "docs"))
        if (entry.path().extension() == ".md") check(entry.path(), readWhole(entry.path()));
    EXPECT_EQ(cited, keys) << "what nobody cites is no reference";
    EXPECT_GT(cited.size(), 20u) << "the test found hardly any citation: it looks in the wrong place";
}

}  // namespace
}  // namespace pliant::test
