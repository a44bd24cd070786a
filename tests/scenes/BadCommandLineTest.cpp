// SPDX-License-Identifier: Zlib
// Slips on the command line: names, options, files of another kind, places that cannot be written to.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "BadInput.h"

namespace pliant::test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(BadInput, AbsurdNumbersOnTheCommandLine) {
    write("scene.yaml", "rigid: [{shape: sphere, mass: 1}]\n");
    expectRefused("run scene.yaml --frames -3", {"--frames"});
    expectRefused("run scene.yaml --frames 1.5", {"--frames"});
    expectRefused("run scene.yaml --threads -1", {"--threads"});
    expectRefused("run scene.yaml --threads 100000", {"--threads"});
    expectRefused("run scene.yaml --size 0x0", {"--size", "0x0"});
    expectRefused("run scene.yaml --size -2x100", {"--size"});
    expectRefused("run scene.yaml --size 100000x100", {"--size"});
    expectRefused("run scene.yaml --size wide", {"--size"});
    expectRefused("run scene.yaml --colour red", {"--colour"});
    expectRefused("reduce scene.yaml -o made.pliant --modes 0", {"--modes"});
    expectRefused("reduce scene.yaml -o made.pliant --young -5", {"--young"});
}

TEST_F(BadInput, SlipsOnTheCommandLine) {
    write("scene.yaml", "rigid: [{shape: sphere, mass: 1}]\n");
    expectRefused("", {"a command is missing", "pliant --help"});
    expectRefused("fly scene.yaml", {"there is no command \"fly\"", "pliant --help"});
    expectRefused("redcue scene.yaml", {"there is no command \"redcue\"; did you mean \"reduce\"?"});
    expectRefused("--versoin", {"there is no option \"--versoin\"; did you mean \"--version\"?"});
    expectRefused("run scene.yaml --framse 3", {"run: there is no option \"--framse\"; did you mean \"--frames\"?",
                                                "\"pliant run --help\" lists all options"});
    expectRefused("run scene.yaml --framse=3", {"there is no option \"--framse\"; did you mean \"--frames\"?"});
    expectRefused("run scene.yaml other.yaml", {"\"other.yaml\" is one word too many"});
    expectRefused("info", {"info: model is required", "pliant info --help"});
    expectRefused("reduce cube.veg --derivatives statik" + kReduce,
                  {"--derivatives", "\"statik\" is none of none, static, shifted, shifted-minres"});
}

TEST_F(BadInput, NumbersWithUnitsAndNumbersThatAreNone) {
    const std::string reduce = "reduce cube.veg -o made.pliant ";
    expectRefused(reduce + "--young 2e5Pa", {"reduce: --young: \"2e5Pa\" is not a number; numbers have no units here"});
    expectRefused(reduce + "--poisson 0.3x", {"--poisson: \"0.3x\" is not a number; numbers have no units here"});
    expectRefused(reduce + "--density heavy", {"--density: \"heavy\" is not a number"});
    expectRefused(reduce + "--dim 3.5", {"--dim: \"3.5\" is not a whole number"});
    expectRefused(reduce + "--young 1e-9", {"--young: 1e-9 is not between 1e-06 and 1e+15"});
    expectRefused("run scene.yaml --still nan", {"--still: nan is not between 0 and 3600"});
    expectRefused(reduce + "--young nan", {"--young: nan is not between"});
    expectRefused(reduce + "--modes 3 --modes 4", {"--modes is there 2 times, and takes one value"});
    expectRefused("run scene.yaml --still 2s", {"--still: \"2s\" is not a number; numbers have no units here"});
}

TEST_F(BadInput, WordsThatAreNotAmongThose) {
    expectRefused("export cube.pliant --format obj -o made",
                  {"export: --format: \"obj\" is none of vega, bullet, vtu"});
}

TEST_F(BadInput, OutputThatIsNotWritten) {
    const std::string program = "'" PLIANT_PROGRAM "'";
    for (const char* arguments : {" schema", " schema --markdown", " --help"}) {
        const std::string told = (m_folder / "told").string();
        const int status = std::system((program + arguments + " >/dev/full 2>'" + told + "'").c_str());
        EXPECT_EQ(WEXITSTATUS(status), 1) << arguments;
        EXPECT_THAT(readWhole(told), AnyOf(HasSubstr("No space left"), HasSubstr("is the disk full?"))) << arguments;
    }
}

