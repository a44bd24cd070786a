// SPDX-License-Identifier: Zlib
// Where `pliant run` keeps what it has reduced for a scene.
#include "BadInput.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class KeptModels : public ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("cube.veg", cube());
    }

    /// One body of each of these models. @param models lines of YAML
    void writeScene(const std::string& models, const std::vector<std::string>& names) const {
        std::string text = "time: {duration: 0.1}\nmodels:\n" + models + "bodies:\n";
        for (std::size_t i = 0; i < names.size(); ++i)
            text += "  - {model: " + names[i] + ", position: [0, 0, " + std::to_string(2 * i) + "]}\n";
        write("scene.yaml", text);
    }

    bool isThere(const std::string& name) const { return std::filesystem::exists(m_folder / name); }
};

TEST_F(KeptModels, ModelsThatDifferByColourAloneAreReducedOnce) {
    const std::string reduce = "file: cube.veg, reduce: {modes: 2, dimension: 2}";
    writeScene("  red: {" + reduce + ", colour: [1, 0, 0]}\n  green: {" + reduce +
                   ", colour: [0, 1, 0]}\n  stiff: {file: cube.veg, reduce: {modes: 2, dimension: 3}}\n",
               {"red", "green", "stiff"});
    ASSERT_EQ(run("run scene.yaml --no-draw --output out").code, 0);
    EXPECT_TRUE(isThere("out/models/red.pliant"));
    EXPECT_FALSE(isThere("out/models/green.pliant"));
    EXPECT_TRUE(isThere("out/models/stiff.pliant"));
}

TEST_F(KeptModels, TheFolderOfTheCommandLineWins) {
    writeScene("  it: {file: cube.veg, reduce: {modes: 2, dimension: 2}, keep: deep/kept.pliant}\n", {"it"});
    ASSERT_EQ(run("run scene.yaml --no-draw --models elsewhere").code, 0);
    EXPECT_TRUE(isThere("elsewhere/kept.pliant"));
    EXPECT_FALSE(isThere("deep/kept.pliant"));
    ASSERT_EQ(run("run scene.yaml --no-draw").code, 0);
    EXPECT_TRUE(isThere("deep/kept.pliant"));
}

TEST_F(KeptModels, APlaceThatCannotBeWrittenIsNamedOnce) {
    write("deep", "a file where a folder should be");
    writeScene("  it: {file: cube.veg, reduce: {modes: 2, dimension: 2}, keep: deep/kept.pliant}\n", {"it"});
    const Outcome outcome = run("run scene.yaml --no-draw");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.problems, HasSubstr("scene.yaml:3:"));
    EXPECT_THAT(outcome.problems, HasSubstr("cannot write into this folder; choose another one (of scenes: --output, "
                                            "--models)"));
    const std::size_t first = outcome.problems.find("scene.yaml:3:");
    EXPECT_EQ(outcome.problems.find("scene.yaml:3:", first + 1), std::string::npos) << outcome.problems;
}

}  // namespace
}  // namespace pliant::test
