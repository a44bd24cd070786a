// SPDX-License-Identifier: Zlib
// What users read of public headers: comments that begin with a capital and end with a full stop. What starts with a
// unit or a shape leaves to the reader what it is of.
#include <gtest/gtest.h>

#include <regex>
#include <sstream>

#include "SourceTree.h"

namespace pliant::test {
namespace {

/// One comment: the text up to its first command, and the line that it begins in.
struct Comment {
    int line = 0;
    std::string text;
};

/// Appends a line of a comment. False where a command ends the text.
bool append(std::string& text, std::string line) {
    static const std::regex command("(^| )[@\\\\](param|return|returns|throws|tparam|see|note|code)\\b.*");
    static const std::regex silent("^ *[@\\\\](file|brief) *");
    std::smatch found;
    line = std::regex_replace(line, silent, "");
    const bool goesOn = !std::regex_search(line, found, command);
    if (!goesOn) line = found.prefix().str();
    if (line.rfind("    ", 0) == 0) return goesOn;  // code
    while (!line.empty() && line.back() == ' ') line.pop_back();
    const std::size_t first = line.find_first_not_of(' ');
    if (first != std::string::npos) text += (text.empty() ? "" : " ") + line.substr(first);
    return goesOn;
}

/// Documentation comments of a header, without those of its private parts.
std::vector<Comment> commentsIn(const std::string& header) {
    static const std::regex documented("^(.*?)///(<?) ?(.*)$"), hides("^ *private:.*"),
        shows("^ *(public|protected):.*|^ *\\};.*");
    std::vector<Comment> comments;
    std::istringstream lines(header);
    std::string line;
    bool isHidden = false, goesOn = false, isOpen = false;
    std::string kind;
    for (int number = 1; std::getline(lines, line); ++number) {
        if (std::regex_match(line, hides)) isHidden = true;
        if (std::regex_match(line, shows)) isHidden = false;
        std::smatch found;
        if (isHidden || !std::regex_match(line, found, documented)) {
            isOpen = false;
            continue;
        }
        const bool standsAlone = found[1].str().find_first_not_of(' ') == std::string::npos;
        if (!isOpen || !standsAlone || kind != found[2].str()) {
            comments.push_back({number, ""});
            goesOn = isOpen = true;
        }
        kind = found[2].str();
        if (goesOn) goesOn = append(comments.back().text, found[3].str());
    }
    return comments;
}

bool isSentence(const std::string& text) {
    static const std::regex sentence("^[A-Z0-9`\"(\\[|][^]*[.:!?][)\"`]?$");
    return text.empty() || std::regex_match(text, sentence);
}

/// Paths of all headers that are installed (cmake/PliantPublicHeaders.cmake).
std::vector<std::filesystem::path> installedHeaders() {
    const std::string list = readWhole(projectFolder() / "cmake" / "PliantPublicHeaders.cmake");
    static const std::regex name("\n  ([\\w/]+\\.h)");
    std::vector<std::filesystem::path> headers;
    for (std::sregex_iterator found(list.begin(), list.end(), name), end; found != end; ++found)
        for (const char* root : {"plugin", "bullet_bridge", "osg_nodes"}) {
            const std::filesystem::path path = projectFolder() / root / (*found)[1].str();
            if (std::filesystem::exists(path)) headers.push_back(path);
        }
    return headers;
}

TEST(PublicComments, AreFoundAsTheyStand) {
    const std::vector<Comment> comments = commentsIn(
        "/// Moves\n/// it. @param far m\n/// more of it\nvoid move(double far);\nstruct A {\n    int a;  ///< m\n"
        "    int b;  ///< Length, m.\n            ///< In all.\nprivate:\n    int c;  ///< hidden\n};\n/// @param x "
        "s\nint d;\n");
    ASSERT_EQ(comments.size(), 4u);
    EXPECT_EQ(comments[0].text, "Moves it.");
    EXPECT_EQ(comments[0].line, 1);
    EXPECT_EQ(comments[1].text, "m");
    EXPECT_EQ(comments[2].text, "Length, m. In all.");
    EXPECT_EQ(comments[3].text, "");
    EXPECT_FALSE(isSentence("m"));
    EXPECT_FALSE(isSentence("length, m."));
    EXPECT_FALSE(isSentence("Length, m"));
    EXPECT_TRUE(isSentence("Length (of all)."));
}

TEST(PublicComments, BeginWithACapitalAndEndWithAFullStop) {
    std::size_t count = 0;
    for (const std::filesystem::path& header : installedHeaders())
        for (const Comment& comment : commentsIn(readWhole(header))) {
            ++count;
            EXPECT_TRUE(isSentence(comment.text)) << header << ':' << comment.line << ": " << comment.text;
        }
    EXPECT_GT(count, 2000u) << "the test found hardly any comment: it looks in the wrong place";
}

TEST(InternalComments, BeginWithACapitalAndEndWithAFullStop) {
    std::size_t count = 0;
    for (const char* root : {"plugin/pliant", "bullet_bridge", "osg_nodes", "examples/pliant"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(projectFolder() / root)) {
            if (entry.path().extension() != ".h") continue;
            for (const Comment& comment : commentsIn(readWhole(entry.path()))) {
                ++count;
                EXPECT_TRUE(isSentence(comment.text)) << entry.path() << ':' << comment.line << ": " << comment.text;
            }
        }
    EXPECT_GT(count, 5000u) << "the test found hardly any comment: it looks in the wrong place";
}

}  // namespace
}  // namespace pliant::test
