// SPDX-License-Identifier: Zlib
// Files and functions that one can read: no file of more than 400 lines and no function of more than 50, but for those
// listed here. What is listed and has become short is to be taken out of the list.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "SourceTree.h"

namespace pliant::test {
namespace {

constexpr std::size_t kMostLinesOfAFile = 400;
constexpr std::size_t kMostLinesOfAFunction = 50;

using Names = std::set<std::string>;

const Names& longFiles() {
    static const Names all = {
        "plugin/pliant/scene/SceneKeys.cpp",  // a table
    };
    return all;
}

/// By file and first line.
const Names& longFunctions() {
    static const Names all = {
        // Examples, which are read from top to bottom.
        "examples/add_a_body/add_a_body.cpp: int main(int argc, char** argv) {",
        "examples/add_a_scene/add_a_scene.cpp: int main(int argc, char** argv) {",
        "examples/bullet_and_osg/bullet_and_osg.cpp: int main(int argc, char** argv) {",
        "examples/knock_over_a_character/knock_over_a_character.cpp: int main(int argc, char** argv) {",
        "examples/reduce_a_node/reduce_a_node.cpp: int main(int argc, char** argv) {",
        // Lists of Python's methods.
        "python/src/Scene.cpp: void addScene(py::module_& module) {",
        "python/src/WorldModule.cpp: void addMethods(WorldClass& world) {",
        // Tests, and a table.
        "tests/packaging/IncludeRuleTest.cpp: const std::map<std::string, Law>& laws() {",
        "tests/unit/bridge/DebugShapesTest.cpp: TEST(DebugShapesOfAWorld, "
        "PressuresOfDistributedContactAreShownPointByPoint) {",
        "tests/unit/bridge/DebugShapesTest.cpp: TEST(DebugShapesOfAWorld, SegmentsAndSpheresFollowTheDeformation) {",
        "tests/unit/bridge/HandPressTest.cpp: Press press(const std::shared_ptr<const ReducedModel>& model, const "
        "btVector3& over, double behind, double stiffness) {",
        "tests/unit/bridge/RobustTest.cpp: TEST(Robust, SettingsChangeWhileItRuns) {",
        "tests/unit/control_lattice/StepTest.cpp: TEST(LatticeStep, OfOneRegionIsLinearBackwardEuler) {",
        "tests/unit/nodes/BodyGroupTest.cpp: TEST(BodyGroup, HitsTellTheMaterialPoint) {",
        "tests/unit/nodes/FilmHandlerTest.cpp: TEST(FilmHandler, AViewIsFilmed) {",
        "tests/unit/nodes/HandlersTest.cpp: TEST(Handlers, DragsAlongTheLineOfSight) {",
        "tests/unit/nodes/HandlersTest.cpp: TEST(Handlers, ShapesArePlayedAndChosen) {",
        "tests/unit/program/GltfTest.cpp: TEST(Gltf, AssimpReadsTheModelOnceAndEveryBodysCoordinates) {",
        "tests/unit/program/GltfTest.cpp: TEST(Gltf, TheFileDrawnAgainIsTheScene) {",
        "tests/unit/program/SceneReaderTest.cpp: TEST_F(SceneReaderTest, ReadsEveryPart) {",
        "tests/unit/program/UsdFileTest.cpp: TEST(UsdFile, HasTheModelOnceAndEveryBodysCoordinatesToTheBit) {",
        "tests/unit/runtime/AllocationTest.cpp: TEST(Allocation, SettledStepHasNone) {",
        "tests/unit/runtime/kernels/KernelTest.cpp: TEST_P(Kernel, PolynomialEqualsThePlainOne) {",
        "tests/validation/SpinningBeam.cpp: double frequency(const std::shared_ptr<const ReducedModel>& model, double "
        "spin, const Vector3& direction,",
        "tests/validation/TwistedBeam.cpp: TEST(TwistedBeam, TurnsBy270DegreesInFiveCoordinates) {",
        "tests/validation/contact/LevelOfDetail.cpp: TEST(LevelOfDetail, FadesWithoutGainAndKeepsThePrefixAndMomentum) "
        "{",
    };
    return all;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// The scanner: what has no braces that count is blanked, then braces are matched. What a brace opens is told by what
// stands between it and the end of the statement before. Functions are looked for in files, namespaces and types,
// however deep these are, and not within functions and initialisers.

bool isInWord(const std::string& text, std::size_t i) {
    return i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) != 0 || text[i] == '_');
}

/// Behind a line of the preprocessor, and those that it goes on in.
std::size_t endOfDirective(const std::string& text, std::size_t i) {
    for (;;) {
        const std::size_t end = std::min(text.find('\n', i), text.size());
        if (end == text.size() || text[end - 1] != '\\') return end;
        i = end + 1;
    }
}

/// Behind a comment, a text, a raw text, a character or a line of the preprocessor that begins at `i`; `i` where none
/// does.
std::size_t endOfBlank(const std::string& text, std::size_t i) {
    const auto behind = [&text](const std::string& end, std::size_t from) {
        const std::size_t at = text.find(end, from);
        return at == std::string::npos ? text.size() : at + end.size();
    };
    if (text.compare(i, 2, "//") == 0) return std::min(text.find('\n', i), text.size());
    if (text.compare(i, 2, "/*") == 0) return behind("*/", i + 2);
    const std::size_t line = text.rfind('\n', i) + 1;  // 0 in the first one
    if (text[i] == '#' && text.find_first_not_of(' ', std::min(line, i)) == i) return endOfDirective(text, i);
    if (text.compare(i, 2, "R\"") == 0 && (i == 0 || !isInWord(text, i - 1))) {
        const std::size_t open = std::min(text.find('(', i), text.size());
        return behind(")" + text.substr(i + 2, open - i - 2) + "\"", open);
    }
    const bool separatesDigits = text[i] == '\'' && i > 0 && isInWord(text, i - 1);
    if ((text[i] != '"' && text[i] != '\'') || separatesDigits) return i;
    std::size_t end = i + 1;
    while (end < text.size() && text[end] != text[i]) end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
}

/// The text with blanks in place of what has no braces that count; lines stay where they are.
std::string codeOf(const std::string& text) {
    std::string code = text;
    for (std::size_t i = 0; i < code.size();) {
        const std::size_t end = endOfBlank(text, i);
        for (std::size_t k = i; k < end; ++k)
            if (code[k] != '\n') code[k] = ' ';
        i = std::max(end, i + 1);
    }
    return code;
}

/// What a brace opens: a scope of names (namespace, type), the body of a function in such a scope or in the file, or
/// anything else.
enum class Opens { Scope, Body, Other };

/// @param statement what stands before the brace, since the last statement's end
Opens opensWhat(const std::string& statement) {
    static const std::regex behindParameters("\\s*(?:(?:const|override|noexcept|final|mutable|&&?)\\s*)*(?:->[^;]*)?");
    static const std::regex namesThings("\\b(?:namespace|class|struct|union|enum)\\b");
    const std::size_t last = statement.find_last_not_of(" \n");
    if (last == std::string::npos) return Opens::Other;
    if (std::count(statement.begin(), statement.end(), '(') != std::count(statement.begin(), statement.end(), ')'))
        return Opens::Other;                         // an argument
    if (statement[last] == '}') return Opens::Body;  // members of a constructor stand before its body
    if (statement[last] == '=') return Opens::Other;
    const std::size_t parameters = statement.rfind(')');
    if (parameters != std::string::npos && std::regex_match(statement.substr(parameters + 1), behindParameters))
        return Opens::Body;
    const bool isLinkage = statement.find("extern") != std::string::npos && parameters == std::string::npos;
    return isLinkage || std::regex_search(statement, namesThings) ? Opens::Scope : Opens::Other;
}

struct Function {
    std::size_t length = 0;  ///< Lines, from the first one of its declaration to the last one of its body.
    std::string head;        ///< The first line of its declaration.
};

Function functionAt(const std::string& text, const std::string& code, std::size_t start, std::size_t end) {
    const std::size_t first = code.find_first_not_of(" \n", start);
    const std::size_t newLines = static_cast<std::size_t>(std::count(
        text.begin() + static_cast<std::ptrdiff_t>(first), text.begin() + static_cast<std::ptrdiff_t>(end), '\n'));
    return {newLines + 1, text.substr(first, text.find('\n', first) - first)};
}

/// The functions of a file. Fails where its braces do not match.
std::vector<Function> functionsOf(const std::string& text) {
    static const std::regex access("\\s*(?:public|protected|private)\\s*");
    const std::string code = codeOf(text);
    std::vector<Function> found;
    std::vector<Opens> open;
    std::size_t start = 0;  // of the statement under way
    for (std::size_t i = 0; i < code.size(); ++i) {
        const bool isAmongNames = open.empty() || open.back() == Opens::Scope;
        if (code[i] == '{') {
            open.push_back(isAmongNames ? opensWhat(code.substr(start, i - start)) : Opens::Other);
            if (open.back() == Opens::Scope) start = i + 1;
        } else if (code[i] == '}') {
            if (open.empty()) break;
            const Opens closed = open.back();
            open.pop_back();
            if (closed == Opens::Body) found.push_back(functionAt(text, code, start, i));
            if (closed != Opens::Other) start = i + 1;
        } else if (isAmongNames &&
                   (code[i] == ';' || (code[i] == ':' && std::regex_match(code.substr(start, i - start), access)))) {
            start = i + 1;
        }
    }
    EXPECT_TRUE(open.empty()) << "braces do not match";
    return found;
}

std::vector<std::filesystem::path> allSources() {
    std::vector<std::filesystem::path> all;
    for (const char* root : {"plugin", "bullet_bridge", "osg_nodes", "examples", "python/src", "tests"}) {
        const auto files = sourceFiles(root);
        all.insert(all.end(), files.begin(), files.end());
    }
    return all;
}

/// Every exception is one, and what is found is one of them.
void compare(const Names& found, const Names& listed, const std::string& what) {
    for (const std::string& name : found) EXPECT_TRUE(listed.count(name)) << what << ": " << name;
    for (const std::string& name : listed)
        EXPECT_TRUE(found.count(name)) << name << " is short by now: take it out of the list";
}

TEST(Lengths, FilesHaveNoMoreThan400Lines) {
    Names found;
    for (const std::filesystem::path& file : allSources())
        if (linesOf(readWhole(file)).size() > kMostLinesOfAFile)
            found.insert(file.lexically_relative(projectFolder()).generic_string());
    compare(found, longFiles(), "split it by idea");
}

TEST(Lengths, FunctionsHaveNoMoreThan50Lines) {
    Names found;
    std::size_t functions = 0;
    for (const std::filesystem::path& file : allSources()) {
        SCOPED_TRACE(file);
        for (const Function& function : functionsOf(readWhole(file))) {
            ++functions;
            if (function.length > kMostLinesOfAFunction)
                found.insert(file.lexically_relative(projectFolder()).generic_string() + ": " + function.head);
        }
    }
    EXPECT_GT(functions, 5000u) << "the test found hardly any function: it looks in the wrong place";
    compare(found, longFunctions(), "split it by idea");
}

using Lines = std::vector<std::pair<std::size_t, std::string>>;

/// Lengths and heads.
Lines found(const std::string& text) {
    Lines all;
    for (const Function& function : functionsOf(text)) all.emplace_back(function.length, function.head);
    return all;
}

TEST(Lengths, FunctionsAreFound) {
    EXPECT_EQ(found("namespace a {\n\n/// Doc.\nint f(int x,\n      int y) {\n    if (x) {\n        return y;\n    }\n"
                    "    return x;\n}\n}\n"),
              (Lines{{7, "int f(int x,"}}));
    EXPECT_EQ(found("struct S {\n    S() : x(1) {\n        x = 2;\n    }\n    int g() const { return x; }\n"
                    "public:\n    bool h() const override {\n        return true;\n    }\n};\n"),
              (Lines{{3, "S() : x(1) {"}, {1, "int g() const { return x; }"}, {3, "bool h() const override {"}}));
    EXPECT_EQ(found("template <class T>\nauto f(T x) -> std::vector<T> {\n    return {x};\n}\n"),
              (Lines{{4, "template <class T>"}}));
    EXPECT_EQ(
        found("void f(std::array<int, 2> x = {}) {\n}\nextern \"C\" {\nint g() {\n}\n}\nextern \"C\" int h() {\n}\n"),
        (Lines{{2, "void f(std::array<int, 2> x = {}) {"}, {2, "int g() {"}, {2, "extern \"C\" int h() {"}}));
}

TEST(Lengths, FunctionsAreFoundHoweverDeepTheyAre) {
    EXPECT_EQ(found("namespace a {\nnamespace b {\n    struct S {\n        class T {\n            void f() {\n"
                    "                x();\n            }\n        };\n    };\n}\n}\n"),
              (Lines{{3, "void f() {"}}));
}

TEST(Lengths, FunctionsAreFoundBehindInitialisers) {
    EXPECT_EQ(found("S::S(int y)\n    : x(y),\n      z{y},\n      w{\n          1, 2} {\n    x = 3;\n}\n"),
              (Lines{{7, "S::S(int y)"}}));
    EXPECT_EQ(
        found("const T table[] = {\n    {1, [](int x) {\n        return x;\n    }},\n};\nint n{2};\nvoid f() {\n}\n"),
        (Lines{{2, "void f() {"}}));
}

TEST(Lengths, TextsAndCommentsHaveNoBraces) {
    EXPECT_EQ(found("const char* glsl = R\"(\nvoid main() {\n)\";\nvoid f() {  // {\n    g(R\"x({)\" ) }\n)x\", '{', "
                    "\"{\\\"{\");"
                    "\n    /* { */ int n = 1'000;\n}\n#define X(a) {\\\n    {\n"),
              (Lines{{5, "void f() {  // {"}}));
}

}  // namespace
}  // namespace pliant::test
