// SPDX-License-Identifier: Zlib
// What a scene probably does not mean is told once, with the line, the name, numbers and the cure.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "BadInput.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Warnings : public BadInput {
protected:
    void SetUp() override {
        BadInput::SetUp();
        write("cube.veg", cube());
    }
    const std::string kModels = "models: {cube: {file: cube.veg, reduce: {modes: 2, dimension: 2}}}\n";

    /// Runs a frame. @return the warnings of its statistics; the output must tell the same
    std::vector<std::string> warningsOf(const std::string& scene) {
        write("scene.yaml", scene);
        const Outcome outcome = run("run scene.yaml --no-draw --frames 1 --stats stats.json");
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
        if (outcome.code != 0) return {};
        m_output = outcome.output;
        m_summary = nlohmann::json::parse(readWhole(m_folder / "stats.json"))["summary"];
        const auto warnings = m_summary["warnings"].get<std::vector<std::string>>();
        for (const std::string& warning : warnings) EXPECT_THAT(m_output, HasSubstr("warning: " + warning + "\n"));
        return warnings;
    }
    std::string m_output;
    nlohmann::json m_summary;
};

TEST_F(Warnings, ASoundSceneHasNone) {
    EXPECT_THAT(warningsOf(kModels + "bodies: [{model: cube, position: [0, 0, 1]}]\n"
                                     "rigid: [{shape: box, position: [3, 0, 0.5], mass: 1}]\nground: {}\n"),
                IsEmpty());
}

TEST_F(Warnings, WhatTheRunDoesNotComeTo) {
    const std::string ball = "rigid: [{name: ball, shape: sphere, mass: 1, position: [0, 0, 2]}]\n";
    EXPECT_THAT(warningsOf(ball + "time: {duration: 1}\ncameras: {a: {from: [5, 0, 1], to: [0, 0, 1]}}\nevents:\n"
                                  "  - {at: 1, do: [stop]}\n  - {at: 3, do: [stop]}\n"
                                  "  - {every: 0.5, from: 2, do: [stop]}\nshots: [{camera: a, from: 1.5}]\n"
                                  "output: [{picture: {file: a.png, at: 4}}]\n"),
                ElementsAre("scene.yaml:6:5: the event at 3 s is behind the end at 1 s and never happens; let the run "
                            "last longer, or name an earlier time",
                            HasSubstr("scene.yaml:7:5: the event from 2 s is behind the end at 1 s and never happens"),
                            HasSubstr("the shot from 1.5 s is behind the end at 1 s and is not shown"),
                            HasSubstr("the picture at 4 s is behind the end at 1 s and shows the last frame")));
}

// A run ends with a frame: where --frames asks for more than the scene lasts, and where its duration is not a whole
// number of them.
TEST_F(Warnings, TheEndOfARunIsThatOfItsLastFrame) {
    const std::string ball = "rigid: [{name: ball, shape: sphere, mass: 1, position: [0, 0, 2]}]\n";
    EXPECT_THAT(warningsOf(ball + "time: {duration: 1.1, frames_per_second: 4}\nevents:\n"
                                  "  - {at: 1, do: [stop]}\n  - {at: 1.1, do: [stop]}\n"),
                ElementsAre(HasSubstr("scene.yaml:5:5: the event at 1.1 s is behind the end at 1 s")));
    write("scene.yaml", ball +
                            "time: {duration: 1, frames_per_second: 4}\nevents:\n"
                            "  - {at: 3, do: [{say: it has come}]}\n  - {at: 6, do: [stop]}\n");
    const std::string output = run("run scene.yaml --no-draw --frames 16").output;
    EXPECT_THAT(output, HasSubstr("it has come"));
    EXPECT_THAT(output, Not(HasSubstr("the event at 3 s")));
    EXPECT_THAT(output, HasSubstr("the event at 6 s is behind the end at 4 s"));
}

