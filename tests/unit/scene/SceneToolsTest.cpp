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
