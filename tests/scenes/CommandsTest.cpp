// SPDX-License-Identifier: Zlib
// Commands around runs of scenes: sweeps in processes, films of recorded runs, runs again when a file is saved.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <utility>
#include <vector>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string kBalls =
    "variables: {height: 1, push: 0}\ntime: {duration: 0.5, frames_per_second: 10}\n"
    "rigid: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, = height], velocity: [= push, 0, 0]}]\n"
    "ground: {}\nsensors: [{name: tip, kind: point, of: ball}]\nexpect: [{that: tip.position.z > 0}]\n";

class Commands : public ProgramTest {
protected:
    std::vector<std::string> linesOf(const std::string& name) const {
        std::vector<std::string> lines;
        std::istringstream text(readWhole(m_folder / name));
        for (std::string line; std::getline(text, line);) lines.push_back(line);
        return lines;
    }
};

/// The options in a text: "--watch".
std::set<std::string> optionsIn(const std::string& text) {
    static const std::regex option("(^|[^A-Za-z0-9-])(--[a-z][a-z-]+)");
    std::set<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), option), end; match != end; ++match)
        found.insert((*match)[2]);
    return found;
}

using Options = std::map<std::string, std::set<std::string>>;  ///< Of each command.

/// The commands that a text has behind the name of the program, with where they stand in it.
std::vector<std::pair<std::size_t, std::string>> commandsIn(const std::string& text, const Options& known) {
    static const std::regex command("(^|[^A-Za-z0-9_.-])pliant ([a-z]+)");
    std::vector<std::pair<std::size_t, std::string>> found;
    for (std::sregex_iterator match(text.begin(), text.end(), command), end; match != end; ++match)
        if (known.count((*match)[2]) > 0) found.emplace_back(match->position(2), (*match)[2]);
    return found;
}

/// What a page has in lines of code and between backquotes.
std::vector<std::string> codeOf(const std::string& paragraph) {
    std::vector<std::string> all;
    std::istringstream lines(paragraph);
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("    ", 0) == 0)
            all.push_back(line);
        else
            text += line + " ";
    }
    static const std::regex quoted("`([^`]+)`");
    for (std::sregex_iterator match(text.begin(), text.end(), quoted), end; match != end; ++match)
        all.push_back((*match)[1]);
    return all;
}

/// What a paragraph says of options that the commands which it names, or any where it names none, do not have.
std::set<std::string> wrongOptions(const std::string& paragraph, const Options& known,
                                   const std::set<std::string>& ofOthers) {
    std::set<std::string> named, wrong;
    for (const auto& [place, command] : commandsIn(paragraph, known)) named.insert(command);
    for (const std::string& option : optionsIn(paragraph)) {
        bool isKnown = ofOthers.count(option) > 0;
        for (const auto& [command, options] : known)
            isKnown |= (named.empty() || named.count(command) > 0) && options.count(option) > 0;
        if (!isKnown) wrong.insert(option);
    }
    for (const std::string& code : codeOf(paragraph)) {
        const auto commands = commandsIn(code, known);
        for (std::size_t i = 0; i < commands.size(); ++i) {
            const std::size_t from = commands[i].first,
                              to = i + 1 < commands.size() ? commands[i + 1].first : code.size();
            for (const std::string& option : optionsIn(code.substr(from, to - from)))
                if (known.at(commands[i].second).count(option) + ofOthers.count(option) == 0)
                    wrong.insert("pliant " + commands[i].second + " " + option);
        }
    }
    return wrong;
}

