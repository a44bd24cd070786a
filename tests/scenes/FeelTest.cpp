// SPDX-License-Identifier: Zlib
// pliant feel: a hand along a path, what it leaves, and what it refuses.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A ball in a hand above the ground. @param more of the tool
std::string ballInHand(const std::string& more = "device: still") {
    return "time: {duration: 2}\n"
           "rigid: [{name: ball, shape: sphere, radius: 0.05, mass: 0.5, position: [0, 0, 0.3]}]\nground: {}\n"
           "tool: [{name: left, body: ball, " +
           more + "}]\nsensors: [{name: hand, kind: hand, of: left}]\n";
}

/// Down to 1 cm below where the ball can be: it presses with k times that.
const std::string kPress =
    "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,0.3,1,0,0,0\n1,0,0,0.04,1,0,0,0\n1.5,0,0,0.04,1,0,0,0\n";

class Feel : public ProgramTest {};

TEST_F(Feel, APathPressesAndIsRecorded) {
    write("s.yaml", ballInHand() + "expect: [{that: hand.felt.z > 7.9}, {that: hand.felt.z < 8.1}]\n");
    write("p.csv", kPress);
    const Outcome outcome = run("feel s.yaml --path p.csv --record w.csv --plot w.svg --table");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("thread CPU"), HasSubstr("99.9 %"), HasSubstr("Felt at most 8 N"),
                                      HasSubstr("1500 cycles (1.50 s simulated)")));
    EXPECT_THAT(readWhole(m_folder / "w.svg"), HasSubstr("xmlns='http://www.w3.org/2000/svg'"));
    const std::string record = readWhole(m_folder / "w.csv");
    EXPECT_EQ(std::count(record.begin(), record.end(), '\n'), 1501);
    // A record is a path: it moves the hand the same way.
    const Outcome again = run("feel s.yaml --path w.csv --record again.csv --plot /dev/null");  // written in place
    ASSERT_EQ(again.code, 0) << again.problems;
    EXPECT_TRUE(readWhole(m_folder / "again.csv") == record) << "the same bytes";
}

// Down to 1 cm below where the ball can be, in cycles beside a world of 60 steps in a second: k times that, less what
// the layer gives way by. The record has a line for each cycle, and is a path.
TEST_F(Feel, AThreadBesideTheWorldPressesAndIsRecorded) {
    const std::string touch = "touch: [{between: [ball, ground], stiffness: 1.0e9}]\n";
    const auto slow = [](std::string scene) {
        return scene.replace(scene.find("duration: 2"), 11, "duration: 2, frames_per_second: 60, substeps: 1");
    };
    write("s.yaml", slow(ballInHand("device: still, dynamics: thread")) + touch +
                        "expect: [{that: hand.felt.z > 7.3}, {that: hand.felt.z < 7.9}]\n");
    write("p.csv", kPress);
    const Outcome outcome = run("feel s.yaml --path p.csv --record w.csv --plot w.svg --table");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, AllOf(HasSubstr("thread CPU"), HasSubstr("99.9 %"), HasSubstr("Felt at most 7."),
                                      HasSubstr("(1.50 s simulated)"),
                                      HasSubstr("Beside them the world made 90 steps, 1.50 s of it in")));
    const std::string record = readWhole(m_folder / "w.csv");
    const auto lines = std::count(record.begin(), record.end(), '\n');
    EXPECT_GT(lines, 1200) << "cycles of 1.5 s, some of which a busy machine leaves out";
    EXPECT_LT(lines, 1700);
    const Outcome again = run("feel s.yaml --path w.csv");
    EXPECT_EQ(again.code, 0) << again.problems;
    const Outcome inStep = run("run s.yaml --no-draw --frames 30");
    EXPECT_THAT(inStep.problems, HasSubstr("hand.felt.z > 7.3 is false")) << "a still hand does not press";
    // The switch makes a thread of a tool in the world, which then feels what `touch` names alone.
    write("solids.yaml", slow(ballInHand()));
    const Outcome nothing = run("feel solids.yaml --thread --path p.csv");
    EXPECT_EQ(nothing.code, 0) << nothing.problems;
    EXPECT_THAT(nothing.output, HasSubstr("Felt at most 0 N"));
    EXPECT_THAT(nothing.output, HasSubstr("warning: solids.yaml:4:8: the tool \"left\" goes in a thread and feels "
                                          "nothing; name what it is to feel: touch: [{between: [ball, ...]}]"));
    EXPECT_THAT(outcome.output, Not(HasSubstr("feels nothing")));
}

