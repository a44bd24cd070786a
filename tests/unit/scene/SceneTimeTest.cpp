// SPDX-License-Identifier: Zlib
// What a scene says about time, against what has to happen: sensors, events, records, expectations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "SceneInWorld.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr double kStep = 1.0 / 120.0;
constexpr double kGravity = 9.81;

const std::string kBall = "rigid:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n";
const std::string kBar = std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR + "/solids/jelly.obj}}\n";
const std::string kWeightless = "gravity: [0, 0, 0]\n";

using TimedScene = SceneInWorld;

TEST(SceneTime, APushGivesImpulseOverMass) {
    TimedScene timed(kWeightless + kBall + "events: [{at: 0.5, do: [{push: {of: ball, impulse: [3, 0, = t]}}]}]\n");
    timed.step(0.5 - kStep);
    EXPECT_EQ(timed.velocity().norm(), 0.0) << "not before its time";
    timed.step(2 * kStep);
    EXPECT_NEAR(timed.velocity().x(), 1.5, 1e-6);
    EXPECT_NEAR(timed.velocity().z(), 0.25, 1e-6) << "t is that of the event";
    timed.step(1);
    EXPECT_NEAR(timed.velocity().x(), 1.5, 1e-6) << "once";
}

TEST(SceneTime, APushAtAPointBendsAReducedBody) {
    TimedScene timed(kWeightless + kBar +
                     "bodies: [{name: bar, model: bar}]\n"
                     "events: [{at: 0.1, do: [{push: {of: bar, impulse: [0, 0, 0.5], point: [0, 0, 0]}}]}]\n");
    timed.step(0.1 + kStep);
    const btPliantBody& body = timed.soft(0);
    EXPECT_NEAR(static_cast<double>(body.getLinearMomentum().z()), 0.5, 1e-4);
    EXPECT_GT(body.getReducedVelocities().norm(), 0.0);
}

TEST(SceneTime, ARegionCountsAFreeFall) {
    TimedScene timed(kBall + "sensors: [{name: low, kind: region, box: {from: [-1, -1, 0], to: [1, 1, 0.5]}}]\n");
    for (int k = 1; k <= 60; ++k) {
        timed.step(kStep);
        const double z = 1.0 - 0.5 * kGravity * kStep * kStep * k * (k + 1);  // as Bullet integrates
        ASSERT_EQ(timed.number("low.count"), z >= 0.0 && z <= 0.5 ? 1.0 : 0.0) << "step " << k;
        ASSERT_EQ(timed.number("low.mass"), 2.0 * timed.number("low.count"));
    }
}

TEST(SceneTime, ABodyAtRestPressesWithItsWeight) {
    TimedScene timed(kBar +
                     "ground: {}\nrigid: [{name: box, shape: box, size: [0.4, 0.4, 0.4], mass: 2, position: [3, 0, "
                     "0.2]}]\nbodies: [{name: bar, model: bar, position: [0, 0, 0.2], sleep: false}]\nsensors:\n"
                     "  - {name: under_box, kind: contact, between: [box, ground]}\n"
                     "  - {name: under_bar, kind: contact, between: [bar]}\n"
                     "  - {name: none, kind: contact, between: [box, bar]}\n");
    timed.step(1.5);
    EXPECT_NEAR(timed.number("under_box.impulse"), 2 * kGravity * kStep, 0.01 * 2 * kGravity * kStep);
    EXPECT_GE(timed.number("under_box.count"), 3);
    timed.step(2.5);
    const double weight = timed.soft(0).getModel().totalMass() * kGravity;
    EXPECT_NEAR(timed.number("under_bar.impulse"), weight * kStep, 0.05 * weight * kStep);
    EXPECT_EQ(timed.number("none.count"), 0.0);
    EXPECT_EQ(timed.number("none.impulse"), 0.0);
}

