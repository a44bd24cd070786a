// SPDX-License-Identifier: Zlib
// `pliant run` of files that are no scenes: a scene is made around them.
#include <gmock/gmock.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kJelly = PLIANT_MEDIA_DIR "/solids/jelly.obj";

class SingleFile : public ProgramTest {
protected:
    nlohmann::json statistics() const { return nlohmann::json::parse(readWhole(m_folder / "stats.json")); }
};

TEST_F(SingleFile, AMeshFallsOntoTheGroundAndLiesThere) {
    const Outcome fell = run("run '" + kJelly + "' --no-draw --stats stats.json");
    ASSERT_EQ(fell.code, 0) << fell.problems;
    EXPECT_THAT(fell.output, HasSubstr("Made out/jelly.yaml, a scene around"));
    const auto frames = statistics()["frames"];
    EXPECT_GT(frames.front()["potential_energy"].get<double>(), 5.0 * frames.back()["potential_energy"].get<double>());
    EXPECT_GT(frames.back()["contacts"].get<int>(), 12) << "twelve bodies have to lie on something";
    EXPECT_EQ(statistics()["summary"]["lost_bodies"], 0);
    // A scene that was changed is not written over.
    const std::string made = readWhole(m_folder / "out/jelly.yaml");
    write("out/jelly.yaml", made + "gravity: [0, 0, -1]\n");
    EXPECT_THAT(run("run '" + kJelly + "' --no-draw").problems, HasSubstr("is not as pliant run has made it"));
    write("out/jelly.yaml", made);
    // The same scene from its own file is the same run.
    const Outcome again = run("run out/jelly.yaml --no-draw --stats again.json");
    ASSERT_EQ(again.code, 0) << again.problems;
    EXPECT_EQ(nlohmann::json::parse(readWhole(m_folder / "again.json"))["summary"]["state_hash"],
              statistics()["summary"]["state_hash"]);
}

// Parts of an assembly lie where the assembly has them. Their copies were turned about the file's origin: some began
// kilometres below the ground.
TEST_F(SingleFile, AMeshFarFromItsOriginFallsAsAnyOther) {
    std::string far;
    std::istringstream lines(readWhole(kJelly));
    for (std::string line; std::getline(lines, line);) {
        double x = 0.0, y = 0.0, z = 0.0;
        if (std::sscanf(line.c_str(), "v %lf %lf %lf", &x, &y, &z) == 3)
            line = "v " + std::to_string(x + 1e4) + " " + std::to_string(y - 3e3) + " " + std::to_string(z + 50.0);
        far += line + "\n";
    }
    write("far.obj", far);
    const Outcome fell = run("run far.obj --no-draw --stats stats.json");
    ASSERT_EQ(fell.code, 0) << fell.problems;
    EXPECT_THAT(fell.problems, Not(HasSubstr("below the ground")));
    EXPECT_EQ(statistics()["summary"]["lost_bodies"], 0);
    const auto frames = statistics()["frames"];
    EXPECT_GT(frames.front()["potential_energy"].get<double>(), 5.0 * frames.back()["potential_energy"].get<double>());
}