TEST_F(Warnings, BelowTheGround) {
    EXPECT_THAT(
        warningsOf(kModels + "bodies:\n  - {model: cube, name: crate, position: [0, 0, -0.25]}\nground: {}\n"),
        ElementsAre("scene.yaml:3:5: \"crate\" starts 0.25 m below the ground; raise its position by that much"));
    EXPECT_THAT(
        warningsOf(kModels + "rigid:\n  - {shape: sphere, radius: 0.5, mass: 1, stack: {count: 2, spacing: 0.4}, "
                             "position: [0, 0, -0.5], name: ball}\nground: {height: 0.5}\n"),
        ElementsAre(
            "scene.yaml:3:5: \"ball[0]\" starts 1.5 m below the ground, as does another of its group; raise its "
            "position by that much",
            HasSubstr("\"ball[0]\" starts 0.6 m inside \"ball[1]\" and will be pushed out; move them apart")));
}

TEST_F(Warnings, WhatHasNoNameIsCalledByItsShape) {
    const auto warnings = warningsOf(kModels +
                                     "rigid:\n  - {shape: cone, radius: 0.1, height: 0.2, mass: 1, position: "
                                     "[0, 0, -1]}\nground: {}\n");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_THAT(warnings[0], HasSubstr("\"cone\" starts 1.1 m below the ground"));
}

TEST_F(Warnings, InsideAnother) {
    const auto warnings =
        warningsOf(kModels +
                   "bodies:\n  - {model: cube, name: crate}\nrigid:\n  - {shape: box, position: [1.3, 0.5, "
                   "0.5], name: wall}\n  - {shape: box, position: [2, 0.5, 0.5], name: floor}\n");
    ASSERT_EQ(warnings.size(), 1u) << "bodies that stand still do not matter to each other";
    EXPECT_THAT(warnings[0], HasSubstr("scene.yaml:3:5: \"crate\" starts 0."));
    EXPECT_THAT(warnings[0], HasSubstr(" m inside \"wall\" and will be pushed out; move them apart"));
}

// The largest distance of a point to the other surface may be more than what parts the bodies.
TEST_F(Warnings, DepthsAreThoseThatPartTheBodies) {
    const auto warnings = warningsOf(
        kModels + "bodies:\n  - {model: cube, name: a}\n  - {model: cube, name: b, position: [0.25, 0.12, 0]}\n");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_THAT(warnings[0], HasSubstr("\"a\" starts 0.75 m inside \"b\""));
}

TEST_F(Warnings, StepsThatAreTooLongAndBodiesThatAreTooSmall) {
    const auto told = [&](const std::string& body, const std::string& time) {
        const auto warnings = warningsOf("rigid: [{shape: sphere, mass: 1, name: it, " + body + "}]\n" + time);
        return warnings.empty() ? std::string() : warnings[0];
    };
    EXPECT_EQ(told("radius: 0.1", ""), "");
    EXPECT_THAT(told("radius: 0.1, velocity: [100, 0, 0]", ""),
                AllOf(HasSubstr("\"it\" moves 0.833 m in a step"), HasSubstr("or write continuous: true")));
    EXPECT_EQ(told("radius: 0.1, continuous: true, velocity: [100, 0, 0]", ""), "");
    EXPECT_THAT(told("radius: 0.1", "time: {frames_per_second: 1, substeps: 1}\n"),
                HasSubstr("\"it\": gravity takes it 9.81 m in a step of 1 s"));
    EXPECT_THAT(told("radius: 0.002", ""), HasSubstr("\"it\" is less than 1 cm large"));
}

TEST_F(Warnings, HeavyOnLight) {
    const auto warningsAt = [&](const std::string& mass) {
        return warningsOf(
            "ground: {}\nrigid:\n  - {shape: box, mass: 1, name: crate, position: [0, 0, 0.5]}\n  - {shape: box, name: "
            "safe, position: [0.2, 0, 1.5], mass: " +
            mass + "}\n");
    };
    EXPECT_THAT(warningsAt("90"), IsEmpty());
    EXPECT_THAT(warningsAt("5000"),
                ElementsAre(HasSubstr("scene.yaml:4:5: \"safe\" weighs 5e+03 times as much as \"crate\" below it")));
    EXPECT_THAT(
        warningsOf(
            "ground: {}\nrigid:\n  - {shape: box, mass: 1, position: [0, 0, 0.5]}\n  - {shape: box, position: [3, 0, "
            "0.5], mass: 5000}\n"),
        IsEmpty())
        << "side by side they do not matter to each other";
}

