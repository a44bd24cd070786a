// SPDX-License-Identifier: Zlib
// Variables, expressions and repeated entries of scene files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {
namespace {

using ::testing::HasSubstr;

const std::string kFile = "expressions.yaml";

SceneDescription parse(const std::string& text, const GivenVariables& given = {}) {
    return parseScene(text, kFile, program::sceneOptions(given));
}

std::string complaintOf(const std::string& text, const GivenVariables& given = {}) {
    try {
        parse(text, given);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

double value(const std::string& expression, const std::string& variables = "a: 2, b: = a + 1") {
    const SceneDescription scene = parse("variables: {" + variables + "}\nrigid:\n  - {shape: sphere, radius: 1}\n" +
                                         "gravity: [\"= " + expression + "\", 0, 0]\n");
    return scene.gravity.x();
}

TEST(SceneExpressions, AreWhatTheySay) {
    EXPECT_EQ(value("a + b * 2"), 8.0);
    EXPECT_EQ(value("(a + b) * 2"), 10.0);
    EXPECT_EQ(value("2^3^2"), 512.0);
    EXPECT_EQ(value("-a"), -2.0);
    EXPECT_EQ(value("a < b ? 5 : 6"), 5.0);
    EXPECT_EQ(value("max(a, b) - min(a, b)"), 1.0);
    EXPECT_EQ(value("clamp(7, 0, a)"), 2.0);
    EXPECT_EQ(value("smooth(0.5, 0, 1)"), 0.5);
    EXPECT_EQ(value("smooth(3, 0, 1) + smooth(-1, 0, 1)"), 1.0);
    EXPECT_NEAR(value("sin(30)"), 0.5, 1e-15);
    EXPECT_NEAR(value("cos(60) + tan(45) + asin(1) + acos(1) + atan(1) + atan2(1, 1)"), 181.5, 1e-12);
    EXPECT_NEAR(value("sqrt(4) + abs(-1) + exp(0) + ln(1) + log10(100)"), 6.0, 1e-15);
    EXPECT_EQ(value("floor(1.5) + ceil(1.5) + round(1.4) + sign(-3)"), 3.0);
    EXPECT_EQ(value("pi"), 3.14159265358979323846);
}

TEST(SceneExpressions, RandomNumbersAreEvenAndTheSameEverywhere) {
    double mean = 0.0, square = 0.0;
    for (int i = 0; i < 500; ++i) {
        const double x = value("random(7, " + std::to_string(i) + ")");
        ASSERT_GE(x, 0.0);
        ASSERT_LT(x, 1.0);
        mean += x / 500;
        square += x * x / 500;
    }
    EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / 500));
    EXPECT_NEAR(square, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / 500));
    EXPECT_NE(value("random(1, 2)"), value("random(2, 1)"));
    EXPECT_EQ(value("random(7, 3)"), value("random(7, 3)"));
}

TEST(SceneExpressions, StandWhereverANumberStands) {
    const SceneDescription scene = parse(
        "variables: {n: 3, gap: 0.5}\ntime: {duration: = n/2, substeps: = n + 1}\n"
        "rigid:\n  - {shape: box, size: [= gap, 1, = 2*gap], mass: = n,\n"
        "     grid: {count: [= n, = n - 1, 1], spacing: = gap}, colour: [= gap, 0, 1]}\n");
    EXPECT_EQ(scene.time.duration, 1.5);
    EXPECT_EQ(scene.time.substeps, 4);
    EXPECT_EQ(scene.rigid[0].size, Vector3(0.5, 1, 1));
    EXPECT_EQ(scene.rigid[0].mass, 3.0);
    EXPECT_EQ(scene.rigid[0].placement.count[0] * scene.rigid[0].placement.count[1], 6);
}

TEST(SceneExpressions, VariablesMayBeGivenFromOutside) {
    const std::string text = "variables: {rows: 2, all: = rows * rows}\nrigid:\n  - {shape: sphere, radius: = all}\n";
    EXPECT_EQ(parse(text).rigid[0].radius, 4.0);
    EXPECT_EQ(parse(text, {{"rows", 5.0}}).rigid[0].radius, 25.0);
    EXPECT_THAT(complaintOf(text, {{"row", 5.0}}),
                HasSubstr("no variable is called \"row\", which --set gives a value to; did you mean \"rows\"?"));
    EXPECT_THAT(complaintOf(text, {{"rows", std::numeric_limits<double>::infinity()}}),
                HasSubstr("the variable \"rows\" is given no finite number"))
        << "and not what a formula makes of it";
    EXPECT_EQ(parseGivenVariable("rows=4.5").second, 4.5);
    for (const char* wrong : {"rows", "=4", "rows=", "rows=four", "rows=nan", "ro ws=1", "sin=1"})
        EXPECT_THROW(parseGivenVariable(wrong), Error) << wrong;
}