TEST_F(Feel, WhatTheSceneExpectsDecides) {
    write("s.yaml", ballInHand() + "expect: [{that: hand.felt.z > 5}]\n");
    const Outcome outcome = run("feel s.yaml --seconds 0.2");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.problems, HasSubstr("s.yaml:6:10: expect at the end: hand.felt.z > 5 is false"));
}

TEST_F(Feel, BadInputGetsOneMessage) {
    write("s.yaml", ballInHand());
    write("mouse.yaml", ballInHand("device: mouse"));
    write("none.yaml", "rigid: [{name: ball, shape: sphere}]\n");
    write("bad.csv", "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,nan,1,0,0,0\n");
    const auto problem = [this](const std::string& arguments) {
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.code, 1) << arguments;
        EXPECT_EQ(outcome.errors.size(), 1u) << outcome.problems;
        return outcome.problems;
    };
    EXPECT_THAT(problem("feel s.yaml --path missing.csv"), HasSubstr("missing.csv: cannot be read"));
    EXPECT_THAT(problem("feel s.yaml --path bad.csv"), HasSubstr("bad.csv:2"));
    EXPECT_THAT(problem("feel s.yaml --tool right"), HasSubstr("no tool is called \"right\"; there are: left"));
    EXPECT_THAT(problem("feel none.yaml"), HasSubstr("the scene has no tool to feel with"));
    EXPECT_THAT(problem("feel s.yaml --rate 3"), HasSubstr("--rate"));
    EXPECT_THAT(problem("feel s.yaml --record /proc/w.csv"), HasSubstr("/proc"));
    for (const char* command : {"feel mouse.yaml", "run mouse.yaml --no-draw"})
        EXPECT_THAT(problem(command), HasSubstr("mouse.yaml:4:8: the device \"mouse\" needs a window"));
    write("pad.yaml", ballInHand("device: gamepad"));
    write("cap.yaml", ballInHand("device: spacemouse"));
    if (!std::filesystem::exists("/dev/input")) {
        EXPECT_THAT(problem("feel pad.yaml"), HasSubstr("pad.yaml:4:8: gamepad: there is none; plug one in"));
    }
    if (std::system("ldconfig -p | grep -q libspnav.so.0") != 0) {
        EXPECT_THAT(problem("feel cap.yaml"), HasSubstr("cap.yaml:4:8: SpaceMouse: libspnav.so.0 is not there"));
    }
    write("hid.yaml", ballInHand("device: spacemouse_hid"));
    if (std::system("ldconfig -p | grep -q libhidapi-hidraw.so.0") != 0) {
        EXPECT_THAT(problem("feel hid.yaml"),
                    HasSubstr("hid.yaml:4:8: SpaceMouse: libhidapi-hidraw.so.0 is not there"));
    } else if (std::error_code none; std::filesystem::is_empty("/sys/class/hidraw", none) || none) {
        EXPECT_THAT(problem("feel hid.yaml"), HasSubstr("hid.yaml:4:8: SpaceMouse: there is none; plug one"));
    }
    EXPECT_THAT(problem("soak s.yaml"), HasSubstr("cannot be dropped again"));
}

