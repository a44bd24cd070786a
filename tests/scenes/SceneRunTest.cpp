// SPDX-License-Identifier: Zlib
// Whole scenes through the program: what is written, that the numbers are sound, that the workers do not change a bit.
#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "Picture.h"
#include "ProgramRun.h"
#include "ReferenceData.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class SceneRun : public ProgramTest {
protected:
    nlohmann::json readJson(const std::string& name) const { return nlohmann::json::parse(readWhole(m_folder / name)); }

    /// The baskets of the smoke scene are in a picture.
    void expectBaskets(const std::string& name) const {
        const double share = shareOf(wicker, readPicture((m_folder / name).string()));
        EXPECT_GT(share, 0.004) << name;
    }

    /// Runs a scene without pictures. @return its statistics
    nlohmann::json simulate(const std::string& scene, const std::string& options = "") const {
        const Outcome outcome = run("run " + scene + " --no-draw --stats stats.json " + options);
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
        if (outcome.code != 0) return {};
        return readJson("stats.json");
    }

    /// The rows of a record, without its head; the first number of each is the time, s.
    std::vector<std::vector<double>> readRecord(const std::string& name) const {
        std::istringstream lines(readWhole(m_folder / name));
        std::vector<std::vector<double>> rows;
        std::string line, number;
        std::getline(lines, line);
        while (std::getline(lines, line)) {
            std::istringstream numbers(line);
            rows.emplace_back();
            while (std::getline(numbers, number, ',')) rows.back().push_back(std::stod(number));
        }
        return rows;
    }

    /// `mesh` is reduced and dropped from `height`: it must lie on the ground after two seconds, whole.
    void expectToFall(const std::string& mesh, const std::string& reduce, double height) const {
        write("fall.yaml", "time: {duration: 3}\nmodels:\n  it:\n    file: " + mesh + "\n    reduce: {" + reduce +
                               "}\n    damping: {mass: 0.2, stiffness: 0.003}\nbodies:\n  - {model: it, position: "
                               "[0, 0, " +
                               std::to_string(height) + "], rotation: [90, 0, 0]}\nground: {}\n");
        const nlohmann::json stats = simulate("fall.yaml");
        ASSERT_FALSE(stats.is_null());
        const nlohmann::json& summary = stats["summary"];
        EXPECT_EQ(summary["lost_bodies"], 0);
        EXPECT_EQ(summary["not_finite_bodies"], 0);
        EXPECT_EQ(summary["restored_bodies"], 0);
        EXPECT_LT(stats["frames"].back()["potential_energy"], 0.9 * summary["start_energy"].get<double>());
        EXPECT_LT(summary["largest_step_gain"], 1.0e-3);
    }
};

TEST_F(SceneRun, AScenesEventsAreToldAndItsExpectationsHold) {
    const std::string scene =
        "time: {duration: 2}\nrigid:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 1, spawn: {most: 2}}\n"
        "ground: {}\nsensors: [{name: low, kind: region, box: {from: [-1, -1, 0], to: [1, 1, 0.5]}}]\n"
        "events:\n  - {at: 0.5, do: [{spawn: {of: ball, position: [0, 0, 1]}}, {say: \"a ball at {t} s\"}]}\n"
        "  - {at: 1.5, do: [stop]}\nrecord: [{file: low.csv, every: 0.5, of: low.count}]\nexpect:\n";
    write("held.yaml", scene + "  - {that: low.count == 1}\n");
    const Outcome held = run("run held.yaml --no-draw --output made --stats stats.json");
    EXPECT_EQ(held.code, 0) << held.problems;
    EXPECT_THAT(held.output, HasSubstr("0.500 s: a ball at 0.5 s"));
    EXPECT_EQ(readWhole(m_folder / "made/low.csv"), "t [s],low.count [1]\n0,0\n0.5,0\n1,1\n1.5,1\n");
    EXPECT_EQ(readJson("stats.json")["frames"].size(), 45u) << "it was stopped";
    EXPECT_LT(readJson("stats.json")["summary"]["largest_step_gain"], 0.1) << "what a ball brings in is no error";
    write("broken.yaml", scene + "  - {at: 1, that: low.count == 2}\n");
    const Outcome broken = run("run broken.yaml --no-draw --output made");
    EXPECT_EQ(broken.code, 1);
    EXPECT_THAT(broken.problems, HasSubstr("broken.yaml:11:5: expect at 1 s: low.count == 2 is false: low.count is 1"));
}