TEST_F(Warnings, AJointFarFromItsBody) {
    EXPECT_THAT(warningsOf("rigid:\n  - {shape: box, mass: 1, name: door}\njoints:\n  - {kind: point, between: [door], "
                           "at: [4.5, 0, 0]}\n"),
                ElementsAre("scene.yaml:4:5: the joint's point is 4 m away from \"door\", which is 1.73 m large; move "
                            "the point or the body, unless a stiff rod without mass is meant"));
}

TEST_F(Warnings, AVelocityOfABodyThatIsHeld) {
    const auto warnings = warningsOf(
        "models: {cube: {file: cube.veg, reduce: {modes: 2, dimension: 2, fixed: {box: [0, 0, 0, 0, 1, 1]}}}}"
        "\nbodies:\n  - {model: cube, velocity: [1, 0, 0]}\n");
    EXPECT_THAT(warnings, ElementsAre("scene.yaml:3:5: \"cube\" has a velocity, but its model is held at some vertices "
                                      "and stands still; leave the velocity out, or write motion: kinematic"));
}

TEST_F(Warnings, AMaterialThatTheMeshDoesNotHave) {
    const auto warnings = warningsOf(
        "materials: {dyed: {colour: [0, 0, 1]}}\nmodels: {cube: {file: cube.veg, reduce: {modes: 2, dimension: 2}}}\n"
        "bodies:\n  - {model: cube, materials: {wever: dyed}}\n");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_THAT(warnings[0],
                HasSubstr("scene.yaml:4:5: the model \"cube\" has no material called \"wever\"; its materials are"));
}

TEST_F(Warnings, SelfContactOfWhatTouchesWithItsSurface) {
    const auto scene = [](const std::string& contact) {
        return "models: {cube: {file: cube.veg, self_contact: true, reduce: {modes: 2, dimension: 2, contact: " +
               contact + "}}}\nbodies:\n  - {model: cube, stack: {count: 2, spacing: 3}}\n";
    };
    EXPECT_THAT(warningsOf(scene("surface")),
                ElementsAre(AllOf(HasSubstr("scene.yaml:1:"), HasSubstr("self_contact does nothing for the model "
                                                                        "\"cube\": it touches with its surface"))));
    EXPECT_THAT(warningsOf(scene("segments")), IsEmpty());
}

TEST_F(Warnings, VelocitiesThatMoveNothingAreRefused) {
    write("scene.yaml", "rigid:\n  - {shape: box, velocity: [1, 0, 0]}\n");
    expectRefused("run scene.yaml --no-draw",
                  {"scene.yaml:2:28: \"velocity\" moves nothing: a rigid body without mass stands still; leave it out, "
                   "or give it a mass"});
    write("scene.yaml", kModels + "bodies:\n  - {model: cube, motion: anchored, angular_velocity: [0, 0, 1]}\n");
    expectRefused("run scene.yaml --no-draw",
                  {"\"angular_velocity\" moves nothing: an anchored body stands still; leave it out, or write motion: "
                   "kinematic"});
}

TEST_F(Warnings, LostBodiesHaveNames) {
    warningsOf(kModels +
               "bodies:\n  - {model: cube, name: crate, grid: {count: [2, 1, 1], spacing: 3}, position: [0, 0, "
               "-9]}\n  - {model: cube, position: [0, 0, 2]}\nground: {}\n");
    EXPECT_EQ(m_summary["lost_bodies"], 2);
    EXPECT_THAT(m_summary["lost"], ElementsAre("crate[0]", "crate[1]"));
    EXPECT_THAT(m_output, HasSubstr("2 of 3 bodies lost: crate[0], crate[1]"));
}

