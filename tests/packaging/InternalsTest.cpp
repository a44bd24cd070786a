// SPDX-License-Identifier: Zlib
// docs/internals: a page for each technique, which says what the problem is, what was decided, what was rejected, and
// on what evidence.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <sstream>

#include "SourceTree.h"

namespace pliant::test {
namespace {

constexpr int kWordsOfAPage = 950;
constexpr int kWordsOfResults = 1250;  ///< Of docs/performance.md, half of which are tables.

std::vector<std::string> headingsOf(const std::string& page) {
    static const std::regex heading("\\n## ([^\\n]+)");
    std::vector<std::string> headings;
    for (std::sregex_iterator found(page.begin(), page.end(), heading), end; found != end; ++found)
        headings.push_back((*found)[1]);
    return headings;
}

int wordsIn(const std::string& page) {
    std::istringstream words(page);
    int count = 0;
    const auto isLetter = [](unsigned char c) { return std::isalnum(c) != 0; };  // not so bars of tables and signs
    for (std::string word; words >> word;) count += std::any_of(word.begin(), word.end(), isLetter);
    return count;
}

/// Pages of techniques: all but their list and the table of old names.
std::vector<std::filesystem::path> techniques() {
    std::vector<std::filesystem::path> pages;
    for (const auto& entry : std::filesystem::directory_iterator(projectFolder() / "docs/internals")) {
        const std::string name = entry.path().filename().string();
        if (name != "index.md" && name != "renamed.md" && entry.path().extension() == ".md")
            pages.push_back(entry.path());
    }
    return pages;
}

TEST(Internals, SayProblemDecisionRejectedAndEvidence) {
    const std::vector<std::string> expected = {"Problem", "Decision", "Rejected", "Evidence"};
    for (const std::filesystem::path& page : techniques()) EXPECT_EQ(headingsOf(readWhole(page)), expected) << page;
    EXPECT_GT(techniques().size(), 20u) << "the test looks in the wrong place";
    EXPECT_EQ(headingsOf("# A\n\n## Problem\n### Part\nx ## y\n## Evidence\n"),
              (std::vector<std::string>{"Problem", "Evidence"}));
}

TEST(Internals, AreOnePageEach) {
    for (const std::filesystem::path& page : techniques()) EXPECT_LE(wordsIn(readWhole(page)), kWordsOfAPage) << page;
    EXPECT_LE(wordsIn(readWhole(projectFolder() / "docs/performance.md")), kWordsOfResults);
}

TEST(Internals, AreListed) {
    const std::string list = readWhole(projectFolder() / "docs/internals/index.md");
    for (const std::filesystem::path& page : techniques())
        EXPECT_NE(list.find("](" + page.filename().string() + ")"), std::string::npos) << page;
}

}  // namespace
}  // namespace pliant::test