/// A door frame of one piece, 1 m wide, on two feet, as .obj.
std::string portal() {
    const double outline[8][2] = {{-.5, 0}, {-.44, 0}, {-.44, .6}, {.44, .6}, {.44, 0}, {.5, 0}, {.5, .66}, {-.5, .66}};
    const int caps[6][3] = {{1, 2, 3}, {1, 3, 8}, {3, 4, 7}, {3, 7, 8}, {4, 5, 6}, {4, 6, 7}};
    std::ostringstream text;
    for (const double y : {-0.2, 0.2})
        for (const auto& corner : outline) text << "v " << corner[0] << ' ' << y << ' ' << corner[1] << '\n';
    for (const auto& cap : caps) {
        text << "f " << cap[0] << ' ' << cap[1] << ' ' << cap[2] << '\n';
        text << "f " << cap[0] + 8 << ' ' << cap[2] + 8 << ' ' << cap[1] + 8 << '\n';
    }
    for (int i = 1; i <= 8; ++i) {
        const int next = i % 8 + 1;
        text << "f " << next << ' ' << i << ' ' << i + 8 << "\nf " << next << ' ' << i + 8 << ' ' << next + 8 << '\n';
    }
    return text.str();
}

// Feet of one soft body that stand apart pull against each other by friction, which does no work while it holds: they
// do not creep together (less than 1 mm is asked of piles in a longer time), and the energy falls.
TEST_F(SceneRun, FeetThatStandApartStay) {
    write("portal.obj", portal());
    write("portal.yaml",
          "time: {duration: 8, substeps: 8}\nground: {}\n"
          "models: {it: {file: portal.obj, reduce: {young: 3.0e5, density: 400, modes: 10, dimension: 16}}}\n"
          "bodies: [{name: it, model: it, position: [0, 0, 0.001], angular_velocity: [0, 0.3, 0], sleep: false}]\n"
          "sensors: [{name: right, kind: point, of: it, point: [0.47, 0, 0]}, "
          "{name: left, kind: point, of: it, point: [-0.47, 0, 0]}, {name: all, kind: energy}]\n"
          "record: [{file: feet.csv, every: 2, of: [right.position.x, left.position.x, all.total]}]\n");
    ASSERT_FALSE(simulate("portal.yaml", "--output .").is_null());
    const auto rows = readRecord("feet.csv");  // right and left foot, m, energy, J
    ASSERT_EQ(rows.size(), 5u) << "0, 2, 4, 6 and 8 s";
    EXPECT_NEAR(rows[4][1] - rows[4][2], rows[1][1] - rows[1][2], 1e-3);
    EXPECT_LT(rows[4][3], rows[1][3]);
}

/// A table of one piece, 1.2 x 0.7 m, as .obj: the boundary of the cells of a grid that are filled.
std::string table() {
    const double x[4] = {-.6, -.5, .5, .6}, y[4] = {-.35, -.25, .25, .35}, z[3] = {0, .7, .75};
    const auto isFilled = [](const std::array<int, 3>& c) {
        const bool isInside = c[0] >= 0 && c[0] < 3 && c[1] >= 0 && c[1] < 3 && c[2] >= 0 && c[2] < 2;
        return isInside && (c[2] == 1 || (c[0] != 1 && c[1] != 1));
    };
    const auto vertex = [](const std::array<int, 3>& corner) {
        return 1 + corner[0] + 4 * (corner[1] + 4 * corner[2]);
    };
    std::ostringstream text;
    for (const double height : z)
        for (const double side : y)
            for (const double along : x) text << "v " << along << ' ' << side << ' ' << height << '\n';
    for (int cell = 0; cell < 18; ++cell)
        for (int side = 0; side < 6; ++side) {
            const std::array<int, 3> from = {cell % 3, cell / 3 % 3, cell / 9};
            const std::size_t k = static_cast<std::size_t>(side) / 2, i = (k + 1) % 3, j = (k + 2) % 3;
            std::array<int, 3> next = from;
            next[k] += side % 2 == 0 ? -1 : 1;
            if (!isFilled(from) || isFilled(next)) continue;
            std::array<int, 3> corners[4] = {from, from, from, from};
            for (auto& corner : corners) corner[k] += side % 2;
            for (const int c : {1, 2}) ++corners[c][side % 2 == 0 ? j : i];
            for (const int c : {2, 3}) ++corners[c][side % 2 == 0 ? i : j];
            for (const int c : {1, 2})
                text << "f " << vertex(corners[0]) << ' ' << vertex(corners[c]) << ' ' << vertex(corners[c + 1])
                     << '\n';
        }
    return text.str();
}