// The switch is read as if the file said it: what means nothing for a thread is refused, and rigid bodies are felt.
TEST_F(Feel, TheSwitchToAThreadIsCheckedAsTheKeyIs) {
    write("grip.yaml", ballInHand("device: still, grip: [0, 0, 0.01]"));
    write("damping.yaml", ballInHand("device: still, damping: 2"));
    for (const char* key : {"grip", "damping"}) {
        const Outcome outcome = run("feel " + std::string(key) + ".yaml --thread --seconds 0.1");
        EXPECT_EQ(outcome.code, 1) << key;
        EXPECT_THAT(outcome.problems, AllOf(HasSubstr("\"" + std::string(key) + "\" means nothing for this tool"),
                                            HasSubstr("or leave out --thread")));
    }
    write("touch.yaml", ballInHand() + "touch: [{between: [ball, ground], stiffness: 1.0e9}]\n");
    EXPECT_EQ(run("feel touch.yaml --thread --tool left --seconds 0.1").code, 0);
    EXPECT_EQ(run("feel touch.yaml --seconds 0.1").code, 1) << "two rigid bodies in the world";
}

TEST_F(Feel, ADeviceThatSendsNothingIsToldInOneLine) {
    write("s.yaml", ballInHand("device: udp, port: 47363"));
    for (const char* command : {"feel s.yaml --seconds 0.2", "run s.yaml --no-draw --frames 12"}) {
        const Outcome outcome = run(command);
        ASSERT_EQ(outcome.code, 0) << outcome.problems;
        EXPECT_THAT(outcome.output,
                    HasSubstr("warning: s.yaml:4:8: the device of \"left\" sent nothing for 0.05 s at 0.05"));
        EXPECT_THAT(outcome.output, HasSubstr("see that it is plugged in and that its program runs from the start\n"));
    }
}

TEST_F(Feel, WhoIsInterruptedIsToldAsWell) {
    write("s.yaml", ballInHand("device: udp, port: 47365"));
    const Outcome outcome = runInterrupted("feel s.yaml --seconds 60", {400});
    EXPECT_NE(outcome.code, 0);
    EXPECT_THAT(outcome.output, HasSubstr("warning: s.yaml:4:8: the device of \"left\" sent nothing for 0.05 s at"));
}

TEST_F(Feel, WhatTheSceneProbablyDoesNotMeanIsToldFirst) {
    std::string scene = ballInHand();
    scene.replace(scene.find("[0, 0, 0.3]"), 11, "[0, 0, 0.0]");
    write("s.yaml", scene);
    const Outcome outcome = run("feel s.yaml --seconds 0.05");
    EXPECT_THAT(outcome.output, HasSubstr("warning: s.yaml:2"));
    EXPECT_LT(outcome.output.find("warning: s.yaml:2"), outcome.output.find("Felt at most")) << outcome.output;
}

/// The fist of media/scenes/press_a_cow.yaml goes down on the cow's back and up again, every three seconds.
std::string pressesOfTheCow(int seconds) {
    std::ostringstream path;
    path << "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n";
    const auto hold = [&path](double time, double height) { path << time << ",0,0," << height << ",1,0,0,0\n"; };
    for (int start = 0; start < seconds; start += 3) {
        hold(start, 0.6);
        hold(start + 1.0, 0.46);
        hold(start + 1.5, 0.46);
        hold(start + 2.5, 0.6);
    }
    return path.str();
}

/// Thread CPU time of the cycles of `pliant feel --table`: which share was within a millisecond, %.
double shareInTime(const std::string& output) {
    const std::size_t row = output.find("thread CPU");
    if (row == std::string::npos) return 0.0;
    std::istringstream words(output.substr(row, output.find('\n', row) - row));
    std::string word, last;
    while (words >> word)
        if (word != "%") last = word;
    return std::stod(last);
}

/// Goes the way of media/scenes/peg_in_hole.yaml, into the hole and out again, every six seconds.
std::string pegsInTheHole(int seconds) {
    std::istringstream way(readWhole(PLIANT_MEDIA_DIR "/scenes/paths/peg_in_hole.csv"));
    std::string line;
    std::getline(way, line);
    std::ostringstream path;
    path << line << '\n';
    std::vector<std::string> keys;
    while (std::getline(way, line)) keys.push_back(line);
    for (int start = 0; start < seconds; start += 6)
        for (std::size_t i = start > 0 ? 1 : 0; i < keys.size(); ++i) {
            const std::size_t comma = keys[i].find(',');
            path << start + std::stod(keys[i].substr(0, comma)) << keys[i].substr(comma) << '\n';
        }
    return path.str();
}

