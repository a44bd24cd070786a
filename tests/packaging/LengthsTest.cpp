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
        "tests/validation/contact/BridgeInfluenceLine.cpp: TEST(Bridge, BallRollsOverItAlongTheInfluenceLine) {",
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

std::size_t indentation(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

/// Whether a function's body may begin at the end of this line, as clang-format has it.
bool opensFunction(const std::string& line) {
    static const std::regex opens(
        " *(?! )(?!(?:namespace|struct|class|enum|union|extern|if|for|while|switch|else|do|catch|try|//|\\})"
        "(?![A-Za-z0-9_])).*\\)(?: const| override| noexcept| final)*(?: -> [^{]*)? \\{");
    return std::regex_match(line, opens);
}

struct Function {
    std::size_t line = 0;  ///< Where its body begins, from 0.
    std::size_t length = 0;
    std::string head;  ///< The first line of its declaration.
};

/// Whether a line ends what stands before a function.
bool endsBefore(const std::string& line) {
    const std::size_t at = indentation(line);
    if (at == line.size() || line.compare(at, 2, "//") == 0 || line[at] == '#') return true;
    return std::string(";{}:").find(line.back()) != std::string::npos;
}

/// The functions of a file that clang-format has been over, raw strings left out.
std::vector<Function> functionsOf(const std::string& text) {
    static const std::regex raw("R\"(\\w*)\\(");
    const std::vector<std::string> lines = linesOf(text);
    std::vector<Function> found;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::smatch rawString;
        if (std::regex_search(lines[i], rawString, raw)) {
            const std::string end = ")" + rawString[1].str() + "\"";
            while (i < lines.size() && lines[i].find(end) == std::string::npos) ++i;
            continue;
        }
        if (!opensFunction(lines[i])) continue;
        std::size_t start = i, end = i + 1;
        while (start > 0 && !endsBefore(lines[start - 1])) --start;
        // Of a namespace or a class in one, and no lambda of a table.
        const std::size_t at = indentation(lines[start]);
        if (at > 4 || std::isalpha(static_cast<unsigned char>(lines[start][at])) == 0) continue;
        const std::string closing = std::string(at, ' ') + "}";
        while (end < lines.size() && lines[end].compare(0, closing.size(), closing) != 0) ++end;
        found.push_back({i, end - start + 1, lines[start].substr(at)});
        i = end;
    }
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
    for (const std::filesystem::path& file : allSources())
        for (const Function& function : functionsOf(readWhole(file))) {
            ++functions;
            if (function.length > kMostLinesOfAFunction)
                found.insert(file.lexically_relative(projectFolder()).generic_string() + ": " + function.head);
        }
    EXPECT_GT(functions, 5000u) << "the test found hardly any function: it looks in the wrong place";
    compare(found, longFunctions(), "split it by idea");
}

TEST(Lengths, FunctionsAreFound) {
    const std::string text =
        "namespace a {\n\n/// Doc.\nint f(int x,\n      int y) {\n    if (x) {\n        return y;\n    }\n    return "
        "x;\n}\n\n"
        "const T table[] = {\n    {1, [](int x) {\n        return x;\n    }},\n};\n\nconst char* glsl = R\"(\nvoid "
        "main() {\n)\";\n\n"
        "struct S {\n    S() : x(1) {\n        x = 2;\n    }\n    int g() const { return x; }\n"
        "    bool h() const override {\n        return true;\n    }\n};\n\nS::S(int y)\n    : x(y),\n      z(y) {\n    "
        "x = 3;\n}\n}\n";
    const std::vector<Function> found = functionsOf(text);
    ASSERT_EQ(found.size(), 4u);
    EXPECT_EQ(found[0].length, 7u);
    EXPECT_EQ(found[0].head, "int f(int x,");
    EXPECT_EQ(found[1].length, 3u);
    EXPECT_EQ(found[2].head, "bool h() const override {");
    EXPECT_EQ(found[3].head, "S::S(int y)");
    EXPECT_EQ(found[3].length, 5u);
}

}  // namespace
}  // namespace pliant::test