// What pages say of options is what the command that they name has, or another program's.
TEST_F(Commands, HaveEveryOptionThatThePagesName) {
    const std::set<std::string> ofOthers = {"--preset",
                                            "--build",
                                            "--install",
                                            "--prefix",
                                            "--target",
                                            "--test-dir",
                                            "--cflags",
                                            "--static",
                                            "--libs",
                                            "--array",
                                            "--wrap",
                                            "--component",
                                            "--suite",
                                            "--mpi",
                                            "--no-build-isolation",
                                            "--benchmark",
                                            "--system-site-packages"};
    const std::string help = run("--help").output;
    Options known;
    std::istringstream lines(help.substr(help.find("ubcommands:")));
    std::string line;
    std::getline(lines, line);
    while (lines >> line) {
        known[line] = optionsIn(run(line + " --help").output);
        std::getline(lines, line);
    }
    EXPECT_GE(known.size(), 15u);
    EXPECT_THAT(wrongOptions("`pliant run` has `--watch`, and `pliant info --watch` has not", known, {}),
                ElementsAre("pliant info --watch"));
    EXPECT_THAT(wrongOptions("`pliant info` knows `--watch`", known, {}), ElementsAre("--watch"));
    const std::filesystem::path project = std::filesystem::path(PLIANT_MEDIA_DIR) / "..";
    std::vector<std::filesystem::path> pages = {project / "README.md"};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(project / "docs"))
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    std::size_t named = 0;
    for (const std::filesystem::path& page : pages) {
        const std::string text = readWhole(page);
        named += optionsIn(text).size();
        for (std::size_t from = 0, to = 0; from < text.size(); from = to + 1) {
            to = std::min({text.find("\n\n", from), text.find("\n|", from), text.size()});  // or a row of a table
            for (const std::string& wrong : wrongOptions(text.substr(from, to - from), known, ofOthers))
                ADD_FAILURE() << page << ": " << wrong
                              << " in: " << text.substr(from, std::min<std::size_t>(to - from, 200));
        }
    }
    EXPECT_GT(named, 60u);
}

TEST_F(Commands, ASweepRunsEveryCombination) {
    write("balls.yaml", kBalls);
    const Outcome outcome = run("sweep balls.yaml --set height=1:3 --set push=0,2.5 --output s --jobs 2");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    const std::vector<std::string> lines = linesOf("s/sweep.csv");
    ASSERT_THAT(lines, SizeIs(7));
    EXPECT_THAT(lines[0], HasSubstr("run,height,push,exit_code,lost_bodies"));
    EXPECT_EQ(lines[4].substr(0, 10), "3,2,2.5,0,");
    const auto hash = [](const std::string& line) { return line.substr(line.find_last_of(',') + 1); };
    EXPECT_NE(hash(lines[1]), hash(lines[2]));
    const Outcome alone = run("run balls.yaml --no-draw --threads 1 --set height=2 --set push=2.5 --stats one.json");
    ASSERT_EQ(alone.code, 0) << alone.problems;
    EXPECT_EQ(nlohmann::json::parse(readWhole(m_folder / "one.json"))["summary"]["state_hash"], hash(lines[4]));
}

TEST_F(Commands, DenseLayersAreMadeOnceAndDamageIsTold) {
    ASSERT_EQ(run("reduce " PLIANT_MEDIA_DIR "/solids/jelly.obj -o j.pliant --modes 4 --dim 6 --voxels 6").code, 0);
    const Outcome made = run("touch j.pliant -o t.pliant --points 20000 --levels 3 --field 96");
    ASSERT_EQ(made.code, 0) << made.problems;
    EXPECT_THAT(made.output, HasSubstr("in 3 levels"));
    EXPECT_EQ(run("info t.pliant").code, 0);
    EXPECT_THAT(run("touch j.pliant -o t.pliant --levels 9").problems, HasSubstr("--levels"));
    EXPECT_THAT(run("touch j.pliant -o t.pliant --field 8").problems, HasSubstr("ask for 16 to 1024"));
    EXPECT_THAT(run("touch none.pliant -o t.pliant").problems, HasSubstr("none.pliant"));
    std::string bytes = readWhole(m_folder / "t.pliant");
    char& middle = bytes[bytes.size() - 100];
    middle = static_cast<char>(middle ^ 1);
    write("bad.pliant", bytes);
    const Outcome bad = run("touch bad.pliant -o u.pliant");
    EXPECT_EQ(bad.code, 1);
    EXPECT_THAT(bad.problems, HasSubstr("bad.pliant"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "u.pliant"));
}

