// SPDX-License-Identifier: Zlib
// Meshes and reduced models of others through the program: reduced, imported, exported, and run in a scene.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "ProgramRun.h"
#include "ReferenceData.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Exchange : public ProgramTest {
protected:
    Outcome expectGood(const std::string& arguments) const {
        Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 0) << arguments << "\n" << outcome.problems;
        return outcome;
    }

    /// Half a second of a scene with one body of this model. @return the statistics
    nlohmann::json simulate(const std::string& model, const std::string& position) const {
        write("scene.yaml", "time: {duration: 0.5}\nmodels:\n  it:\n    file: " + model +
                                "\n    damping: {stiffness: 0.002}\nbodies:\n  - {model: it, position: " + position +
                                "}\nground: {}\n");
        expectGood("run scene.yaml --no-draw --stats stats.json");
        return nlohmann::json::parse(readWhole(m_folder / "stats.json"));
    }

    void expectSound(const nlohmann::json& stats) const {
        EXPECT_EQ(stats["summary"]["not_finite_bodies"], 0);
        EXPECT_EQ(stats["summary"]["restored_bodies"], 0);
        EXPECT_EQ(stats["summary"]["lost_bodies"], 0);
    }

    /// A bar of 8 x 1 x 1 bricks of 5 cm, held at one end by bar.bou.
    void writeBar() const {
        std::string text = "*VERTICES\n36 3\n";
        for (int i = 0; i <= 8; ++i)
            for (int c = 0; c < 4; ++c)
                text += std::to_string(4 * i + c + 1) + " " + std::to_string(0.05 * i) + " " +
                        std::to_string(0.05 * (c / 2)) + " " + std::to_string(0.05 * (c % 2)) + "\n";
        text += "*ELEMENTS\nCUBIC\n8 8\n";
        for (int i = 0; i < 8; ++i) {
            text += std::to_string(i + 1);
            for (const int c : {1, 5, 7, 3, 2, 6, 8, 4}) text += " " + std::to_string(4 * i + c);
            text += "\n";
        }
        write("bar.veg", text + "*MATERIAL rubber\nENU, 1000, 1e6, 0.4\n*REGION\nallElements, rubber\n");
        write("bar.bou", "1,2,3,4\n");
    }
};

TEST_F(Exchange, AHeldBarGoesToVegaAndBackAndSagsInAScene) {
    writeBar();
    expectGood("reduce bar.veg -o bar.pliant --modes 4 --dim 8 --fixed bar.bou --no-cache");
    const Outcome written = expectGood("export bar.pliant --format vega -o vega");
    for (const char* ending : {"veg", "cub", "U", "URendering.float", "obj", "freq", "bou"})
        EXPECT_THAT(written.output, HasSubstr(std::string("vega/bar.") + ending));
    EXPECT_THAT(expectGood("import vega -o again.pliant").output, HasSubstr("r = 8, 36 simulation vertices"));

    const nlohmann::json before = simulate("bar.pliant", "[0, 0, 1]"), after = simulate("again.pliant", "[0, 0, 1]");
    expectSound(after);
    const double elastic = after["frames"].back()["elastic_energy"];
    EXPECT_GT(elastic, 1e-6) << "gravity bends a held bar";
    EXPECT_NEAR(elastic, before["frames"].back()["elastic_energy"].get<double>(),
                1e-4 * elastic);  // K1 and K2 in single precision
}

TEST_F(Exchange, AFreeBarGoesToBulletAndBack) {
    writeBar();
    expectGood("reduce bar.veg -o bar.pliant --modes 4 --dim 8 --no-cache");
    expectGood("export bar.pliant --format bullet -o bullet");
    expectGood("export bar.pliant --format vtu -o bar.vtu");
    EXPECT_THAT(readWhole(m_folder / "bar.vtu"), HasSubstr("mode_01 "));
    EXPECT_THAT(expectGood("import bullet -o again.pliant").output, HasSubstr("a linear body of 1 kg"));
    expectSound(simulate("again.pliant", "[0, 0, 0.1]"));
}

/// A reduced model of another program and the mesh that it was made on.
struct ForeignModel {
    std::string cub, mesh, fixed;
    double leastEnergy;  ///< J, that it holds after sagging under its weight for the scene's time
};

class ImportedModelInAScene : public Exchange, public ::testing::WithParamInterface<ForeignModel> {};

TEST_P(ImportedModelInAScene, SagsUnderItsWeight) {
    expectGood("import " + referencePath(GetParam().cub) + " --mesh " + referencePath(GetParam().mesh) + " --fixed " +
               referencePath(GetParam().fixed) + " -o it.pliant");
    const nlohmann::json stats = simulate("it.pliant", "[0, 0, 5]");
    expectSound(stats);
    EXPECT_GT(stats["frames"].back()["elastic_energy"].get<double>(), GetParam().leastEnergy);
}