// Its weight as a force, friction on a slope, and a file of it over time.
TEST(SceneTime, ContactsTellTheirForces) {
    const std::string slope = "gravity: [4, 0, -9]\n";
    TimedScene timed(slope + kBar +
                     "rigid: [{name: slab, shape: box, size: [4, 4, 0.2], position: [0, 0, -0.1], friction: "
                     "1}]\nbodies: [{name: bar, model: bar, position: [0, 0, 0.2], rotation: [0, 0, 0], "
                     "friction: 1, sleep: false}]\nsensors:\n"
                     "  - {name: under, kind: contact, between: [bar, slab], filter: 0.2}\n"
                     "  - {name: over, kind: contact, between: [slab, bar]}\n"
                     "  - {name: end, kind: contact, between: [bar], box: {from: [0.3, -9, -9], to: [9, 9, 9]}}\n"
                     "  - {name: skin, kind: contact, between: [bar], material: default}\n");
    timed.step(4);
    const double mass = timed.soft(0).getModel().totalMass();
    EXPECT_NEAR(timed.number("under.filtered.z"), 9 * mass, 1e-2 * 9 * mass);
    EXPECT_NEAR(timed.number("under.filtered.x"), -4 * mass, 1e-2 * 9 * mass);
    EXPECT_NEAR(timed.number("under.friction.x"), -4 * mass, 5e-2 * 9 * mass);
    EXPECT_NEAR(timed.number("under.impulse"), timed.number("under.force.z") * kStep, 1e-5 * mass);
    for (const char* axis : {"x", "y", "z"})
        EXPECT_EQ(timed.number(std::string("under.force.") + axis), -timed.number(std::string("over.force.") + axis));
    EXPECT_EQ(timed.number("skin.force.z"), timed.number("under.force.z")) << "it has one material";
    EXPECT_GT(timed.number("end.filtered.z"), 0.1 * mass);
    EXPECT_LT(timed.number("end.filtered.z"), 0.9 * timed.number("under.filtered.z"));
}

TEST(SceneTime, SensorsNameRegionsThatThereAre) {
    const auto told = [](const std::string& rest) -> std::string {
        try {
            TimedScene timed(kBar +
                             "ground: {}\nbodies: [{name: bar, model: bar}]\nsensors: [{name: a, kind: contact, " +
                             rest + "}]\n");
        } catch (const Error& problem) {
            return problem.what();
        }
        return "";
    };
    EXPECT_THAT(told("between: [bar], material: wood"),
                HasSubstr("timed.yaml:5:11: the model \"bar\" has no material \"wood\"; it has \"default\""));
    EXPECT_THAT(told("between: [bar], box: {from: [5, 5, 5], to: [6, 6, 6]}"), HasSubstr("lies in the region"));
    EXPECT_THAT(told("between: [ground, bar], material: wood"), HasSubstr("\"ground\" is no reduced body"));
    EXPECT_EQ(told("between: [bar], material: default"), "");
}

TEST(SceneTime, PointsFall) {
    TimedScene timed(kBall + "sensors: [{name: tip, kind: point, of: ball, point: [0.1, 0, 0]}]\n");
    timed.step(0.5);
    EXPECT_NEAR(timed.number("tip.position.x"), 0.1, 1e-6);
    EXPECT_NEAR(timed.number("tip.position.z"), 1.0 - 0.5 * kGravity * 0.5 * (0.5 + kStep), 1e-4);
    EXPECT_NEAR(timed.number("tip.velocity.z"), -kGravity * 0.5, 1e-4);
    EXPECT_NEAR(timed.number("tip.speed"), kGravity * 0.5, 1e-4);
}

TEST(SceneTime, EnergyIsKineticAndPotential) {
    TimedScene timed("ground: {height: 0.5}\n" + kBall + "sensors: [{name: energy, kind: energy}]\n");
    timed.step(0.2);
    const double speed = kGravity * 0.2, fall = 0.5 * kGravity * 0.2 * (0.2 + kStep);
    EXPECT_NEAR(timed.number("energy.kinetic"), speed * speed, 1e-3);
    EXPECT_NEAR(timed.number("energy.potential"), 2 * kGravity * (0.5 - fall), 1e-3) << "zero at the ground";
    EXPECT_NEAR(timed.number("energy.total"), timed.number("energy.kinetic") + timed.number("energy.potential"), 1e-9);
    EXPECT_LT(std::abs(timed.number("energy.growth")), 0.05);
}