TEST(SceneExpressions, RepeatedEntriesAreCopiesWithNumbersAndNames) {
    const SceneDescription scene = parse(
        "variables: {count: 3}\nrigid:\n"
        "  - {name: post, repeat: {i: = count}, shape: box, size: [1, 1, 1], mass: 1, position: [= 2*i, 0, = i^2]}\n"
        "  - {name: end, shape: sphere, radius: 1, mass: 1}\n"
        "joints:\n  - {repeat: {k: 2}, kind: point, between: [\"post[= k]\", \"post[= k + 1]\"], point: [0, 0, 0]}\n"
        "  - {kind: point, between: [\"post[2]\", end], point: [0, 0, 0]}\n");
    ASSERT_EQ(scene.rigid.size(), 4u);
    EXPECT_EQ(scene.rigid[2].name, "post[2]");
    EXPECT_EQ(scene.rigid[2].placement.position, Vector3(4, 0, 4));
    ASSERT_EQ(scene.joints.size(), 3u);
    EXPECT_EQ(scene.joints[1].ends[0].name, "post[1]");
    EXPECT_EQ(scene.joints[1].ends[1].name, "post[2]");
    EXPECT_EQ(scene.joints[1].ends[1].copy, -1);
    EXPECT_EQ(scene.joints[2].ends[0].name, "post[2]");
}

TEST(SceneExpressions, CopiesOfARepeatedGridHaveBothNumbers) {
    const SceneDescription scene = parse(
        "rigid:\n  - {name: wall, repeat: {i: 2}, shape: box, size: [1, 1, 1], mass: 1,\n"
        "     grid: {count: [3, 1, 1], spacing: 2}, position: [0, 0, = 5*i]}\n"
        "joints:\n  - {kind: point, between: [\"wall[1][2]\"], point: [0, 0, 0]}\n");
    EXPECT_EQ(scene.joints[0].ends[0].name, "wall[1]");
    EXPECT_EQ(scene.joints[0].ends[0].copy, 2);
}

struct ExpressionMistake {
    const char* name;
    const char* line;  ///< the third of the file
    const char* told;
};

class SceneExpressionMistakes : public ::testing::TestWithParam<ExpressionMistake> {};