TEST_F(Warnings, AnchoredBodiesDoNotTouchWhatStandsStill) {
    const auto scene = [this](const std::string& motion, const std::string& mass, const std::string& more = "") {
        return kModels + "bodies:\n  - {model: cube, name: pad, motion: " + motion +
               "}\nrigid: [{name: wall, shape: box, size: [1, 1, 1], position: [1.46, 0, 0]" + mass + "}]\n" + more;
    };
    for (const char* motion : {"anchored", "kinematic"})
        EXPECT_THAT(warningsOf(scene(motion, "")),
                    ElementsAre(AllOf(HasSubstr("scene.yaml:3:5: \"pad\" starts 0.04 m inside \"wall\" and will not be "
                                                "pushed out: neither moves freely, so that they do not touch"),
                                      HasSubstr("one of them has to move freely"))));
    EXPECT_THAT(warningsOf(scene("anchored", ", mass: 1")), ElementsAre(HasSubstr("will be pushed out")));
}

TEST_F(Warnings, PairsThatAreToTouchAndCannot) {
    const auto scene = [](const std::string& motion, const std::string& mass, const std::string& other) {
        return "models: {cube: {file: cube.veg, reduce: {modes: 2, dimension: 2, contact: surface}}}\n"
               "bodies:\n  - {model: cube, name: pad, position: [0, 0, 1], motion: " +
               motion + "}\nrigid: [{name: wall, shape: box, position: [9, 0, 1]" + mass +
               "}]\nground: {}\ntouch:\n  - {between: [pad, " + other + "]}\n";
    };
    for (const char* other : {"wall", "ground"})
        EXPECT_THAT(warningsOf(scene("anchored", "", other)),
                    ElementsAre(HasSubstr("scene.yaml:7:5: \"pad\" and \"" + std::string(other) +
                                          "\" do not touch: neither moves freely; one of them has to move freely")));
    EXPECT_THAT(warningsOf(scene("anchored", ", mass: 1", "wall")), IsEmpty());
    EXPECT_THAT(warningsOf(scene("free", "", "ground")), IsEmpty());
}

TEST_F(Warnings, MistakesInSeveralPartsAreToldAtOnce) {
    write("scene.yaml",
          "gravty: [0, 0, -1]\ntime:\n  duration: long\nrigid:\n  - {shape: box, mass: -1}\n  - {shape: bax}\n");
    const Outcome outcome = run("run scene.yaml --no-draw");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.errors, ElementsAre(HasSubstr("pliant: error: scene.yaml:1:1: unknown key \"gravty\""),
                                            HasSubstr("pliant: error: scene.yaml:3:13: duration must be a number"),
                                            HasSubstr("pliant: error: scene.yaml:5:24: mass is -1"),
                                            HasSubstr("pliant: error: scene.yaml:6:13:")));
}

TEST_F(Warnings, WrongRegionsAreRefused) {
    write("cube.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write("a.bou", "1\n");
    expectRefused("reduce cube.obj --fixed a.bou" + kReduce,
                  {"a.bou: its numbers would be those of corners of bricks"});
    expectRefused("reduce cube.veg --hold box=0,0,0" + kReduce, {"a box needs 6 numbers, it has 3"});
    expectRefused("reduce cube.veg --hold box=3,3,3,4,4,4" + kReduce, {"it holds no vertex", "(0, 0, 0) to (1, 1, 1)"});
    const auto scene = [](const std::string& reduce) {
        return "models:\n  it: {file: cube.veg, reduce: {" + reduce + "}}\nbodies: [{model: it}]\n";
    };
    write("scene.yaml", scene("fixed: {box: [0, 0, 0]}"));
    expectRefused("run scene.yaml", {"scene.yaml:2:46: box needs 6 numbers, it has 3"});
    write("scene.yaml", scene("fixed: {box: [0, 0, 0, 1, 1, 1], group: a}"));
    expectRefused("run scene.yaml", {"a region is told by one of box, sphere, halfspace, material and group"});
    write("scene.yaml", scene("regions: [{box: [0, 0, 0, 1, 1, 1], young: 1.0e6}]"));
    expectRefused("run scene.yaml", {"the region needs the key \"name\""});
}

}  // namespace
}  // namespace pliant::test