// What stands on soft legs rocks on the edges of its feet, from corner to corner, and comes to rest in steps of every
// size. Where feet are held by one corner each, or contacts take frame and deformation at different times, 0.03 to 0.3
// J are left and rising. The weight may lie higher by the way that contacts move in and out by, 0.17 mm of 580 N.
TEST_F(SceneRun, ATableOnSoftLegsComesToRest) {
    write("table.obj", table());
    for (const int substeps : {1, 2, 8}) {
        write("table.yaml",
              "time: {duration: 8, substeps: " + std::to_string(substeps) +
                  "}\nground: {}\n"
                  "models: {it: {file: table.obj, reduce: {young: 1.5e7, density: 1400, modes: 20, dimension: 30}}}\n"
                  "bodies: [{name: it, model: it, position: [0, 0, 0.01], sleep: false}]\n"
                  "sensors: [{name: all, kind: energy}]\n"
                  "record: [{file: rest.csv, every: 1, of: [all.kinetic, all.total]}]\n");
        ASSERT_FALSE(simulate("table.yaml", "--output .").is_null());
        const auto rows = readRecord("rest.csv");  // kinetic and total energy, J
        ASSERT_EQ(rows.size(), 9u);
        for (const std::size_t t : {7u, 8u}) EXPECT_LT(rows[t][1], 2e-3) << substeps << " substeps, " << t << " s";
        EXPECT_LT(rows[8][2], rows[2][2] + 0.1) << substeps << " substeps";
    }
}

TEST_F(SceneRun, AStillIsAMomentOfTheSceneAndAsksForNothingThatComesLater) {
    write("short.yaml",
          "time: {duration: 0.2}\nrigid: [{name: ball, shape: sphere, radius: 0.1, mass: 1}]\n"
          "sensors: [{name: ball, kind: point, of: ball}]\nexpect: [{at: 0.2, that: ball.position.z < -0.1}]\n");
    EXPECT_THAT(run("run short.yaml --still 3").problems, HasSubstr("the scene lasts 0.2 s"));
    EXPECT_THAT(run("run short.yaml --still 0.1 --no-draw").problems, HasSubstr("leave one of them out"));
    const Outcome still = run("run short.yaml --still 0.1 --size 160x90");
    EXPECT_EQ(still.code, 0) << still.problems;
}

TEST_F(SceneRun, AStillIsTheOnlyFrameThatIsDrawn) {
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR "/scenes/smoke.yaml --still 0.4 --size 160x90 --output made --stats stats.json");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.errors, IsEmpty());
    expectBaskets("made/smoke.png");
    EXPECT_FALSE(std::filesystem::exists(m_folder / "made/smoke.mp4"));
    const nlohmann::json frames = readJson("stats.json")["frames"];
    ASSERT_EQ(frames.size(), 12u);
    int drawn = 0;
    for (const nlohmann::json& frame : frames) drawn += frame["milliseconds"]["drawing"].get<double>() > 0.0;
    EXPECT_EQ(drawn, 1);
    const Outcome film =
        run("run " PLIANT_MEDIA_DIR "/scenes/smoke.yaml --headless --frames 12 --size 160x90 --output film");
    ASSERT_EQ(film.code, 0) << film.problems;
    EXPECT_TRUE(readWhole(m_folder / "film/smoke.png") == readWhole(m_folder / "made/smoke.png"))
        << "the same picture as a film's last frame";
}

TEST_F(SceneRun, SmokeMakesFilmPictureAndStatistics) {
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR "/scenes/smoke.yaml --headless --frames 12 --output made --stats stats.json");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.errors, IsEmpty());
    expectBaskets("made/smoke.png");
    const std::string last = "ffmpeg -v error -sseof -0.05 -i '" + (m_folder / "made/smoke.mp4").string() +
                             "' -frames:v 1 '" + (m_folder / "last.png").string() + "'";
    ASSERT_EQ(std::system(last.c_str()), 0) << last;
    expectBaskets("last.png");
    EXPECT_TRUE(std::filesystem::exists(m_folder / "made/models/basket.pliant"));
    for (const char* word : {"smoke.mp4", "smoke.png", "deformation", "collision", "contact solve", "rigid integration",
                             "drawing", "Next: "})
        EXPECT_THAT(outcome.output, HasSubstr(word));

    const nlohmann::json stats = readJson("stats.json");
    ASSERT_EQ(stats["frames"].size(), 12u);
    const nlohmann::json& frame = stats["frames"][11];
    EXPECT_NEAR(frame["time"].get<double>(), 0.4, 1e-9);
    for (const char* key : {"kinetic_energy", "elastic_energy", "potential_energy", "largest_depth",
                            "largest_penetration", "penetration_99", "contacts", "workers"})
        EXPECT_TRUE(frame[key].is_number()) << key;
    for (const char* stage : {"deformation", "collision", "contact_solve", "rigid_integration", "drawing"})
        EXPECT_GE(frame["milliseconds"][stage].get<double>(), 0.0) << stage;
    EXPECT_GT(frame["milliseconds"]["drawing"].get<double>(), 0.0);
    EXPECT_EQ(stats["summary"]["bodies"], 5);
    EXPECT_EQ(stats["summary"]["lost_bodies"], 0);
}

