// SPDX-License-Identifier: Zlib
// `pliant rig`: a rigged character gets flesh, is told of, and held against the full model.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class RigCommand : public ProgramTest {};

TEST_F(RigCommand, GivesFleshToTheBar) {
    const Outcome made = run("rig " PLIANT_MEDIA_DIR
                             "/characters/bar.glb -o bar.pliant --voxels 12 --modes 8 --dimension 10 --young 2e4 "
                             "--poisson 0.3");
    ASSERT_EQ(made.code, 0) << made.problems;
    EXPECT_THAT(made.output, AllOf(HasSubstr("2 bones carry skin"), HasSubstr("Clips: bend (1 s)"),
                                   HasSubstr("bar.pliant made in")));
    EXPECT_THAT(run("info bar.pliant").output,
                AllOf(HasSubstr("character    2 bones"), HasSubstr("lower"), HasSubstr("clip bend")));
    const auto json = nlohmann::json::parse(run("info bar.pliant --json").output);
    EXPECT_EQ(json["character"]["bones"][1]["name"], "lower");
    EXPECT_EQ(json["character"]["base"], "flesh");
    const Outcome checked = run("validate bar.pliant -o bar.html --seconds 0.1");
    ASSERT_EQ(checked.code, 0) << checked.problems;
    EXPECT_THAT(checked.output, HasSubstr("24 steps"));
    EXPECT_THAT(readWhole(m_folder / "bar.html"), AllOf(HasSubstr("<svg"), HasSubstr("reduced flesh")));
    EXPECT_THAT(run("validate bar.pliant -o x.html --clip none").problems, HasSubstr("its clips are bend"));
}

TEST_F(RigCommand, RunsACharacterUnderFallingBalls) {
    const Outcome made =
        run("rig " PLIANT_MEDIA_DIR "/characters/bar.glb -o bar.pliant --voxels 12 --modes 8 --dimension 10");
    ASSERT_EQ(made.code, 0) << made.problems;
    const Outcome ran = run("run bar.pliant --no-draw --frames 30 --stats stats.json");
    ASSERT_EQ(ran.code, 0) << ran.problems;
    EXPECT_TRUE(std::filesystem::exists(m_folder / "stats.json"));
    write("scene.yaml",
          "models: {bar: {file: " PLIANT_MEDIA_DIR
          "/characters/bar.glb, rig: {voxels: 12, modes: 8, dimension: 10}}}\nbodies: [{model: bar, clip: bend}]\n");
    const Outcome scene = run("run scene.yaml --no-draw --frames 3");
    ASSERT_EQ(scene.code, 0) << scene.problems;
    EXPECT_TRUE(std::filesystem::exists(m_folder / "out/models/bar.pliant"));
    EXPECT_EQ(run("run none.glb --no-draw").code, 1);
    EXPECT_THAT(run("run none.glb --no-draw").problems, HasSubstr("none.glb"));
}

TEST_F(RigCommand, BadInputIsOneMessage) {
    const auto expect = [&](const std::string& arguments, const std::string& reason) {
        const Outcome bad = run("rig " + arguments + " -o bad.pliant");
        EXPECT_EQ(bad.code, 1) << arguments;
        EXPECT_THAT(bad.problems, HasSubstr(reason)) << arguments;
        EXPECT_FALSE(std::filesystem::exists(m_folder / "bad.pliant"));
    };
    expect("none.glb", "none.glb");
    expect(PLIANT_MEDIA_DIR "/solids/jelly.obj", "jelly.obj");
    expect(PLIANT_MEDIA_DIR "/characters/bar.glb --poisson 0.5", "oisson");
    expect(PLIANT_MEDIA_DIR "/characters/bar.glb --core 1.5", "--core");
}

}  // namespace
}  // namespace pliant::test
