// SPDX-License-Identifier: Zlib
// Bodies in hands in scenes: what they carry, follow, record, and what a scene file may not say of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "SceneInWorld.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

const std::string kHeldBall = "rigid: [{name: ball, shape: sphere, radius: 0.05, mass: 0.5, position: [0, 0, 1]}]\n";
const std::string kHandSensor = "sensors: [{name: hand, kind: hand, of: left}]\n";

std::string tool(const std::string& more) {
    return "tool: [{name: left, body: ball, " + more + "}]\n";
}

class SceneTools : public ::testing::Test {
protected:
    SceneTools()
        : m_folder(std::filesystem::path(::testing::TempDir()) /
                   ("tools_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {
        std::filesystem::create_directories(m_folder);
    }
    ~SceneTools() override { std::filesystem::remove_all(m_folder); }
    /// A file of a path from z = 1 to z = 1.3 within a second.
    std::string path(const std::string& last = "1,0,0,1.3,1,0,0,0") const {
        const std::string file = (m_folder / "path.csv").string();
        std::ofstream(file) << "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,1,1,0,0,0\n" << last << "\n";
        return file;
    }
    static std::string complaint(const std::string& text) {
        try {
            SceneInWorld world(text);
        } catch (const Error& problem) {
            return problem.what();
        }
        return "no error";
    }
    std::filesystem::path m_folder;
};

TEST_F(SceneTools, AStillHandCarriesTheWeight) {
    SceneInWorld held(kHeldBall + kHandSensor + tool("device: still, stiffness: 500, max_force: 30"));
    held.step(4);
    const double weight = 0.5 * 9.81;
    EXPECT_NEAR(held.number("hand.force.z"), weight, 1e-3);
    EXPECT_NEAR(held.number("hand.felt.z"), -weight, 1e-3);
    EXPECT_NEAR(held.number("hand.gap"), weight / 500, 1e-5);
    EXPECT_NEAR(held.place().z(), 1 - weight / 500, 1e-5);
    EXPECT_EQ(held.number("hand.hold"), 1.0);
}

TEST_F(SceneTools, APathIsFollowedScaled) {
    SceneInWorld held(kHeldBall + kHandSensor + "gravity: [0, 0, 0]\n" +
                      tool("device: path, path: " + path() + ", rate: 60, scale: 0.5"));
    held.step(0.5);
    EXPECT_NEAR(held.place().z(), 1.075, 0.01);
    held.step(2.5);
    EXPECT_NEAR(held.place().z(), 1.15, 1e-4);
}

/// A pad in a hand beside the world, above a block that lies on the ground.
std::string padBeside(const std::string& more, const std::string& touch) {
    return "gravity: [0, 0, 0]\nground: {friction: 3}\nrigid:\n"
           "  - {name: pad, shape: box, size: [0.04, 0.04, 0.04], mass: 1, position: [0, 0, 0.12], friction: 0.5}\n"
           "  - {name: block, shape: box, size: [0.2, 0.2, 0.1], mass: 2, position: [0, 0, 0.05], friction: 0.8}\n"
           "tool: [{name: left, body: pad, dynamics: thread, stiffness: 1000, torque_stiffness: 5000, device_force: "
           "50, " +
           more + "}]\ntouch: [" + touch + "]\n" + kHandSensor;
}

// From a centimetre into the block and a centimetre to the side on: the pad slides until its spring lies on the cone of
// 0.5 * 0.8, the product of both frictions. The block is pressed against the ground, whose friction holds it.
TEST_F(SceneTools, AHandInAThreadSlidesOnABlockUpToTheFrictionOfBoth) {
    const std::string file = (m_folder / "down.csv").string();
    std::ofstream(file) << "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,0.12,1,0,0,0\n1,0,0,0.11,1,0,0,0\n"
                           "2,0.008,0,0.11,1,0,0,0\n2.2,0.0085,0,0.11,1,0,0,0\n";
    for (const char* sides : {"[pad, block]", "[block, pad]"}) {
        SceneInWorld held(
            padBeside("device: path, path: " + file, "{between: " + std::string(sides) + ", stiffness: 1.0e7}"));
        held.step(4);
        EXPECT_EQ(held.number("hand.hold"), 1.0);
        const double normal = held.number("hand.felt.z"), along = -held.number("hand.felt.x");
        EXPECT_NEAR(normal, 0.01 / (1.0 / 1000 + 1.0 / 16000), 0.1) << "springs of hand and layer behind each other";
        // Never more, and less by what the block gives way by after the hand has stopped.
        EXPECT_LT(along, 0.4005 * normal);
        EXPECT_GT(along, 0.95 * 0.4 * normal);
        EXPECT_NEAR(held.number("hand.position.x"), 0.0085 - along / 1000, 1e-5);
        EXPECT_NEAR(held.number("hand.force.x"), along, 1e-3) << "on the tool, where felt is on the device";
        EXPECT_EQ(held.scene().getRigids()[0].m_body->getCenterOfMassPosition().x(),
                  static_cast<btScalar>(held.number("hand.position.x")))
            << "the body is shown where the tool is";
        EXPECT_THROW(held.scene().getTool(0), Error);
        EXPECT_NE(held.scene().getHandThread(0), nullptr);
    }
}

// Sensors know the tool by the name of its body, as that which presses and as that which is pressed; traces have it.
TEST_F(SceneTools, SensorsFeelAHandInAThread) {
    const std::string file = (m_folder / "down.csv").string();
    std::ofstream(file) << "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,0.12,1,0,0,0\n1,0,0,0.11,1,0,0,0\n";
    std::string text = padBeside("device: path, path: " + file, "{between: [pad, block], stiffness: 1.0e7}");
    text.insert(text.rfind(']'),
                ", {name: block, kind: contact, between: [block, pad], filter: 0.1}, {name: pad, kind: "
                "contact, between: [pad, block]}, {name: floor, kind: contact, between: [block, "
                "ground]}");
    SceneInWorld held(text + "record: [{file: w.csv, every: 0.5, of: [block.force, block.filtered]}]\n");
    held.scene().setRecordFolder(m_folder.string());
    held.step(3);
    const double felt = held.number("hand.felt.z");
    EXPECT_NEAR(felt, 0.01 / (1.0 / 1000 + 1.0 / 16000), 0.1) << "N: springs of hand and layer behind each other";
    EXPECT_NEAR(held.number("block.force.z"), -felt, 1e-3 * felt);
    EXPECT_NEAR(held.number("block.filtered.z"), -felt, 1e-3 * felt);
    EXPECT_NEAR(held.number("pad.force.z"), felt, 1e-3 * felt);
    EXPECT_NEAR(held.number("floor.force.z"), felt, 0.01 * felt) << "without gravity";
    EXPECT_GT(held.number("block.count"), 20);
    held.scene().finish();
    std::ifstream in(m_folder / "w.csv");
    std::stringstream all;
    all << in.rdbuf();
    EXPECT_THAT(all.str(), HasSubstr("block.force.z [N]"));
    EXPECT_THAT(all.str(), HasSubstr(",-9.4")) << all.str();
}

// Without mass: it has no weight, and is at the device's place in a step; where a block stops it the hand feels k times
// the way that it is short of.
TEST_F(SceneTools, AStaticToolHasNoWeightAndFeelsWhatItMeets) {
    const std::string file = (m_folder / "down.csv").string();
    std::ofstream(file) << "time [s],x [m],y [m],z [m],qw,qx,qy,qz\n0,0,0,1,1,0,0,0\n1,0,0,0.8,1,0,0,0\n"
                           "2,0,0,0.04,1,0,0,0\n";
    SceneInWorld held(kHeldBall + kHandSensor + "ground: {}\n" +
                      tool("dynamics: static, limits: [2, 360], stiffness: 500, device: path, path: " + file));
    held.step(0.5);
    EXPECT_NEAR(held.place().z(), 0.9, 1e-5);
    EXPECT_NEAR(held.number("hand.felt.z"), 0.0, 1e-2);
    held.step(2);
    EXPECT_NEAR(held.place().z(), 0.05, 2e-4);
    EXPECT_NEAR(held.number("hand.felt.z"), 500 * (held.place().z() - 0.04), 1e-3);
    EXPECT_NEAR(held.number("hand.felt.z"), 5.0, 0.1);
    EXPECT_NEAR(held.number("hand.force.z"), -5.0, 0.1);
    EXPECT_THAT(complaint(kHeldBall + tool("dynamics: static, device: still, damping: 1")),
                HasSubstr("\"damping\" means nothing for this tool; leave it out: the tool has no mass"));
    std::string twice = tool("dynamics: static, device: still");
    twice.insert(twice.rfind(']'), ", {name: right, body: ball, device: still}");
    EXPECT_THAT(complaint(kHeldBall + twice), HasSubstr("is in the hand of a tool without mass already"));
}

TEST_F(SceneTools, InThreadsRefuseWhatTheyCannotFeel) {
    const std::string pair = "{between: [pad, block]}";
    EXPECT_THAT(complaint(padBeside("device: still, grip: [0, 0, 0.1]", pair)), HasSubstr("\"grip\" means nothing"));
    EXPECT_THAT(complaint(padBeside("device: still, damping: 2", pair)), HasSubstr("\"damping\" means nothing"));
    EXPECT_THAT(complaint(padBeside("device: still", "{between: [pad]}")),
                HasSubstr("what the hand feels is not named"));
    EXPECT_THAT(complaint(padBeside("device: still", "{between: [pad, block], two_way: true}")),
                HasSubstr("no \"two_way\" and no \"penalty\""));
    EXPECT_THAT(complaint(padBeside("device: still", "{between: [block, ground]}")), HasSubstr("no reduced body"));
    std::string cone = padBeside("device: still", pair);
    cone.replace(cone.find("box, size: [0.04, 0.04, 0.04]"), 29, "cone, radius: 0.1, height: 0.1");
    EXPECT_THAT(complaint(cone), HasSubstr("the tool is no sphere, box, capsule or cylinder"));
    cone = padBeside("device: still", pair);
    cone.replace(cone.find("box, size: [0.2, 0.2, 0.1]"), 26, "cone, radius: 0.1, height: 0.1");
    EXPECT_THAT(complaint(cone), HasSubstr("the body is no plane, sphere, box, capsule or cylinder"));
}

// Of reduced bodies tools in threads are none, and static ones are where the device is after a step.
TEST_F(SceneTools, ReducedBodiesAreStaticToolsAndNoneInThreads) {
    const std::string bar = std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
                            "/solids/jelly.obj}}\nbodies: [{name: ball, model: bar, position: [0, 0, 1]}]\n";
    EXPECT_THAT(complaint(bar + tool("device: still, dynamics: thread")), HasSubstr("\"ball\" deforms"));
    SceneInWorld held(bar + kHandSensor + tool("device: path, dynamics: static, path: " + path()));
    held.step(0.5);
    const double start = held.number("hand.position.z") - 0.15;
    EXPECT_NEAR(held.number("hand.felt.z"), 0.0, 1e-2) << "N: it has no weight";
    held.step(1.0);
    EXPECT_NEAR(held.number("hand.position.z"), start + 0.3, 1e-4);
    EXPECT_NEAR(start, 1.0, 0.2);
}

TEST_F(SceneTools, TheWrenchIsRecorded) {
    SceneInWorld held(kHeldBall + kHandSensor + tool("device: still") +
                      "record: [{file: w.csv, every: 0.5, of: [hand.felt, hand.felt_torque]}]\n");
    held.scene().setRecordFolder(m_folder.string());
    held.step(3);
    held.scene().finish();
    std::ifstream in(m_folder / "w.csv");
    std::stringstream all;
    all << in.rdbuf();
    EXPECT_THAT(all.str(), HasSubstr("hand.felt.z [N]"));
    EXPECT_THAT(all.str(), HasSubstr("-4.90"));
}

TEST_F(SceneTools, ADeviceThatNobodyHandsOverLetsGo) {
    SceneInWorld held(kHeldBall + kHandSensor + tool("device: mouse"));
    held.step(0.5);
    EXPECT_EQ(held.number("hand.hold"), 0.0);
    EXPECT_LT(held.place().z(), 0.9);
    held.scene().setHandDevice(0, std::make_shared<IdentityDevice>(ToolPose{Vector3(0, 0, 0.5)}));
    held.step(4);
    EXPECT_EQ(held.number("hand.hold"), 1.0);
    EXPECT_NEAR(held.place().z(), 0.5 - 0.5 * 9.81 / 800, 1e-3);
}

TEST_F(SceneTools, ADeviceThatFailsIsToldAtTheEnd) {
    const auto warnings = [](std::vector<MockDevice::Fault> faults) {
        SceneInWorld held(kHeldBall + tool("device: still"));
        held.step(0.5);
        const ToolPose pose = held.scene().getTool(0).getGripPose();
        held.scene().setHandDevice(
            0, std::make_shared<MockDevice>(std::make_unique<IdentityDevice>(pose), std::move(faults)));
        held.step(2);
        held.scene().finish();
        return held.scene().getWarnings();
    };
    using ::testing::ElementsAre;
    EXPECT_THAT(warnings({}), ElementsAre());
    EXPECT_THAT(warnings({{1, 1.2, false}, {1.5, 9, false}}),
                ElementsAre(::testing::AllOf(
                    HasSubstr("timed.yaml:3:8: the device of \"left\" sent nothing for 0.05 s 2 times, first at 1.0"),
                    HasSubstr("for good; see that it is plugged in"))));
    EXPECT_THAT(warnings({{1, 1.2, true}}),
                ElementsAre(HasSubstr("sent what is no number, or nothing after it, at 1.0")));
    EXPECT_THAT(warnings({{1, 1.04, false}}), ElementsAre(HasSubstr("sent no pose for 0.025 s at 1.0")));
}

TEST_F(SceneTools, AreTakenBackWithASavedState) {
    SceneInWorld held(kHeldBall + kHandSensor + tool("device: path, path: " + path()) +
                      "events: [{at: 0.5, do: [{save: half}]}, {at: 1, do: [{restore: half}]}]\n");
    held.step(0.5);
    const double z = held.place().z();
    held.step(0.5);
    EXPECT_NEAR(held.place().z(), z, 1e-12);
}

TEST_F(SceneTools, MistakesHaveAPlaceAndACure) {
    EXPECT_THAT(complaint(kHeldBall + tool("device: path")), HasSubstr("path"));
    EXPECT_THAT(complaint(kHeldBall + tool("device: path, path: none.csv")), HasSubstr("cannot read"));
    EXPECT_THAT(complaint(kHeldBall + tool("device: path, path: " + path("1,0,0,x,1,0,0,0"))), HasSubstr("path.csv:3"));
    EXPECT_THAT(complaint(kHeldBall + tool("device: still, port: 4")),
                HasSubstr("\"port\" means nothing for this device"));
    EXPECT_THAT(complaint(kHeldBall + tool("device: mous")), HasSubstr("mouse"));
    EXPECT_THAT(complaint(kHeldBall + tool("device: still, limits: [1]")), HasSubstr("two numbers"));
    EXPECT_THAT(complaint(kHeldBall + tool("device: still, stiffness: -1")), HasSubstr("timed.yaml:3"));
    EXPECT_THAT(complaint(kHeldBall + "tool: [{body: bal, device: still}]\n"), HasSubstr("did you mean \"ball\"?"));
    EXPECT_THAT(complaint("rigid: [{name: wall, shape: box}]\ntool: [{body: wall, device: still}]\n"),
                HasSubstr("does not move freely"));
    EXPECT_THAT(complaint(kHeldBall + "sensors: [{name: hand, kind: hand, of: right}]\n" + tool("device: still")),
                HasSubstr("no tool is called \"right\""));
    EXPECT_THAT(
        complaint(kHeldBall + "tool: [{name: a, body: ball, device: still}, {name: a, body: ball, device: still}]\n"),
        HasSubstr("there is another tool \"a\""));
    EXPECT_THAT(complaint(kHeldBall + "tool: [{body: ball, device: mouse}, {body: ball, device: mouse}]\n"),
                HasSubstr("another tool has the mouse"));
}

}  // namespace
}  // namespace pliant::test