TEST(SceneTime, EveryHasItsFirstAndItsLast) {
    TimedScene timed(kWeightless + kBall +
                     "events: [{every: 0.25, from: 1, until: 2, do: [{push: {of: ball, impulse: [2, 0, = 2*n]}}]}]\n");
    timed.step(3);
    EXPECT_NEAR(timed.velocity().x(), 5.0, 1e-5) << "at 1, 1.25, 1.5, 1.75 and 2 s";
    EXPECT_NEAR(timed.velocity().z(), 0 + 1 + 2 + 3 + 4, 1e-5) << "n counts";
}

TEST(SceneTime, WhenWaitsForTruthToLast) {
    const std::string push = "do: [{push: {of: ball, impulse: [2, 0, 0]}}]}\n";
    TimedScene timed(kWeightless + kBall + "events:\n  - {when: t - floor(t) > 0.5, " + push);
    timed.step(3);
    EXPECT_NEAR(timed.velocity().x(), 3.0, 1e-5) << "each time that it becomes true";
    TimedScene once(kWeightless + kBall + "events:\n  - {when: = t - floor(t) > 0.5, once: true, " + push);
    once.step(3);
    EXPECT_NEAR(once.velocity(0).x(), 1.0, 1e-5);
    TimedScene lasting(kWeightless + kBall + "events:\n  - {when: t > 1, for: 0.5, " + push);
    lasting.step(1.45);
    EXPECT_EQ(lasting.velocity(0).x(), 0.0);
    lasting.step(0.1);
    EXPECT_NEAR(lasting.velocity(0).x(), 1.0, 1e-5);
    TimedScene never(kWeightless + kBall + "events:\n  - {when: t - floor(t) > 0.5, for: 0.6, " + push);
    never.step(3);
    EXPECT_EQ(never.velocity(0).x(), 0.0);
}

TEST(SceneTime, WhatComesInInsideAnotherIsToldOnceForEachAction) {
    const auto told = [](const std::string& place) {
        TimedScene timed(kBar +
                         "bodies: [{name: rods, model: bar, spawn: {most: 5}}]\n"
                         "rigid: [{name: box, shape: box, size: [1, 1, 1], position: [0, 0, 0.5]}]\nevents:\n"
                         "  - {every: 0.2, from: 0.1, until: 0.6, do: [{spawn: {of: rods, position: " +
                         place + "}}]}\n");
        timed.step(1.0);
        return timed.scene().getWarnings();
    };
    EXPECT_THAT(told("[0, = 4*n, 2]"), IsEmpty());
    const std::vector<std::string> inside = told("[0, = 4*n, 0.9]");
    ASSERT_THAT(inside, SizeIs(1));
    EXPECT_THAT(inside[0], HasSubstr("timed.yaml:6:"));
    EXPECT_THAT(inside[0], HasSubstr("s \"rods[0]\" comes in 0."));
    EXPECT_THAT(inside[0], HasSubstr(" m inside \"box\"; bring bodies in farther apart"));
}

