// SPDX-License-Identifier: Zlib
// Mistakes in what a scene says about time, each told with its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "TimedScene.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

struct TimeMistake {
    const char* text;
    const char* told;
};

class SceneTimeMistakes : public ::testing::TestWithParam<TimeMistake> {};

TEST_P(SceneTimeMistakes, AreToldWithTheirPlace) {
    const std::string text = kBall +
                             "  - {name: wall, shape: box, size: [1, 1, 1]}\n"
                             "joints: [{name: hook, kind: point, between: [ball], at: [0, 0, 2]}]\n" +
                             GetParam().text + "\n";
    try {
        scene::parseScene(text, "wrong.yaml", anyModel());
        FAIL() << "nothing was told of " << GetParam().text;
    } catch (const Error& problem) {
        EXPECT_THAT(problem.what(), HasSubstr(GetParam().told));
        EXPECT_THAT(problem.what(), HasSubstr("wrong.yaml:5:"));
    }
}

// Who writes a joint with the world as one with two bodies is told how it is written.
TEST(SceneMistakes, TheWorldIsNoBodyOfAJoint) {
    for (const std::string name : {"world", "ground"}) {
        try {
            scene::parseScene(kBall + "joints: [{kind: point, between: [ball, " + name + "], at: [0, 0, 2]}]\n",
                              "wrong.yaml", anyModel());
            FAIL() << "nothing was told";
        } catch (const Error& problem) {
            EXPECT_THAT(problem.what(), HasSubstr("names its body alone"));
        }
    }
}

TEST(SceneMistakes, WhatIsRepeatedHasNoNumberAsAWhole) {
    const std::pair<std::string, std::string> cases[] = {
        {"rigid: [{name: post, repeat: {i: 2}, shape: sphere, mass: 1}]\n"
         "record: [{file: a.csv, of: [post.speed]}]\n",
         "speed"},
        {"rigid: [{name: ball, shape: sphere, mass: 1}]\n"
         "joints: [{name: post, repeat: {i: 2}, kind: point, between: ball, at: [0, 0, 1]}]\n"
         "record: [{file: a.csv, of: [post.force]}]\n",
         "force"}};
    for (const auto& [text, number] : cases) {
        try {
            scene::parseScene(text, "wrong.yaml", anyModel());
            FAIL() << "nothing was told";
        } catch (const Error& problem) {
            EXPECT_THAT(problem.what(), HasSubstr("\"post\" is repeated, and each has numbers of its own; write "
                                                  "\"post[0]." +
                                                  number + "\" for the first"));
        }
    }
}