// As --stats /dev/null would, which root may replace by a file.
TEST_F(BadInput, PipesAndDevicesAreNotReplaced) {
    write("scene.yaml", "rigid: [{shape: sphere, mass: 1}]\n");
    ASSERT_EQ(mkfifo((m_folder / "pipe.json").c_str(), 0600), 0);
    expectRefused("run scene.yaml --headless --no-draw --frames 1 --stats pipe.json",
                  {"pipe.json: is there and no regular file"});
    EXPECT_TRUE(std::filesystem::is_fifo(m_folder / "pipe.json"));
    write("there.json", "{}");
    std::filesystem::create_symlink("there.json", m_folder / "link.json");
    EXPECT_EQ(run("run scene.yaml --headless --no-draw --frames 1 --stats link.json").code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(m_folder / "link.json"));
    EXPECT_GT(std::filesystem::file_size(m_folder / "there.json"), 2u);
}

TEST_F(BadInput, FoldersInPlaceOfFiles) {
    std::filesystem::create_directories(m_folder / "folder");
    write("cube.veg", cube());
    write("scene.yaml", "rigid: [{shape: sphere, mass: 1}]\n");
    const std::string words = "folder: is a folder, not a file";
    expectRefused("run folder", {words});
    expectRefused("info folder", {words});
    expectRefused("reduce folder" + kReduce, {words});
    expectRefused("reduce cube.veg --sketch folder" + kReduce, {words});
    expectRefused("reduce cube.veg --fixed folder" + kReduce, {words});
    const Outcome early = run("run scene.yaml --no-draw --stats folder");
    EXPECT_THAT(early.problems, HasSubstr("folder: is a folder; name a file"));
    EXPECT_THAT(early.problems, Not(HasSubstr("simulating"))) << "told before the work";
}

TEST_F(BadInput, FilesOfAnotherKind) {
    write("cube.veg", cube());
    ASSERT_EQ(run("reduce cube.veg --no-cache" + kReduce).code, 0);
    expectRefused("run made.pliant --up y", {"made.pliant: --up and --units are for meshes", "pliant reduce"});
    write("notes.txt", "v 0 0 0\n");
    expectRefused("run notes.txt", {"notes.txt:1:1: is no scene", "docs/scene.md"});
    write("list.yaml", "- 1\n- 2\n");
    expectRefused("run list.yaml", {"list.yaml:1:1: is no scene", "not a list"});
    write("words.yaml", std::string(500, 'x'));
    expectRefused("run words.yaml", {"is no scene", "xxx ...\""});
    expectRefused("reduce cube.veg --sketch list.yaml" + kReduce, {"is no sketch of forces", "docs/reduction.md"});
    expectRefused("info cube.veg", {"cube.veg", "is not a Pliant model file; make one with 'pliant reduce'"});
    expectRefused("import cube.veg -o made.pliant", {"cube.veg: is neither Vega's .cub nor a folder"});
}

TEST_F(BadInput, AModelIsNotWrittenOverSomethingElse) {
    write("cube.veg", cube());
    expectRefused("reduce cube.veg -o cube.veg --modes 2 --dim 2", {"cube.veg: the name of a reduced model ends in"});
    expectRefused("reduce cube.veg -o made --modes 2 --dim 2", {"write to made.pliant"});
}

// File systems take any bytes for a name.
TEST_F(BadInput, NamesThatAreNotUtf8) {
    const std::string name =
        "sc\xff"
        "ene";
    write(name + ".yaml", "rigid: [{shape: sphere, mass: 1}]\n");
    write(name + ".veg", cube());
    const Outcome outcome = run("run " + name + ".yaml --no-draw --frames 1 --stats stats.json");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_FALSE(nlohmann::json::parse(readWhole(m_folder / "stats.json")).empty());
    ASSERT_EQ(run("reduce " + name + ".veg --no-cache" + kReduce).code, 0);
    const Outcome info = run("info made.pliant --json");
    EXPECT_EQ(info.code, 0) << info.problems;
    EXPECT_EQ(nlohmann::json::parse(info.output)["r"], 2);
    expectRefused("run none\xff.yaml", {"none\xff.yaml: cannot be read"});
}

TEST_F(BadInput, UnwritableOutput) {
    write("cube.veg", cube());
    write("file", "a file is no folder");
    expectRefused("reduce cube.veg -o file/made.pliant --modes 2 --dim 2", {"file", "write"});
    write("scene.yaml", "rigid: [{shape: sphere, mass: 1}]\n");
    expectRefused("run scene.yaml --headless --output file/out", {"file/out", "write"});
    expectRefused("run scene.yaml --no-draw --frames 1 --stats file/stats.json", {"file", "write"});
}

TEST_F(BadInput, NoGraphicsContext) {
    write("scene.yaml", "rigid: [{shape: sphere, mass: 1}]\nground: {}\n");
    std::filesystem::create_directories(m_folder / "out");
    expectRefused("run scene.yaml --headless --frames 2", {"--no-draw"},
                  "env __EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent.json");
}

}  // namespace
}  // namespace pliant::test
