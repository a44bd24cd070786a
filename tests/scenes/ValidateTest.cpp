// SPDX-License-Identifier: Zlib
// `pliant validate`: the page that holds a reduced model against the full one.
#include <gmock/gmock.h>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A beam of 10 x 1 x 1 bricks of 5 cm along x, held at x = 0.
class Validate : public ProgramTest {
protected:
    static constexpr int kBricks = 10;

    void SetUp() override {
        ProgramTest::SetUp();
        writeBeam("beam.veg", kBricks);
        write("beam.bou", "1,2,3,4\n");
        const Outcome made = run("reduce beam.veg --fixed beam.bou -o beam.pliant --modes 8 --dim 20 --no-cache");
        ASSERT_EQ(made.code, 0) << made.problems;
    }
    void writeBeam(const std::string& name, int bricks) const {
        std::string vertices, elements;
        for (int i = 0; i <= bricks; ++i)
            for (int c = 0; c < 4; ++c)
                vertices += std::to_string(4 * i + c + 1) + " " + std::to_string(0.05 * i) + " " +
                            (c == 1 || c == 2 ? "0.05" : "0") + " " + (c >= 2 ? "0.05" : "0") + "\n";
        for (int i = 0; i < bricks; ++i) {
            const int near = 4 * i + 1, far = near + 4;
            elements += std::to_string(i + 1);
            for (const int corner : {near, far, far + 1, near + 1, near + 3, far + 3, far + 2, near + 2})
                elements += " " + std::to_string(corner);
            elements += "\n";
        }
        write(name, "*VERTICES\n" + std::to_string(4 * (bricks + 1)) + " 3 0 0\n" + vertices + "*ELEMENTS\nCUBIC\n" +
                        std::to_string(bricks) + " 8 0\n" + elements +
                        "*MATERIAL BODY\nENU, 1000, 1e6, 0.3\n*REGION\nallElements, BODY\n");
    }
    /// The percentage before the first "%" after `after`.
    static double percentage(const std::string& text, const std::string& after) {
        const std::size_t start = text.find(after);
        return start == std::string::npos ? 1e9 : std::stod(text.substr(start + after.size()));
    }
};

TEST_F(Validate, NonlinearModelFollowsTheFullOneAndLinearDoesNot) {
    const Outcome outcome = run("validate beam.pliant -o report.html --vertex 44 --force 0 0 10 --mesh beam.veg");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    const std::string linear = outcome.output.substr(outcome.output.find("linear, r = 20"));
    const std::string reduced = linear.substr(linear.find("\nr = 20"));
    EXPECT_LT(std::abs(percentage(reduced, "amplitude ")), 2.0);
    EXPECT_LT(std::abs(percentage(reduced, "frequency ")), 2.0);
    EXPECT_GT(percentage(linear, "amplitude "), 10.0) << "the full beam stiffens, modal analysis does not";
    const std::string page = readWhole(m_folder / "report.html");
    std::size_t plots = 0;
    for (std::size_t at = page.find("<svg"); at != std::string::npos; at = page.find("<svg", at + 1)) ++plots;
    EXPECT_EQ(plots, 3u);
    EXPECT_EQ(page.find("http"), std::string::npos) << "needs no network";
    EXPECT_EQ(page.find("<script"), std::string::npos);
    EXPECT_THAT(page, HasSubstr("full, 132 coordinates"));
}

// What a user types first: nothing but the model. The full model must be a measure, so it keeps its energy.
TEST_F(Validate, ByDefaultTheFullModelKeepsItsEnergyAndAGoodModelIsCalledGood) {
    const Outcome outcome = run("validate beam.pliant -o report.html");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("150 steps of the full model's 44 vertices take about "));
    EXPECT_THAT(outcome.output, HasSubstr("Good: within 5 % in amplitude and 2 % in frequency of the full model."));
    const std::string page = readWhole(m_folder / "report.html");
    const std::string full = page.substr(page.find("<td>full, 132 coordinates"));
    const std::string drift = full.substr(0, full.find("</tr>"));
    EXPECT_LT(percentage(drift, "<td></td><td></td><td>"), 0.01) << drift;
}

