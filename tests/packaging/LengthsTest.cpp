// SPDX-License-Identifier: Zlib
// Files and functions that one can read: no file of more than 400 lines and no function of more than 50, but for those
// listed here. What is listed and has become short is to be taken out of the list.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "FunctionScanner.h"
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

TEST(Lengths, PrefixesOfTextsAreNoDigits) {
    EXPECT_EQ(found("char a = u8'}', b = 'b', c = L'{';\nint n = 0xA'B'C;\nvoid f() {\n}\n"),
              (Lines{{2, "void f() {"}}));
    EXPECT_EQ(found("const char* a = u8R\"(} \" {)\";\nconst wchar_t* b = LR\"x(})x\";\nvoid f() {\n}\n"),
              (Lines{{2, "void f() {"}}));
}

TEST(Lengths, BracesThatDoNotMatchFail) {
    EXPECT_NONFATAL_FAILURE(found("void f() {\n}\n}\nvoid g() {\n}\n"), "nothing has opened");
    EXPECT_NONFATAL_FAILURE(found("void f() {\n"), "braces do not match");
    EXPECT_NONFATAL_FAILURE(found("void f() {\n#if A\n    if (x) {\n#else\n    x();\n#endif\n}\n"),
                            "leave other braces open");
    Lines behind;
    EXPECT_NONFATAL_FAILURE(behind = found("}\nvoid g() {\n}\n"), "nothing has opened");
    EXPECT_EQ(behind, (Lines{{2, "void g() {"}})) << "the rest of the file is looked at";
}

TEST(Lengths, BranchesOfConditionsBeginAlike) {
    EXPECT_EQ(found("#if A\nvoid f(int x) {\n#elif B\nvoid f(char x) {\n#else\nvoid f(long x) {\n#endif\n    g();\n}\n"
                    "void h() {\n}\n"),
              (Lines{{4, "void f(long x) {"}, {2, "void h() {"}}));
    EXPECT_EQ(found("void f(\n#if A\n    int x\n#else\n    long x\n#endif\n) {\n}\n"), (Lines{{8, "void f("}}));
    EXPECT_EQ(found("#ifdef A\nextern \"C\" {\n#endif\nvoid f() {\n}\n#ifdef A\n}\n#endif\n"),
              (Lines{{2, "void f() {"}}));
}

TEST(Lengths, BodiesBehindMacrosAndTryAreFunctions) {
    EXPECT_EQ(found("void f() NOINLINE {\n    x();\n}\nCASE {\n}\nint n{2};\nstruct S {\n    int a{\n        1};\n"
                    "    void g() GUARDED {\n    }\n};\n"),
              (Lines{{3, "void f() NOINLINE {"}, {2, "CASE {"}, {2, "void g() GUARDED {"}}));
    EXPECT_EQ(found("int f() try {\n    return x();\n} catch (const E& e) {\n    return 1;\n} catch (...) {\n"
                    "    return 2;\n}\nS::S() try : a(1) {\n} catch (...) {\n}\nvoid g() {\n}\n"),
              (Lines{{7, "int f() try {"}, {3, "S::S() try : a(1) {"}, {2, "void g() {"}}));
}

}  // namespace
}  // namespace pliant::test