TEST_F(SceneRun, AFreeFallTurnsPotentialIntoKineticEnergy) {
    write("fall.yaml", "time: {duration: 0.5}\nmodels:\n  basket:\n    file: " PLIANT_MEDIA_DIR
                       "/basket/basket.obj\n    reduce: {modes: 4, dimension: 6, solid: false, voxels: 10, young: "
                       "2.0e6, poisson: 0.3, density: "
                       "400}\nbodies: [{model: basket, position: [0, 0, 9]}]\nground: {}\n");
    const nlohmann::json stats = simulate("fall.yaml", "--frames 15");
    ASSERT_FALSE(stats.is_null());
    const nlohmann::json& last = stats["frames"].back();
    const double start = stats["summary"]["start_energy"];
    EXPECT_NEAR(last["kinetic_energy"].get<double>() + last["potential_energy"].get<double>(), start, 0.01 * start);
    EXPECT_LT(last["elastic_energy"].get<double>(), 1e-9 * start);  // uniform gravity bends nothing
    // 9.81^2 t^2 / 2 per kg after 0.5 s; the share of the start's 9.81 * 9 per kg is t^2 g / 18, but for the centre
    // of mass a few centimetres above the mesh's origin
    EXPECT_NEAR(last["kinetic_energy"].get<double>() / start, 0.25 * 9.81 / 18.0, 0.005);
}

TEST_F(SceneRun, WorkersDoNotChangeABit) {
    const std::string scene = PLIANT_MEDIA_DIR "/scenes/smoke.yaml";
    const nlohmann::json one = simulate(scene, "--frames 25 --threads 1");
    const nlohmann::json two = simulate(scene, "--frames 25 --threads 2");
    ASSERT_FALSE(one.is_null() || two.is_null());
    EXPECT_EQ(one["summary"]["workers"], 1);
    EXPECT_EQ(one["summary"]["state_hash"], two["summary"]["state_hash"]);
    EXPECT_EQ(one["frames"].back()["kinetic_energy"], two["frames"].back()["kinetic_energy"]);
    EXPECT_NE(one["summary"]["state_hash"], simulate(scene, "--frames 24")["summary"]["state_hash"]);
}

TEST_F(SceneRun, TheCarouselTurnsUntilAHookBreaks) {
    const std::string scene = PLIANT_MEDIA_DIR "/scenes/carousel.yaml";
    const nlohmann::json stats = simulate(scene, "--frames 140");
    ASSERT_FALSE(stats.is_null());
    EXPECT_EQ(stats["summary"]["lost_bodies"], 0);
    EXPECT_EQ(stats["summary"]["restored_bodies"], 0);
    EXPECT_EQ(stats["frames"][99]["broken_joints"], 0);
    EXPECT_EQ(stats["frames"].back()["broken_joints"], 1);
    EXPECT_GT(stats["frames"][99]["kinetic_energy"], 100.0);
    const std::string hash = simulate(scene, "--frames 40 --threads 1")["summary"]["state_hash"];
    EXPECT_EQ(simulate(scene, "--frames 40 --threads 2")["summary"]["state_hash"], hash);
}

TEST_F(SceneRun, DistributedContactSticksAndSlides) {
    const Outcome outcome = run("run " PLIANT_MEDIA_DIR "/scenes/sticking_and_sliding.yaml --no-draw");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
}