TEST(SceneTime, PoolsWaitComeAndGo) {
    TimedScene timed(
        "ground: {}\nrigid: [{name: balls, shape: sphere, radius: 0.1, mass: 1, spawn: {most: 3}}]\n"
        "sensors: [{name: low, kind: region, box: {from: [-9, -9, -1], to: [9, 9, 0.5]}}]\n"
        "events:\n"
        "  - {every: 0.5, from: 0.5, until: 2, do: [{spawn: {of: balls, position: [= n, 0, 2], velocity: [0, 1, "
        "0]}}]}\n"
        "  - {at: 3, do: [{remove: low.bodies}]}\n  - {at: 4, do: [{spawn: {of: balls, count: 2, position: [0, 0, 2], "
        "jitter: {position: 0.5, seed: 3}}}]}\n");
    const int objects = timed.world().getNumCollisionObjects();
    timed.step(0.45);
    EXPECT_EQ(timed.presentBodies(), 0);
    const Vector3 waiting = fromBullet(timed.rigid(0).getCenterOfMassPosition());
    EXPECT_NEAR(waiting.z(), 0.0, 1e-6) << "no potential energy";
    timed.step(0.05 + 10 * kStep);
    EXPECT_EQ(timed.presentBodies(), 1);
    EXPECT_NEAR(timed.velocity().z(), -kGravity * 10 * kStep, 1e-4) << "it falls from when it came";
    EXPECT_NEAR(timed.velocity().y(), 1.0, 1e-5);
    timed.step(1.9);
    EXPECT_EQ(timed.presentBodies(), 3) << "the fourth finds the pool empty";
    EXPECT_EQ(timed.number("low.count"), 3.0);
    timed.step(0.7);
    EXPECT_EQ(timed.presentBodies(), 0);
    timed.step(0.9 - 10 * kStep);
    EXPECT_EQ(timed.presentBodies(), 2) << "at this moment, before contacts could part them";
    EXPECT_GT((timed.rigid(0).getCenterOfMassPosition() - timed.rigid(1).getCenterOfMassPosition()).length(), 0.01)
        << "each has a chance of its own";
    EXPECT_EQ(timed.world().getNumCollisionObjects(), objects) << "a world makes nothing new";
}

TEST(SceneTime, SetAndAnimateMoveWhatTheyName) {
    TimedScene timed(
        kBall +
        "  - {name: wall, shape: box, size: [1, 0.1, 1], kinematic: true, position: [5, 0, 1], rotation: [0, 0, 90]}\n"
        "events:\n  - {at: 0.5, do: [{set: {what: gravity.z, to: 0}}, {set: {what: ball.friction, to: 0.9}}]}\n"
        "  - {at: 1, do: [{animate: {what: wall.position.z, to: -1, in: 2}}]}\n"
        "  - {at: 4, do: [{set: {what: wall.rotation.z, to: 0}}]}\n");
    timed.step(2);
    EXPECT_NEAR(timed.velocity().z(), -kGravity * 0.5, 1e-3) << "gravity is off";
    EXPECT_NEAR(static_cast<double>(timed.rigid(0).getFriction()), 0.9, 1e-6);
    const btTransform wall = timed.rigid(1).getWorldTransform();
    EXPECT_NEAR(static_cast<double>(wall.getOrigin().z()), 0.0, 1e-5) << "half of the way";
    EXPECT_NEAR(static_cast<double>(timed.rigid(1).getLinearVelocity().z()), -1.0, 1e-3) << "contacts feel its speed";
    timed.step(1.5);
    EXPECT_NEAR(static_cast<double>(timed.rigid(1).getWorldTransform().getOrigin().z()), -1.0, 1e-5);
    EXPECT_NEAR(static_cast<double>(timed.rigid(1).getWorldTransform().getBasis()[0][1]), -1.0, 1e-5);
    timed.step(1);
    EXPECT_NEAR(static_cast<double>(timed.rigid(1).getWorldTransform().getBasis()[0][1]), 0.0, 1e-5);
}

TEST(SceneTime, JointsPartAndJoin) {
    TimedScene timed(kBall +
                     "joints: [{name: hook, kind: point, between: [ball], at: [0, 0, 1.5]}]\n"
                     "sensors: [{name: load, kind: joint, of: hook}]\n"
                     "events: [{at: 1, do: [{part: hook}]}]\n");
    timed.step(0.9);
    EXPECT_NEAR(timed.number("load.force"), 2 * kGravity, 0.02 * 2 * kGravity);
    EXPECT_NEAR(timed.number("load.impulse"), 2 * kGravity * kStep, 0.02 * 2 * kGravity * kStep);
    EXPECT_EQ(timed.number("load.broken"), 0.0);
    timed.step(0.6);
    EXPECT_EQ(timed.number("load.broken"), 1.0);
    EXPECT_NEAR(timed.velocity().z(), -kGravity * 0.5, 0.1);
}

TEST(SceneTime, MotorsAreSet) {
    TimedScene timed(
        kWeightless + kBall +
        "joints: [{name: axle, kind: hinge, between: [ball], at: [0, 0, 1], motor: {velocity: 0, strength: "
        "50}}]\nevents: [{at: 0.5, do: [{set: {what: axle.motor.velocity, to: = 1 + 1}}]}]\n");
    timed.step(1.5);
    EXPECT_NEAR(std::abs(static_cast<double>(timed.rigid(0).getAngularVelocity().z())), 2.0, 0.02);
}