// A tray of five squares without thickness: it lies on the ground by the offset, less 50 um that its weight presses.
TEST_F(Commands, APlainSurfaceBecomesARigidPart) {
    write("tray.obj",
          "v -0.05 -0.05 -0.05\nv 0.05 -0.05 -0.05\nv -0.05 0.05 -0.05\nv 0.05 0.05 -0.05\nv -0.05 -0.05 0.05\n"
          "v 0.05 -0.05 0.05\nv -0.05 0.05 0.05\nv 0.05 0.05 0.05\nf 1 2 4 3\nf 1 2 6 5\nf 3 4 8 7\nf 1 3 7 5\n"
          "f 2 4 8 6\n");
    const std::string layers = " -o tray.pliant --points 3000 --levels 2 --field 48 --density 2000";
    const Outcome open = run("touch tray.obj" + layers);
    EXPECT_EQ(open.code, 1);
    EXPECT_THAT(open.problems, AllOf(HasSubstr("tray.obj"), HasSubstr("not closed"), HasSubstr("--offset 1.4")));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "tray.pliant"));
    const Outcome made = run("touch tray.obj --offset 1.4" + layers);
    ASSERT_EQ(made.code, 0) << made.problems;
    EXPECT_THAT(made.output, AllOf(HasSubstr("as stiff as steel"), HasSubstr("in 2 levels")));
    write("lies.yaml",
          "time: {duration: 1, frames_per_second: 30, substeps: 8}\nmodels: {tray: {file: tray.pliant}}\n"
          "bodies: [{name: tray, model: tray, position: [0, 0, 0.06]}]\nground: {}\n"
          "touch: [{between: [tray, ground], stiffness: 1.0e+7, damping: 0.01}]\n"
          "sensors: [{name: floor, kind: point, of: tray, point: [0, 0, -0.05]}]\n"
          "expect: [{that: abs(floor.position.z - 0.0031 + 0.00005) < 0.0001}]\n");
    const Outcome lies = run("run lies.yaml --no-draw");
    EXPECT_EQ(lies.code, 0) << lies.output << lies.problems;
    EXPECT_THAT(run("touch tray.pliant -o u.pliant --offset 2").problems, HasSubstr("--offset is for surfaces"));
    EXPECT_THAT(run("touch tray.obj -o u.pliant --offset 0.5").problems, HasSubstr("1 to 16"));
    EXPECT_THAT(run("touch tray.obj -o u.pliant --offset 1.4 --field 0").problems, HasSubstr("ask for a field of 16"));
    EXPECT_THAT(run("touch tray.obj -o u.obj --offset 1.4").problems, HasSubstr(".pliant"));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "u.pliant"));
}

TEST_F(Commands, PartsOfASweepAreTheWhole) {
    write("balls.yaml", kBalls);
    ASSERT_EQ(run("sweep balls.yaml --set height=1:3 --output s --part 0/2").code, 0);
    ASSERT_EQ(run("sweep balls.yaml --set height=1:3 --output s --part 1/2").code, 0);
    EXPECT_THAT(linesOf("s/sweep_0_of_2.csv"), SizeIs(3));
    EXPECT_THAT(linesOf("s/sweep_1_of_2.csv"), SizeIs(2));
    const Outcome listed = run("sweep balls.yaml --set height=1:3 --output t --list");
    EXPECT_THAT(listed.output, AllOf(HasSubstr("--set height=3"), HasSubstr("t/run_00002")));
    EXPECT_FALSE(std::filesystem::exists(m_folder / "t")) << "nothing is run";
}

// As GNU parallel runs it: a line is a command, several at once, in any order; the numbers are those of the sweep.
TEST_F(Commands, TheListOfASweepRunsInTwoProcesses) {
    write("balls.yaml", kBalls);
    const Outcome listed = run("sweep balls.yaml --set height=1:4 --output t --list");
    ASSERT_EQ(listed.code, 0) << listed.problems;
    write("jobs.txt", listed.output);
    const std::string parallel =
        "cd '" + m_folder.string() + "' && tr '\\n' '\\0' < jobs.txt | xargs -0 -P 2 -I{} sh -c '{} >/dev/null'";
    ASSERT_EQ(std::system(parallel.c_str()), 0) << listed.output;
    ASSERT_EQ(run("sweep balls.yaml --set height=1:4 --output s").code, 0);
    const std::vector<std::string> lines = linesOf("s/sweep.csv");
    ASSERT_THAT(lines, SizeIs(5));
    for (std::size_t i = 0; i < 4; ++i) {
        const auto stats =
            nlohmann::json::parse(readWhole(m_folder / ("t/run_0000" + std::to_string(i)) / "stats.json"));
        EXPECT_EQ(stats["summary"]["state_hash"], lines[i + 1].substr(lines[i + 1].find_last_of(',') + 1));
    }
}