// What is told to be written is there, and formulas are told as records are.
TEST(SceneMistakes, OfWhatIsRepeatedTheNumberThatWasMeantIsTold) {
    const std::string posts = "rigid: [{name: post, repeat: {i: 2}, shape: sphere, mass: 1}]\n",
                      hooks =
                          "rigid: [{name: ball, shape: sphere, mass: 1}]\n"
                          "joints: [{name: hook, repeat: {i: 2}, kind: point, between: ball, at: [0, 0, 1]}]\n";
    const std::pair<std::string, std::string> cases[] = {
        {posts + "record: [{file: a.csv, of: [post.sped]}]\n", "did you mean \"post[0].speed\", of the first?"},
        {posts + "record: [{file: a.csv, of: [post.xyzzy]}]\n", "none of them has a number \"xyzzy\""},
        {posts + "expect: [{that: post.speed < 1}]\n", "write \"post[0].speed\" for the first"},
        {hooks + "expect: [{that: hook.force < 1}]\n", "write \"hook[0].force\" for the first"},
        {hooks + "events: [{when: hook.forse > 1, do: [stop]}]\n", "did you mean \"hook[0].force\""}};
    for (const auto& [text, told] : cases) {
        SCOPED_TRACE(text);
        try {
            scene::parseScene(text, "wrong.yaml", anyModel());
            FAIL() << "nothing was told";
        } catch (const Error& problem) {
            EXPECT_THAT(problem.what(), HasSubstr(told));
            EXPECT_THAT(problem.what(), HasSubstr("\" is repeated, and "));
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    OfEveryKind, SceneTimeMistakes,
    ::testing::Values(
        TimeMistake{"events: [{at: 1, do: [{spwan: {of: ball}}]}]", "did you mean \"spawn\"?"},
        TimeMistake{"events: [{at: 1, when: t > 2, do: [stop]}]", "give one of these"},
        TimeMistake{"events: [{do: [stop]}]", "an event happens"},
        TimeMistake{"events: [{at: 1, once: true, do: [stop]}]", "\"once\" means nothing without \"when\""},
        TimeMistake{"events: [{every: 0.0001, do: [stop]}]", "it must be at least"},
        TimeMistake{"events: [{at: 1, do: []}]", "nothing is done"},
        TimeMistake{"events: [{at: 1, do: [{push: {of: bal, impulse: [0, 0, 1]}}]}]", "did you mean \"ball\"?"},
        TimeMistake{"events: [{at: 1, do: [{push: {of: .ball, impulse: [0, 0, 1]}}]}]", "did you mean \"ball\"?"},
        TimeMistake{"events: [{at: 1, do: [{part: ..}]}]", "no joint is called \"..\""},
        TimeMistake{"events: [{at: 1, do: [{push: {of: wall, impulse: [0, 0, 1]}}]}]", "does not move freely"},
        TimeMistake{"events: [{at: 1, do: [{push: {of: \"ball[3]\", impulse: [0, 0, 1]}}]}]", "has 1 bodies"},
        TimeMistake{"events: [{at: 1, do: [{spawn: {of: ball, position: [0, 0, 1]}}]}]", "spawn: {most: 10}"},
        TimeMistake{"events: [{at: 1, do: [{part: hok}]}]", "did you mean \"hook\"?"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: wall.rotation.w, to: 1}}]}]", "no live number is called"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: wall.position.z, to: 1}}]}]", "is not moved by the scene"},
        TimeMistake{"events: [{at: 1, do: [{animate: {what: gravity.z, to: 1, in: 1}}]}]",
                    "gives others a value at once"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: hook.motor.velocity, to: 1}}]}]", "has no motor"},
        TimeMistake{"events: [{at: 1, do: [{say: \"{t\"}]}]", "has no }"},
        TimeMistake{"events: [{at: 1, do: [{remove: low.bodies}]}]", "no region is called \"low\""},
        TimeMistake{"events: [{when: low.count > 2, do: [stop]}]", "\"low.count\" is not defined"},
        TimeMistake{"events: [{when: t >, do: [stop]}]", "cannot be read"},
        TimeMistake{"sensors: [{kind: energy}]", "needs the key \"name\""},
        TimeMistake{"sensors: [{name: a, kind: energy}, {name: a, kind: energy}]", "another sensor"},
        TimeMistake{"sensors: [{name: a b, kind: energy}]", "a word of letters"},
        TimeMistake{"sensors: [{name: a, kind: energi}]", "did you mean \"energy\"?"},
        TimeMistake{"sensors: [{name: a, kind: energy, box: {from: [0, 0, 0], to: [1, 1, 1]}}]", "means nothing"},
        TimeMistake{"sensors: [{name: a, kind: region, box: {from: [0, 0, 0], to: [1, -1, 1]}}]", "the box is empty"},
        TimeMistake{"sensors: [{name: a, kind: contact, between: [ball, floor]}]", "no body is called \"floor\""},
        TimeMistake{"sensors: [{name: a, kind: contact, between: [ball], box: {from: [0, 0, 0], to: [1, 1, 1]}}]",
                    "is no reduced body"},
        TimeMistake{"sensors: [{name: a, kind: contact, between: [ball], filter: -1}]", "at least"},
        TimeMistake{"sensors: [{name: a, kind: energy, material: wood}]", "means nothing"},
        TimeMistake{"sensors: [{name: a, kind: point}]", "needs the key \"of\""},
        TimeMistake{"sensors: [{name: a, kind: joint, of: ball}]", "no joint is called \"ball\""},
        TimeMistake{"animate: [{what: wall.position.z, keys: [[0, 1]]}]", "is not moved by the scene"},
        TimeMistake{"animate: [{what: gravity.z, keys: []}]", "there are no keys"},
        TimeMistake{"animate: [{what: gravity.z, keys: [[1, 1], [1, 2]]}]", "in the order of their times"},
        TimeMistake{"animate: [{what: gravity.z, keys: [[1, 1, 1]]}]", "a time and a value"},
        TimeMistake{"animate: [{what: gravity.w, keys: [[1, 1]]}]", "did you mean \"gravity.x\"?"},
        TimeMistake{"animate: [{what: gravty.z, keys: [[1, 1e6]]}]", "did you mean \"gravity.z\"?"},
        TimeMistake{"animate: [{what: ball.qqqq, keys: [[1, 1]]}]",
                    "is called \"ball.qqqq\"; ball has friction, restitution"},
        TimeMistake{"animate: [{what: \"ball[0].frictoin\", keys: [[1, 1]]}]", "did you mean \"ball[0].friction\"?"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: ball.mass, to: 1}}]}]", "; ball has friction, restitution"},
        TimeMistake{"animate: [{what: nobody.qqqq, keys: [[1, 1]]}]", "; there are gravity.x, JOINT.motor.velocity,"},
        TimeMistake{"record: [{file: a.txt, of: [a.b]}]", "neither .csv nor .jsonl"},
        TimeMistake{"record: [{file: ../a.csv, of: [a.b]}]", "into the output folder"},
        TimeMistake{"record: [{file: a.csv, of: [a.cuont]}]", "no quantity of a sensor"},
        TimeMistake{"record: [{file: a.csv, of: [s, s.count]}]\nsensors: [{name: s, kind: contact, between: [ball]}]",
                    "is called \"s\"; it has s.count, s.impulse, s.force"},
        TimeMistake{"expect: [{at: 99, that: t > 1}]", "it must be at most"},
        TimeMistake{"lights: [{kind: point, at: [0, 0, 3], brightness: \"= t - 1\"}]", "at t = 0 is -1; it must be"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: ball.friction, to: -1}}]}]", "to is -1; it must be at least 0"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: ball.restitution, to: = 1 + 0.5}}]}]",
                    "= 1 + 0.5: the value is 1.5; it must be at most 1"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: gravity.z, to: -1e5}}]}]", "it must be at least -10000"},
        TimeMistake{"animate: [{what: ball.friction, keys: [[0, 1], [1, 101]]}]", "it must be at most 100"},
        TimeMistake{"events: [{at: 1, do: [{push: {of: ball, impulse: [0, 0, = 2*1e9]}}]}]",
                    "it must be at most 1e+09"},
        TimeMistake{"sensors: [{name: a, kind: strain, of: ball}]", "\"ball\" does not deform"},
        TimeMistake{"sensors: [{name: a, kind: strain}]", "needs the key \"of\""},
        TimeMistake{"animate: [{what: lamp.brightness, keys: [[0, 1]]}]", "no lamp is called \"lamp\""},
        TimeMistake{"animate: [{what: far.from.x, keys: [[0, 1]]}]", "no camera is called \"far\""},
        TimeMistake{"animate: [{what: sun.brightness, keys: [[0, -1]]}]", "it must be at least 0"},
        TimeMistake{"events: [{at: 1, do: [{set: {what: sun.brightness, to: 2}}]}]", "are led along keys"},
        TimeMistake{"expect: [{that: x > 1}]", "\"x\" is not defined"}));

TEST(SceneTime, PoolsHaveRulesOfTheirOwn) {
    const auto told = [](const std::string& entry) -> std::string {
        try {
            scene::parseScene("rigid:\n  - " + entry + "\n", "pool.yaml", anyModel());
        } catch (const Error& problem) {
            return problem.what();
        }
        return "nothing";
    };
    EXPECT_THAT(told("{shape: sphere, mass: 1, spawn: {most: 3}}"), HasSubstr("need a name"));
    EXPECT_THAT(told("{name: a, shape: sphere, spawn: {most: 3}}"), HasSubstr("move freely"));
    EXPECT_THAT(told("{name: a, shape: sphere, mass: 1, position: [0, 0, 1], spawn: {most: 3}}"),
                HasSubstr("\"position\" means nothing"));
    EXPECT_THAT(told("{name: a, shape: sphere, mass: 1, spawn: {least: 3}}"), HasSubstr("unknown key"));
}

}  // namespace
}  // namespace pliant::test