TEST(SceneTime, SaysAndStops) {
    TimedScene timed(kBall + "events: [{at: 0.25, do: [{say: \"{2*t} s, {n}.\"}]}, {at: 0.5, do: [stop]}]\n");
    std::string said;
    timed.scene().setSayCallback([&](double, const std::string& text) { said += text; });
    timed.step(0.4);
    EXPECT_EQ(said, "0.5 s, 0.");
    EXPECT_FALSE(timed.scene().isStopped());
    timed.step(0.2);
    EXPECT_TRUE(timed.scene().isStopped());
}

TEST(SceneTime, RecordsHaveALineForEachTime) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_records";
    std::filesystem::remove_all(folder);
    TimedScene timed(kWeightless + kBall +
                     "sensors:\n  - {name: tip, kind: point, of: ball}\n"
                     "  - {name: all, kind: region, box: {from: [-9, -9, -9], to: [9, 9, 9]}}\n"
                     "record:\n  - {file: tip.csv, every: 0.25, of: [tip.position, all.count]}\n"
                     "  - {file: tip.jsonl, of: [tip.position, all.mass]}\n");
    timed.scene().setRecordFolder(folder.string());
    timed.step(0.5);
    timed.scene().finish();
    std::ifstream table(folder / "tip.csv"), lines(folder / "tip.jsonl");
    std::stringstream tableText, lineText;
    tableText << table.rdbuf();
    lineText << lines.rdbuf();
    const std::string text = tableText.str(), json = lineText.str();
    EXPECT_THAT(text, HasSubstr("t [s],tip.position.x [m],tip.position.y [m],tip.position.z [m],all.count [1]\n"
                                "0,0,0,1,1\n"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 3) << "at 0, 0.25 and 0.5 s";
    EXPECT_THAT(json, HasSubstr("{\"t\":0,\"tip.position\":[0,0,1],\"all.mass\":2}\n"));
    EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), 61);
    EXPECT_THAT(timed.scene().getWarnings(), SizeIs(0));
}

TEST(SceneTime, ARecordThatCannotBeWrittenIsAWarning) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_no_folder";
    std::filesystem::remove_all(folder);
    std::ofstream(folder) << "a file";
    TimedScene timed(kBall + "sensors: [{name: tip, kind: point, of: ball}]\nrecord: [{file: a.csv, of: tip.speed}]\n");
    timed.scene().setRecordFolder(folder.string());
    timed.step(0.1);
    ASSERT_THAT(timed.scene().getWarnings(), SizeIs(1));
    EXPECT_THAT(timed.scene().getWarnings()[0], HasSubstr("the run went on without this record"));
    std::filesystem::remove(folder);
}

TEST(SceneTime, WhatIsExpectedAndFalseIsTold) {
    TimedScene timed(kBall +
                     "sensors: [{name: tip, kind: point, of: ball}]\n"
                     "expect:\n  - {at: 0.5, that: tip.velocity.z < 0}\n  - {at: 0.5, that: tip.velocity.z > 0}\n"
                     "  - {that: tip.position.z > 100}\n  - {at: end, that: tip.position.z < 1}\n");
    timed.step(1);
    timed.scene().finish();
    const std::vector<std::string>& failures = timed.scene().getFailures();
    ASSERT_THAT(failures, SizeIs(2));
    EXPECT_THAT(failures[0],
                HasSubstr("timed.yaml:7:5: expect at 0.5 s: tip.velocity.z > 0 is false: tip.velocity.z is "
                          "-4.9"));
    EXPECT_THAT(failures[1], HasSubstr("expect at the end: tip.position.z > 100 is false"));
}