TEST_F(Validate, WhatCouldNotBeMeasuredIsNotCalledAnErrorOfNothing) {
    const Outcome outcome = run("validate beam.pliant -o report.html --periods 0.5");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("frequency not measured"));
    EXPECT_THAT(outcome.output, HasSubstr("too few swings were seen"));
}

// Of three bricks, whose lumped mass swings a good deal slower than the consistent one: a push so small that the motion
// is linear must be that of the full model, whichever mass both have.
TEST_F(Validate, ModelsOfLumpedMassAreHeldAgainstLumpedMass) {
    writeBeam("short.veg", 3);
    for (const char* mass : {"", " --lumped"}) {
        const Outcome made =
            run("reduce short.veg --fixed beam.bou -o short.pliant --modes 12 --dim 12 --derivatives none --no-cache" +
                std::string(mass));
        ASSERT_EQ(made.code, 0) << made.problems;
        const Outcome outcome = run("validate short.pliant -o report.html --vertex 16 --force 0 0 0.01");
        ASSERT_EQ(outcome.code, 0) << outcome.problems;
        const std::string reduced = outcome.output.substr(outcome.output.find("\nr = 12"));
        EXPECT_LT(std::abs(percentage(reduced, "frequency ")), 0.2) << outcome.output;
        EXPECT_LT(std::abs(percentage(reduced, "amplitude ")), 1.0) << outcome.output;
    }
}

TEST_F(Validate, AnotherMeshIsRefusedWithBothNumbers) {
    writeBeam("other.veg", kBricks + 1);
    const Outcome outcome = run("validate beam.pliant -o report.html --mesh other.veg");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors,
                ElementsAre(::testing::AllOf(HasSubstr("other.veg"), HasSubstr("48"), HasSubstr("44"))));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "report.html"));
}

TEST_F(Validate, ZeroForceAndMissingVertexAreRefused) {
    for (const char* option : {"--force 0 0 0", "--vertex 45"}) {
        const Outcome outcome = run(std::string("validate beam.pliant -o report.html ") + option);
        EXPECT_EQ(outcome.code, 1) << option;
        EXPECT_EQ(outcome.errors.size(), 1u) << outcome.problems;
        EXPECT_FALSE(std::filesystem::exists(m_folder / "report.html"));
    }
}

/// The bar of media/characters, whose bones its clip bends.
class ValidateCharacter : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const Outcome made = run("rig " PLIANT_MEDIA_DIR "/characters/bar.glb -o bar.pliant --voxels 10 --dim 24");
        ASSERT_EQ(made.code, 0) << made.problems;
    }
    /// The percentage of the line that begins with a word.
    static double percentage(const std::string& text, const std::string& of) {
        const std::size_t start = text.find(of);
        if (start == std::string::npos) return 1e9;
        const std::size_t end = text.find_last_not_of(' ', text.find('%', start) - 1);
        return std::stod(text.substr(text.rfind(' ', end), end));
    }
};

// The full model moves with the bones, and reduced flesh follows it more closely than the skin alone does.
TEST_F(ValidateCharacter, ReducedFleshFollowsTheFullModelOnMovingBones) {
    const Outcome outcome = run("validate bar.pliant -o bar.html --seconds 0.3 --steps-per-second 60");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("clip \"bend\" against the full model's 18 steps"));
    const double skin = percentage(outcome.output, "skin alone"), reduced = percentage(outcome.output, "reduced, r =");
    EXPECT_GT(skin, 2.0) << outcome.output << ": the bones have hardly bent it";
    EXPECT_LT(skin, 20.0) << outcome.output;
    EXPECT_LT(reduced, 0.33 * skin) << outcome.output;
    const std::size_t missed = outcome.output.find("misses ");
    ASSERT_NE(missed, std::string::npos) << outcome.output;
    EXPECT_LT(std::stod(outcome.output.substr(missed + 7)), 1.0) << "flesh that does not move by itself misses 1";
    EXPECT_THAT(readWhole(m_folder / "bar.html"), HasSubstr("<svg"));
}

TEST_F(ValidateCharacter, ClipsThatAreNotThereAreToldWithThoseThatAre) {
    const Outcome outcome = run("validate bar.pliant -o bar.html --clip run");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("it has no clip \"run\"; its clips are bend")));
}

}  // namespace
}  // namespace pliant::test