// Parts of a machine that are used in some way are rarely drawn about their middle. What stands on its origin was
// turned about its foot, by chance into its neighbours.
TEST_F(SingleFile, CopiesAreTurnedAboutTheirMiddleWhereverItIs) {
    const auto text = [&](const std::string& bottom, const std::string& top) {
        std::string mesh;
        for (int c = 0; c < 8; ++c)
            mesh += std::string("v ") + (c & 1 ? "0.1 " : "-0.1 ") + (c & 2 ? "0.1 " : "-0.1 ") +
                    (c & 4 ? top : bottom) + "\n";
        write("block.obj", mesh + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n");
        EXPECT_EQ(run("run block.obj --no-draw --models /dev/null/models").code, 1);  // ends before it is reduced
        return readWhole(m_folder / "out/block.yaml");
    };
    EXPECT_THAT(text("-0.3", "0.3"), HasSubstr("jitter"));
    std::filesystem::remove_all(m_folder / "out");
    EXPECT_THAT(text("0", "0.6"), AllOf(HasSubstr("name: copy12"), Not(HasSubstr("jitter"))));
}

// Its mesh knows its unit: the cure of meshes was itself refused.
TEST_F(SingleFile, AModelBeyondScenesIsToBeMadeAgain) {
    std::string far;
    std::istringstream lines(readWhole(kJelly));
    for (std::string line; std::getline(lines, line);) {
        double x = 0.0, y = 0.0, z = 0.0;
        if (std::sscanf(line.c_str(), "v %lf %lf %lf", &x, &y, &z) == 3)
            line = "v " + std::to_string(x + 2e5) + " " + std::to_string(y) + " " + std::to_string(z);
        far += line + "\n";
    }
    write("far.obj", far);
    ASSERT_EQ(run("reduce far.obj -o far.pliant --dimension 8 --modes 6").code, 0);
    EXPECT_THAT(run("run far.pliant --no-draw").problems, HasSubstr("scenes reach 100 km; make the model again"));
}

TEST_F(SingleFile, UnitsAndUpAxisAreTheMeshes) {
    // Nothing can be kept below a device, so that the run ends before the mesh is reduced.
    ASSERT_EQ(run("run '" + kJelly + "' --units cm --up y --no-draw --models /dev/null/models").code, 1);
    EXPECT_THAT(readWhole(m_folder / "out/jelly.yaml"), HasSubstr("reduce: {up: y, units: cm}"));
}

TEST_F(SingleFile, BallsFallOntoWhatIsHeld) {
    ASSERT_EQ(run("reduce '" + kJelly + "' -o held.pliant --dimension 8 --modes 6 --hold halfspace=0,0,1,-0.09").code,
              0);
    const Outcome ran = run("run held.pliant --no-draw --frames 60 --stats stats.json");
    ASSERT_EQ(ran.code, 0) << ran.problems;
    EXPECT_THAT(readWhole(m_folder / "out/held.yaml"), AllOf(HasSubstr("sphere"), HasSubstr("../held.pliant")));
    EXPECT_GT(statistics()["frames"].back()["contacts"].get<int>(), 0);
}

TEST_F(SingleFile, MistakesAreToldBeforeAnythingIsMade) {
    write("balls.yaml", "rigid: [{name: b, shape: sphere, radius: 1, mass: 1}]\n");
    write("broken.obj", "v 0 0 0\nv 1 0 0\nf 1 2 7\n");
    write("huge.obj", "v 0 0 0\nv 9e4 0 0\nv 0 9e4 0\nf 1 2 3\n");
    // No coordinate is beyond what scenes take, but copies that are turned would be.
    write("far.obj", "v 7e4 7e4 7e4\nv 70001 7e4 7e4\nv 7e4 70001 7e4\nf 1 2 3\n");
    const auto expect = [&](const std::string& arguments, const std::string& reason) {
        const Outcome bad = run("run " + arguments + " --no-draw");
        EXPECT_EQ(bad.code, 1) << arguments;
        EXPECT_THAT(bad.problems, HasSubstr(reason)) << arguments;
        EXPECT_FALSE(std::filesystem::exists(m_folder / "out")) << arguments;
    };
    expect("none.obj", "none.obj: cannot be read: no such file; check the name and the path");
    expect("broken.obj", "broken.obj:3");
    expect("huge.obj", "say what its numbers are: --units mm");
    expect("far.obj", "scenes reach 100 km; say what its numbers are: --units mm");
    expect("balls.yaml --up y", "--up and --units are for meshes and characters");
    expect(PLIANT_MEDIA_DIR "/characters/bar.glb --units mm", "--units is for meshes");
}

}  // namespace
}  // namespace pliant::test