INSTANTIATE_TEST_SUITE_P(Models, ImportedModelInAScene,
                         ::testing::Values(ForeignModel{"vega/bar_modes.cub", "meshes/bar.veg", "meshes/bar.bou",
                                                        1e-3}));
INSTANTIATE_TEST_SUITE_P(OutsideModels, ImportedModelInAScene,
                         ::testing::ValuesIn(outsideCases({ForeignModel{"vega/simpleBridge.cub",
                                                                        "meshes/simpleBridge_voxel.veg",
                                                                        "meshes/simpleBridge_voxel.bou", 1.0}},
                                                          [](const ForeignModel& model) { return model.cub; })));

class ImportedFolderInAScene : public Exchange, public ::testing::WithParamInterface<const char*> {};

TEST_P(ImportedFolderInAScene, Falls) {
    expectGood("import " + referencePath(GetParam()) + " -o it.pliant");
    const nlohmann::json stats = simulate("it.pliant", "[0, 0, 1]");
    expectSound(stats);
    EXPECT_LT(stats["frames"].back()["potential_energy"], stats["frames"].front()["potential_energy"]);
}

INSTANTIATE_TEST_SUITE_P(Models, ImportedFolderInAScene, ::testing::Values("bullet/arch"));
INSTANTIATE_TEST_SUITE_P(OutsideModels, ImportedFolderInAScene,
                         ::testing::ValuesIn(outsideNames({"bullet/reduced_torus"}, "", "")));

TEST_F(Exchange, NotesOfTheReductionReachTheUserOfAScene) {
    // A cube in millimetres, taken for one of 40 m.
    write("cube.obj",
          "v 0 0 0\nv 40 0 0\nv 40 40 0\nv 0 40 0\nv 0 0 40\nv 40 0 40\nv 40 40 40\nv 0 40 40\n"
          "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
    write("scene.yaml",
          "models: {cube: {file: cube.obj, reduce: {modes: 3, dimension: 3, voxels: 3}}}\n"
          "bodies: [{model: cube}]\n");
    const Outcome first = run("run scene.yaml --no-draw --frames 1");
    ASSERT_EQ(first.code, 0) << first.problems;
    EXPECT_THAT(first.problems, HasSubstr("cube: note: "));
    EXPECT_THAT(first.problems, HasSubstr("the body measures 40 x 40 x 40 m, more than 20 m"));
    EXPECT_THAT(first.problems, HasSubstr("say so with units mm")) << "the key of the scene";
    EXPECT_THAT(run("run scene.yaml --no-draw --frames 1").problems, Not(HasSubstr("note:"))) << "it is made already";
}

TEST_F(Exchange, NotesOfTheReadersReachTheUser) {
    std::string text = "solid two\n";
    for (const char* corners : {"0 0 0|1 1 0|1 0 0", "0 0 0|1 0 0|0 0 1", "0 0 0|0 0 1|1 1 0", "1 0 0|1 1 0|0 0 1"}) {
        std::istringstream list(corners);
        text += "facet normal 0 0 0\nouter loop\n";
        for (std::string corner; std::getline(list, corner, '|');) text += "vertex " + corner + "\n";
        text += "endloop\nendfacet\n";
    }
    write("tent.stl", text + "endsolid\n");
    const Outcome outcome =
        expectGood("reduce tent.stl -o tent.pliant --modes 3 --dim 4 --voxels 8 --units cm --no-cache");
    EXPECT_THAT(outcome.output + outcome.problems, HasSubstr("8 duplicate vertices merged"));
    const Outcome small =
        expectGood("reduce tent.stl -o tiny.pliant --modes 3 --dim 4 --voxels 8 --units 1e-5 --no-cache");
    EXPECT_THAT(small.output + small.problems, HasSubstr("less than 1 mm"));
}

TEST_F(Exchange, BadInputIsOneLineAndLeavesNothing) {
    write("a.pliant", "no model");
    std::filesystem::create_directories(m_folder / "empty");
    const std::vector<std::string> before = listing();
    for (const char* arguments : {"import empty -o b.pliant", "import none.cub -o b.pliant",
                                  "export a.pliant --format vega -o out", "export a.pliant --format fbx -o out"}) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(outcome.errors.size(), 1u) << outcome.problems;
        EXPECT_THAT(outcome.problems, Not(HasSubstr("terminate"))) << arguments;
    }
    EXPECT_EQ(listing(), before);
}

}  // namespace
}  // namespace pliant::test