TEST_P(SceneExpressionMistakes, AreToldWithTheirPlace) {
    const std::string text = std::string("variables: {rows: 2}\nrigid:\n") + GetParam().line + "\n";
    EXPECT_THAT(complaintOf(text), HasSubstr(kFile + ":3:"));
    EXPECT_THAT(complaintOf(text), HasSubstr(GetParam().told));
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, SceneExpressionMistakes,
    ::testing::Values(
        ExpressionMistake{"UnknownName", "  - {shape: sphere, radius: = rosw}",
                          "\"rosw\" is not defined; did you mean \"rows\"?"},
        ExpressionMistake{"FarName", "  - {shape: sphere, radius: = elephants}",
                          "\"elephants\" is not defined; here are: rows, pi"},
        ExpressionMistake{"Syntax", "  - {shape: sphere, radius: = 2 * (3}", "the expression cannot be read"},
        ExpressionMistake{"Nothing", "  - {shape: sphere, radius: =}", "the expression cannot be read"},
        ExpressionMistake{"Infinite", "  - {shape: sphere, radius: = 1/0}", "no finite number"},
        ExpressionMistake{"Several", "  - {shape: sphere, radius: \"= 1, 2\"}", "several values"},
        ExpressionMistake{"Assignment", "  - {shape: sphere, radius: = rows = 3}", "an expression sets nothing"},
        ExpressionMistake{"CommaUnquoted", "  - {shape: sphere, radius: 1, position: [0, 0, = max(1, 2)]}",
                          "position needs three numbers, it has 4; an expression with a comma in it is quoted"},
        ExpressionMistake{"Time", "  - {shape: sphere, radius: = t}", "nothing changes with time here"},
        ExpressionMistake{"OutOfRange", "  - {shape: sphere, radius: = rows - 3}",
                          "radius is = rows - 3 (-1); it must be at least"},
        ExpressionMistake{"NotWhole", "  - {shape: sphere, radius: 1, grid: {count: [= rows/4, 1, 1], spacing: 1}}",
                          "count"},
        ExpressionMistake{"RepeatName", "  - {repeat: {sin: 3}, shape: sphere, radius: 1}",
                          "\"sin\" cannot be a variable"},
        ExpressionMistake{"RepeatTwo", "  - {repeat: {i: 3, j: 2}, shape: sphere, radius: 1}",
                          "one name and how often"},
        ExpressionMistake{"RepeatCount", "  - {repeat: {i: -1}, shape: sphere, radius: 1}",
                          "i is -1; it must be at least 0"},
        ExpressionMistake{"UnknownKey", "  - {repeat: {i: 2}, shape: sphere, radius: 1, colur: [1, 0, 0]}",
                          "did you mean \"colour\"?"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(SceneExpressions, AMistakeOfARepeatedEntryIsToldOnce) {
    const std::string text = complaintOf("rigid:\n  - {repeat: {i: 9}, shape: sphere, radius: = j}\n");
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(SceneExpressions, AMistakeWhoseValueDiffersIsToldOnceToo) {
    const std::string text = complaintOf("rigid:\n  - {repeat: {i: 9}, shape: sphere, radius: = -1 - i}\n");
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
}

TEST(SceneExpressions, ASmallFileMakesNoMillionEntries) {
    std::string text = "rigid:\n";
    for (int i = 0; i < 100; ++i) text += "  - {repeat: {i: 20000}, shape: sphere, radius: 1}\n";
    EXPECT_THAT(complaintOf(text), HasSubstr("rigid have more than 20000 entries"));
    EXPECT_THAT(complaintOf("gravity: [{repeat: {i: 9}}, 0, 0]\nrigid:\n  - {shape: sphere, radius: 1}\n"),
                HasSubstr("gravity must be a number"));
}

// An order is not a slip of the pen, and one variable that is none does not hide the next.
TEST(SceneExpressions, MistakesOfVariablesAreToldTogether) {
    const std::string text = complaintOf(
        "variables:\n  sin: 3\n  mass: = 2*density\n  density: 7\n  twice: = 2*mass\n  my-own: 1\n"
        "rigid:\n  - {shape: sphere, radius: 1}\n");
    EXPECT_THAT(text, HasSubstr(kFile + ":2:8: \"sin\" cannot be a variable"));
    EXPECT_THAT(text, HasSubstr(kFile + ":3:"));
    EXPECT_THAT(text, HasSubstr("\"density\" has no value yet; a variable may use those before it"));
    EXPECT_THAT(text, HasSubstr("\"my-own\" cannot be a variable"));
    EXPECT_EQ(text.find("\"mass\""), std::string::npos) << "it has been told: " << text;
}

// No order of the variables would mend it.
TEST(SceneExpressions, AVariableThatIsMadeOfItselfIsToldSo) {
    const std::string text = complaintOf("variables:\n  a: = a + 1\nrigid:\n  - {shape: sphere, radius: 1}\n");
    EXPECT_THAT(text, HasSubstr(kFile + ":2:"));
    EXPECT_THAT(text, HasSubstr("\"a\" is made of itself, and has no value yet; a variable has one value"));
    EXPECT_EQ(text.find("move it"), std::string::npos) << text;
}

TEST(SceneExpressions, ManyVariablesAreRead) {
    std::string text = "variables:\n  a0: 1\n";
    for (int i = 1; i < 5000; ++i) text += "  a" + std::to_string(i) + ": = a" + std::to_string(i - 1) + " + 1\n";
    EXPECT_EQ(parse(text + "rigid:\n  - {shape: sphere, radius: = a4999}\n").rigid[0].radius, 5000.0);
}

TEST(SceneExpressions, TheLastGivenValueCountsAndTheFilesIsNotAsked) {
    const std::string text = "variables: {rows: = 1/0}\nrigid:\n  - {shape: sphere, radius: = rows}\n";
    EXPECT_EQ(parse(text, {{"rows", 2.0}, {"rows", 3.0}}).rigid[0].radius, 3.0);
}

TEST(SceneExpressions, ANumberInANameHasToBeOne) {
    const std::string text =
        "rigid:\n  - {name: post, repeat: {i: 2}, shape: sphere, radius: 1, mass: 1}\n"
        "joints:\n  - {repeat: {k: 2}, kind: point, between: [\"post[= k - 1]\"], point: [0, 0, 0]}\n";
    EXPECT_THAT(complaintOf(text), HasSubstr("= k - 1 is -1; bodies are numbered from 0"));
}

TEST(SceneExpressions, LongAndDeepOnesAreRefused) {
    const std::string deep = std::string(400, '(') + "1" + std::string(400, ')');
    EXPECT_THAT(complaintOf("gravity: [0, 0, = " + deep + deep + "]\nrigid:\n  - {shape: sphere, radius: 1}\n"),
                HasSubstr("longer than 1000 characters"));
    EXPECT_EQ(value(deep), 1.0);
}

}  // namespace
}  // namespace pliant::scene