TEST_F(SceneRun, AReducedModelIsUsedAgainUntilSomethingChanges) {
    const std::string reduce =
        "reduce " PLIANT_MEDIA_DIR "/basket/basket.obj -o b.pliant --shell --modes 4 --voxels 10 --dim ";
    EXPECT_THAT(run(reduce + "6").output, HasSubstr("b.pliant made in"));
    EXPECT_THAT(run(reduce + "6").output, HasSubstr("up to date"));
    EXPECT_THAT(run(reduce + "5").output, HasSubstr("b.pliant made in"));
    const std::string whole = readWhole(m_folder / "b.pliant");
    write("b.pliant", whole.substr(0, whole.size() / 2));
    EXPECT_THAT(run(reduce + "5").output, HasSubstr("b.pliant made in"));
    EXPECT_EQ(readWhole(m_folder / "b.pliant"), whole) << "the same input and options gave other bytes";
}

TEST_F(SceneRun, InfoAndEvalSpeakJson) {
    ASSERT_EQ(
        run("reduce " PLIANT_MEDIA_DIR "/basket/basket.obj -o b.pliant --shell --modes 4 --voxels 10 --dim 6").code, 0);
    const nlohmann::json info = nlohmann::json::parse(run("info b.pliant --json").output);
    EXPECT_EQ(info["r"], 6);
    EXPECT_EQ(info["elastic_eigenvalues"].size(), 4u);
    EXPECT_GT(info["total_mass"].get<double>(), 0.0);
    EXPECT_GT(info["vertices"].get<int>(), 100);
    EXPECT_GT(info["elements"].get<int>(), 50);
    EXPECT_GE(info["sections"].size(), 3u);
    write("q.json", "{\"q\": [0.001, 0, 0, -0.002, 0, 0.0005]}");
    const nlohmann::json at = nlohmann::json::parse(run("eval b.pliant --q q.json --json").output);
    EXPECT_GT(at["energy"].get<double>(), 0.0);
    ASSERT_EQ(at["force"].size(), 6u);
    ASSERT_EQ(at["stiffness"].size(), 6u);
    EXPECT_EQ(at["stiffness"][1][4], at["stiffness"][4][1]);
}

TEST_F(SceneRun, ControlCLeavesNothingBehind) {
    const std::string reduce =
        "reduce " PLIANT_MEDIA_DIR "/basket/basket.obj -o b.pliant --shell --modes 40 --dim 60 --voxels 40";
    // As a wrapper passes it on: to the program, and in the next moment to its whole group.
    const Outcome outcome = runInterrupted(reduce, {0, 20});
    EXPECT_EQ(outcome.code, 1) << outcome.output;
    EXPECT_THAT(outcome.problems, HasSubstr("pliant: cancelled"));
    EXPECT_THAT(listing(), IsEmpty());
}

/// A file of the reference data, how it is reduced, and where it falls from, m.
struct FallingMesh {
    std::string file, reduce;
    double height;
};

class MeshFalls : public SceneRun, public ::testing::WithParamInterface<FallingMesh> {};

TEST_P(MeshFalls, AndLies) {
    expectToFall(referencePath(GetParam().file), GetParam().reduce, GetParam().height);
}

INSTANTIATE_TEST_SUITE_P(
    Meshes, MeshFalls,
    ::testing::Values(FallingMesh{"media/solids/cow.obj", "modes: 10, dimension: 15, young: 1.0e6, density: 300", 2.0},
                      FallingMesh{"meshes/kettle.obj", "modes: 10, dimension: 15, young: 1.0e8, density: 300", 2.0},
                      FallingMesh{"meshes/arch.veg", "modes: 8, dimension: 12", 2.0}));
INSTANTIATE_TEST_SUITE_P(
    OutsideMeshes, MeshFalls,
    ::testing::ValuesIn(
        outsideCases({FallingMesh{"meshes/spot.obj", "modes: 10, dimension: 15, young: 1.0e6, density: 300", 2.0},
                      FallingMesh{"meshes/teapot.obj", "modes: 10, dimension: 15, young: 1.0e8, density: 300", 2.0},
                      FallingMesh{"meshes/simpleBridge_tet.veg", "modes: 8, dimension: 12", 20.0}},
                     [](const FallingMesh& mesh) { return mesh.file; })));

// Rigid meshes lost and turned triangles without a word, which models tell of.
TEST_F(SceneRun, RepairsOfRigidMeshesAreTold) {
    write("sheet.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 2 1\n");
    write("scene.yaml", "time: {duration: 0.1}\nrigid: [{shape: mesh, file: sheet.off}]\n");
    EXPECT_THAT(run("run scene.yaml --no-draw").problems, HasSubstr("note: sheet.off: 1 triangle left out"));
}

}  // namespace
}  // namespace pliant::test