TEST(SceneTime, AnyNumberOfWorkersMakesTheSameBits) {
    const std::string text =
        kBar +
        "ground: {}\nbodies:\n  - {name: first, model: bar, position: [0, 0, 0.4], jitter: {rotation: 20}}\n"
        "  - {name: later, model: bar, spawn: {most: 4}}\n"
        "rigid: [{name: wall, shape: box, size: [0.1, 2, 1], kinematic: true, position: [-2, 0, 0.5]}]\n"
        "sensors:\n  - {name: low, kind: region, box: {from: [-9, -9, -9], to: [9, 9, 0.15]}}\n"
        "  - {name: hits, kind: contact, between: [first]}\n"
        "events:\n  - {every: 0.2, from: 0.2, until: 1, do: [{spawn: {of: later, position: [0, 0, 0.8], jitter: "
        "{position: 0.2, rotation: 90, seed: = n}}}]}\n"
        "  - {at: 0.5, do: [{animate: {what: wall.position.x, to: 0, in: 1}}]}\n"
        "  - {when: low.count > 1, do: [{push: {of: first, impulse: [0, 0, = hits.count*0.1 + 1]}}]}\n";
    std::vector<std::vector<double>> states;
    for (const int threads : {1, 2, 5}) {
        TimedScene timed(text, 120, threads);
        timed.step(1.6);
        states.push_back(timed.state());
        EXPECT_EQ(timed.presentBodies(), 1 + 5);
    }
    EXPECT_EQ(states[0], states[1]);
    EXPECT_EQ(states[0], states[2]);
}

TEST(SceneAnimation, LeadsNumbersAlongKeys) {
    TimedScene timed(
        "rigid:\n  - {name: lift, shape: box, kinematic: true, position: [0, 0, 5]}\n"
        "  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [9, 0, 9]}\n"
        "animate:\n  - {what: lift.position.z, keys: [[0.5, 1], [1.5, 3]]}\n"
        "  - {what: lift.position.x, keys: [[0, 0], [1, 4]], between: smooth}\n"
        "  - {what: lift.rotation.z, keys: [[0, 0], [1, 360]], repeat: true}\n"
        "  - {what: gravity.z, keys: [[0, 0], [1, -10]], between: steps}\n");
    timed.step(0.25);
    EXPECT_NEAR(timed.place().z(), 1.0, 1e-5) << "before the first key its value";
    EXPECT_NEAR(timed.place().x(), 4 * 0.25 * 0.25 * (3 - 0.5), 1e-5);
    EXPECT_NEAR(static_cast<double>(timed.rigid(0).getWorldTransform().getBasis()[0][0]), 0.0, 1e-4) << "90 degrees";
    timed.step(0.75);
    EXPECT_NEAR(timed.place().z(), 2.0, 1e-5);
    EXPECT_EQ(timed.velocity(1).z(), 0.0) << "gravity waits for its key";
    timed.step(1.25);
    EXPECT_NEAR(timed.place().z(), 3.0, 1e-5) << "after the last key its value";
    EXPECT_NEAR(static_cast<double>(timed.rigid(0).getWorldTransform().getBasis()[0][0]), 0.0, 1e-4) << "again";
    EXPECT_NEAR(timed.velocity(1).z(), -12.5, 0.1);
}

TEST(SceneAnimation, EventsCutToCameras) {
    TimedScene timed(kBall +
                     "cameras: {a: {from: [0, 0, 1], to: [0, 0, 0]}, b: {from: [0, 0, 2], to: [0, 0, 0]}}\n"
                     "events: [{at: 0.5, do: [{cut: b}]}]\n");
    timed.step(0.4);
    EXPECT_EQ(timed.scene().getPoses().camera, -1);
    timed.step(0.2);
    EXPECT_EQ(timed.scene().getPoses().camera, 1);
    EXPECT_NEAR(timed.scene().getPoses().cutTime, 0.5, kStep);
}

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
        TimeMistake{"record: [{file: a.txt, of: [a.b]}]", "neither .csv nor .jsonl"},
        TimeMistake{"record: [{file: ../a.csv, of: [a.b]}]", "into the output folder"},
        TimeMistake{"record: [{file: a.csv, of: [a.cuont]}]", "no quantity of a sensor"},
        TimeMistake{"expect: [{at: 99, that: t > 1}]", "it must be at most"},
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