TEST_F(Commands, ASweepTellsWhatFailed) {
    write("balls.yaml", kBalls.substr(0, kBalls.rfind("expect")) + "expect: [{that: height < 2}]\n");
    const Outcome outcome = run("sweep balls.yaml --set height=1,3 --output s");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.problems, HasSubstr("1 runs failed"));
    EXPECT_THAT(readWhole(m_folder / "s/run_00001/log.txt"), HasSubstr("height < 2 is false"));
    EXPECT_THAT(run("sweep balls.yaml --set heigt=1,3").problems, HasSubstr("did you mean \"height\"?"));
    EXPECT_THAT(run("sweep balls.yaml --set height=1,x").problems, HasSubstr("NAME=FIRST:LAST"));
    EXPECT_THAT(run("sweep balls.yaml --set height=1 --part 2/2").problems, HasSubstr("must be PART/PARTS"));
}

TEST_F(Commands, ARecordedRunIsPlayedFromAnyCamera) {
    write("balls.yaml", kBalls +
                            "cameras: {near: {follow: ball, offset: [0, -2, 0.5]}}\n"
                            "output: [{states: {file: run.states}}, {trace: {file: run.json}}]\n");
    ASSERT_EQ(run("run balls.yaml --no-draw").code, 0);
    EXPECT_TRUE(std::filesystem::is_regular_file(m_folder / "out/run.json"));
    const Outcome played = run("play out/run.states --camera near --first 1 --last 3 --size 64x48 --output films");
    if (played.problems.find("OpenGL") != std::string::npos) GTEST_SKIP() << played.problems;
    ASSERT_EQ(played.code, 0) << played.problems;
    EXPECT_TRUE(std::filesystem::is_regular_file(m_folder / "films/run_00001-00003.mp4"));
    EXPECT_THAT(run("play out/run.states --camera far").problems, HasSubstr("is called \"far\""));
    EXPECT_THAT(run("play out/run.states --first 9").problems, HasSubstr("has frames 0 to 4"));
    write("other.yaml", "rigid: [{shape: box}, {shape: box}]\n");
    EXPECT_THAT(run("play out/run.states --scene other.yaml").problems, HasSubstr("has other bodies or joints than"));
    EXPECT_THAT(run("play balls.yaml").problems, HasSubstr("balls.yaml"));
}

TEST_F(Commands, ASavedFileIsRunAgain) {
    write("balls.yaml", kBalls);
    const pid_t program = fork();
    if (program == 0) {
        const std::string command =
            commandLine("run balls.yaml --watch --no-draw --output made --stats made.json", "exec");
        execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
        std::_Exit(127);
    }
    const auto waitFor = [&](const std::string& name, const std::string& text) {
        for (int i = 0; i < 600; ++i) {
            if (readWhole(name).find(text) != std::string::npos) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        }
        return false;
    };
    EXPECT_TRUE(waitFor(log() + ".out", "Waiting for balls.yaml"));
    write("balls.yaml", kBalls + "wrong: 1\n");
    EXPECT_TRUE(waitFor(log() + ".err", "unknown key \"wrong\"")) << "a mistake is told, and the program goes on";
    write("balls.yaml", kBalls + "events: [{at: 0.1, do: [{say: again}]}]\n");
    EXPECT_TRUE(waitFor(log() + ".out", "again"));
    kill(program, SIGINT);
    int status = 0;
    waitpid(program, &status, 0);
    EXPECT_TRUE(WIFEXITED(status));
    std::filesystem::remove(log() + ".out");
    std::filesystem::remove(log() + ".err");
}

TEST_F(Commands, TheSchemaIsJson) {
    const Outcome outcome = run("schema");
    ASSERT_EQ(outcome.code, 0);
    EXPECT_EQ(nlohmann::json::parse(outcome.output)["$ref"], "#/$defs/scene");
    EXPECT_THAT(run("schema --markdown").output, HasSubstr("\n## time\n"));
}

/// A scene of the project, with fewer bodies, holds what it expects.
TEST_F(Commands, TheConveyorFeedsItsFunnel) {
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR "/scenes/conveyor.yaml --no-draw --set baskets=4 --set rollers=8 --output made");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
}

TEST_F(Commands, TheSheetsOfTheWashingLineComeBack) {
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR "/scenes/washing_line.yaml --no-draw --set sheets=2 --output made");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
}

TEST_F(Commands, TheGateOfTheDropWallLetsTheBlocksOut) {
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR
            "/scenes/drop_wall.yaml --no-draw --set blocks=12 --set opening=1.8 --set modes=4 --output made");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("half of them are out"));
}

TEST_F(Commands, TheCraneFillsItsBin) {
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR "/scenes/crane.yaml --no-draw --set rows=1 --set more=6 --output made");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("9 baskets are in; the wall sinks"));
}

}  // namespace
}  // namespace pliant::test
