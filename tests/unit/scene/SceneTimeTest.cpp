// SPDX-License-Identifier: Zlib
// What a scene does in time, against what has to happen: events, pools, joints and animations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "TimedScene.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

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

// A scene without events, whose file changes while it runs (pliant run --watch).
TEST(SceneTime, LiveNumbersAreSetFromOutside) {
    TimedScene timed(kBall);
    timed.step(0.5);
    scene::LivePath gravity, friction, place;
    gravity.axis = 2;
    friction.kind = scene::LivePath::Kind::Friction;
    place.kind = scene::LivePath::Kind::Position;
    friction.of.name = place.of.name = "ball";
    timed.scene().setLive(gravity, 0.0);
    timed.scene().setLive(friction, 0.25);
    EXPECT_THROW(timed.scene().setLive(place, 1.0), Error);
    timed.step(1);
    EXPECT_NEAR(timed.velocity().z(), -kGravity * 0.5, 1e-3) << "gravity is off";
    EXPECT_NEAR(static_cast<double>(timed.rigid(0).getFriction()), 0.25, 1e-6);
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

// Two that want the same point elsewhere: the first has it, the other is as far off as they disagree.
TEST(SceneTime, PointsAreHeldLedAndGivenUp) {
    TimedScene timed(
        kWeightless + kBar +
        "bodies: [{name: bar, model: bar}]\n"
        "joints:\n  - {name: hands, kind: points, between: [bar], points: [{point: [0.3, -0.2, 0.1], move: "
        "[\"= 0.1*t\", 0, 0]}, {point: [0.3, -0.2, 0.1]}]}\n"
        "sensors: [{name: grip, kind: joint, of: hands}, {name: corner, kind: point, of: bar, point: [0.3, -0.2, "
        "0.1]}]\n");
    timed.step(kStep);
    const double start = timed.number("corner.position.x") - 0.1 * kStep;
    timed.step(2 - kStep);
    EXPECT_NEAR(timed.number("corner.position.x"), start + 0.2, 1e-3);
    EXPECT_NEAR(timed.number("grip.gap"), 0.2, 1e-3);
    EXPECT_EQ(timed.number("grip.given_up"), 1.0);
    timed.scene().finish();
    EXPECT_THAT(timed.scene().getWarnings(), ElementsAre(HasSubstr("hands: point 1 (0.")));
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

TEST(SceneTime, MotorsOfSlidersAreToldInTheUnitOfTheFile) {
    const std::string slider =
        "units: {length: cm}\ngravity: [0, 0, 0]\n"
        "rigid: [{name: ball, shape: sphere, radius: 10, mass: 2, position: [0, 0, 100]}]\n"
        "joints: [{name: rail, kind: slider, between: [ball], at: [0, 0, 100], axis: [1, 0, 0], motor: {velocity: 10, "
        "strength: 1000}}]\n";
    TimedScene set(slider + "events: [{at: 0.5, do: [{set: {what: rail.motor.velocity, to: 50}}]}]\n");
    set.step(0.4);
    EXPECT_NEAR(set.velocity().x(), 0.1, 1e-3);
    set.step(0.4);
    EXPECT_NEAR(set.velocity().x(), 0.5, 5e-3);
    TimedScene led(slider + "animate: [{what: rail.motor.velocity, keys: [[0, 20], [0.5, 70]], between: steps}]\n");
    led.step(0.4);
    EXPECT_NEAR(led.velocity().x(), 0.2, 2e-3);
    led.step(0.4);
    EXPECT_NEAR(led.velocity().x(), 0.7, 7e-3);
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

}  // namespace
}  // namespace pliant::test