/// Of the whole world, a step a cycle: a body of 30 coordinates that a hand presses by distributed contact, and two of
/// eight.
class FeelEveryMillisecond : public Feel {
protected:
    void press(int seconds) {
        write("p.csv", pressesOfTheCow(seconds));
        expectInTime("press_a_cow", seconds, "--path p.csv", 5.0);
    }
    /// @param least that is felt, N
    void expectInTime(const std::string& scene, int seconds, const std::string& options, double least) {
        const Outcome outcome = run("feel " PLIANT_MEDIA_DIR "/scenes/" + scene + ".yaml --table --seconds " +
                                    std::to_string(seconds) + " " + options);
        EXPECT_THAT(outcome.output, HasSubstr(std::to_string(1000 * seconds) + " cycles"));
        EXPECT_GE(shareInTime(outcome.output), 99.9) << outcome.output;
        const std::size_t felt = outcome.output.find("Felt at most ");
        ASSERT_NE(felt, std::string::npos) << outcome.output;
        EXPECT_GT(std::stod(outcome.output.substr(felt + 13)), least) << "nothing was pressed";
    }
};

TEST_F(FeelEveryMillisecond, ForSixSeconds) {
    press(6);
}

TEST_F(FeelEveryMillisecond, StrokesAsTheSceneDoes) {
    expectInTime("press_a_cow", 6, "", 30.0);
}

TEST_F(FeelEveryMillisecond, ForAMinute) {
    press(60);
}

// Two reduced bodies: a budget chooses the level of the points of the peg.
TEST_F(FeelEveryMillisecond, OfAPegInAHole) {
    write("p.csv", pegsInTheHole(60));
    expectInTime("peg_in_hole", 60, "--path p.csv", 3.0);
}

TEST_F(Feel, ScenesOfHandsHoldWhatTheyExpect) {
    for (const char* scene : {"press_a_cow", "two_fingers", "peg_in_hole"}) {
        const Outcome outcome = run(std::string("run " PLIANT_MEDIA_DIR "/scenes/") + scene + ".yaml --no-draw");
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
    }
}

// The two wires of the puzzle are apart at the end, and were never as deep in each other as a contact radius.
TEST_F(Feel, APathPartsTheWiresOfThePuzzle) {
    const Outcome outcome = run("run " PLIANT_MEDIA_DIR "/scenes/alpha_puzzle.yaml --no-draw --stats s.json");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    const auto summary = nlohmann::json::parse(readWhole(m_folder / "s.json"))["summary"];
    EXPECT_GT(summary["largest_penetration"].get<double>(), 0) << "they touch on the way";
    EXPECT_LT(summary["largest_penetration"].get<double>(), 0.5);
}

// Straight up it hangs in the other one.
TEST_F(Feel, NoStraightWayPartsTheWiresOfThePuzzle) {
    const std::string scenes = PLIANT_MEDIA_DIR "/scenes/";
    std::string scene = readWhole(scenes + "alpha_puzzle.yaml");
    scene.replace(scene.find("paths/alpha_puzzle.csv"), std::strlen("paths/alpha_puzzle.csv"), "up.csv");
    scene.replace(scene.find("../solids"), std::strlen("../solids"), PLIANT_MEDIA_DIR "/solids");
    write("puzzle.yaml", scene);
    write("up.csv",
          "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,0.348,0,0.7071068,-0.7071068,0\n"
          "6,0,0,0.46,0,0.7071068,-0.7071068,0\n");
    const Outcome outcome = run("run puzzle.yaml --no-draw");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.problems, HasSubstr("free.position.z > 0.45 is false"));
}

// Three soft pairs of distributed contact and the pressure on them: a minute, in ./nightly.
TEST_F(Feel, HosesPartAroundAPlug) {
    const Outcome outcome = run("run " PLIANT_MEDIA_DIR "/scenes/hose_bundle.yaml --no-draw");
    EXPECT_EQ(outcome.code, 0) << outcome.problems;
}

}  // namespace
}  // namespace pliant::test
