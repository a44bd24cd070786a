// SPDX-License-Identifier: Zlib
// A hand at a rate of its own beside a slow world, which here is a wall: a mass on a spring, one number of freedom.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

#include "pliant/hand/HandThread.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double kContactStiffness = 2e4;  // N/m, of the wall's surface
constexpr double kWorldStep = 1.0 / 60.0;  // s

/// A wall that fills the space below z = place, and goes on with its velocity.
class Wall : public HandSurroundings {
public:
    double place = 0.0, velocity = 0.0;  // m, m/s
    bool pulls = false;                  // whether the tool sticks to it
    double given = 0.0;                  // N s

    WrenchAndSlope touch(const ToolPose& pose, double ahead) override {
        const double depth = place + ahead * velocity - pose.position.z();
        WrenchAndSlope contact;
        m_force = depth > 0.0 || pulls ? kContactStiffness * depth : 0.0;
        contact.wrench.force.z() = m_force;
        if (depth > 0.0 || pulls) contact.slope(2, 2) = -kContactStiffness;
        return contact;
    }
    void keep(double dt) override { m_owed -= dt * m_force; }
    void handOver() override {
        given = m_owed;
        m_owed = 0.0;
    }

private:
    double m_force = 0.0, m_owed = 0.0;
};

struct WallWorld {
    double mass = 1.0, spring = 0.0, damping = 0.0;  // kg, N/m, N s/m
    double place = 0.0, velocity = 0.0, force = 0.0, passed = 0.0;
    bool pulls = false;

    void collect(HandThread& hand) {
        double impulse = 0.0;
        const double covered =
            hand.collect([&impulse](HandSurroundings& owed) { impulse += static_cast<Wall&>(owed).given; });
        if (covered > 0.0) force = impulse / covered;
        passed += impulse;
    }
    void move() {
        velocity = (velocity + kWorldStep / mass * (force - spring * place)) / (1.0 + kWorldStep * damping / mass);
        place += kWorldStep * velocity;
    }
    void publish(HandThread& hand) const {
        std::unique_ptr<HandSurroundings> next = hand.takeSpare();
        if (!next) next = std::make_unique<Wall>();
        auto& wall = static_cast<Wall&>(*next);
        wall.place = place;
        wall.velocity = velocity;
        wall.pulls = pulls;
        wall.handOver();
        hand.publish(std::move(next), kWorldStep);
    }
};

/// A device that has gone down by `depth` after `time`, and stays.
class Plunge : public HandDevice {
public:
    Plunge(double depth, double time) : m_depth(depth), m_time(time) {}
    bool read(double time, ToolPose& pose) override {
        pose = ToolPose();
        pose.position.z() = -m_depth * std::min(1.0, time / m_time);
        return true;
    }
    void write(double, const Wrench&) override {}

private:
    double m_depth, m_time;
};

/// In step with the world, n cycles in each of its steps.
void stepTogether(HandThread& hand, WallWorld& world, int steps) {
    double due = 0.0;
    for (int i = 0; i < steps; ++i) {
        world.publish(hand);
        due += kWorldStep * hand.rate();
        const double whole = std::floor(due + 1e-6);
        due -= whole;
        hand.run(static_cast<int>(whole));
        world.collect(hand);
        world.move();
    }
}

// Coupling, surface and the wall's own spring lie behind each other.
TEST(HandThread, FeelsAtRestWhatTheSpringsBehindEachOtherSay) {
    HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.01, 0.2));
    WallWorld world;
    world.spring = 5e3;
    world.damping = 60.0;
    stepTogether(hand, world, 300);
    const double compliance = 1.0 / HandSettings().coupling.stiffness + 1.0 / kContactStiffness + 1.0 / world.spring;
    const double force = 0.01 / compliance;
    const HandReport report = hand.report();
    EXPECT_NEAR(report.felt.force.z(), force, 1e-6 * force);
    EXPECT_NEAR(report.contact.force.z(), force, 1e-6 * force);
    EXPECT_NEAR(world.place, -force / world.spring, 1e-8);
    EXPECT_EQ(report.cycles, 5000u) << "of 5 s";
}

TEST(HandThread, PassesTheMomentumWhole) {
    HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.02, 0.1));
    WallWorld world;
    stepTogether(hand, world, 60);
    const double passed = -hand.report().passed.z();
    EXPECT_LT(passed, -0.1) << "N s";
    EXPECT_NEAR(world.passed, passed, 1e-12);
    // The mean force acts for a step: 16 or 17 cycles are taken for 16 2/3, so that no step is off by more than the
    // share of a cycle, and sixty of them by none.
    EXPECT_NEAR(world.mass * world.velocity, passed, 0.04 * std::abs(passed));
}

// What the tool sticks to, with the device still, swings by k of coupling and surface behind each other. Published
// velocities make of one step the matrix (1 - a, h (1 - a/2); -a/h, 1 - a/2) of place and velocity, a = h^2 k / m, of
// the determinant 1 - a/2: it dies out for a < 2 and grows beyond.
/// @param share of the time of a step that the world takes to make it, while the hand goes on with what was before
double swingAfter(double a, int steps, double share = 0.0) {
    constexpr int cycles = 64;  // in a step
    HandSettings settings;
    settings.limits.speed = 1e3;
    HandThread hand(settings, ToolPose(), std::make_shared<Plunge>(0.0, 1.0), 60.0 * cycles);
    WallWorld world;
    world.pulls = true;
    const double k = 1.0 / (1.0 / settings.coupling.stiffness + 1.0 / kContactStiffness);
    world.mass = kWorldStep * kWorldStep * k / a;
    world.place = 1e-4;
    const int busy = static_cast<int>(share * cycles);
    for (int i = 0; i < steps; ++i) {
        world.publish(hand);
        hand.run(cycles - busy);
        world.collect(hand);
        world.move();
        hand.run(busy);
    }
    return std::hypot(world.place, kWorldStep * world.velocity) / 1e-4;
}

TEST(HandThread, IsStableUpToTheBoundOfStepStiffnessAndMass) {
    for (const double a : {0.01, 0.1, 0.5, 1.0, 1.9}) EXPECT_LT(swingAfter(a, 600), 0.3) << a;
    EXPECT_GT(swingAfter(2.2, 600), 10.0) << "the bound is one";
}

// Bodies would be fed with energy from any mass on, were the time ahead counted from when the surroundings come.
TEST(HandThread, IsStableWhileTheWorldTakesAPartOfItsStep) {
    for (const double share : {0.25, 0.5, 0.75, 0.98})
        for (const double a : {0.02, 0.1, 0.2}) EXPECT_LT(swingAfter(a, 600, share), 0.1) << share << ", " << a;
    EXPECT_LT(swingAfter(0.9, 600, 0.25), 0.1);
    EXPECT_LT(swingAfter(0.4, 600, 0.5), 0.1);
}

TEST(HandThread, GoesTheSameWayInStepWithTheWorld) {
    double place[2];
    for (double& last : place) {
        HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.02, 0.1));
        WallWorld world;
        stepTogether(hand, world, 200);
        last = world.place;
    }
    EXPECT_EQ(place[0], place[1]);
}

// With surroundings that stay the tool sees them go on for two steps, and no farther.
TEST(HandThread, SeesNothingGoOnForMoreThanTwoSteps) {
    HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.0, 1.0));
    WallWorld world;
    world.velocity = 0.3;
    world.publish(hand);
    hand.run(2000);
    const double place = 0.3 * 2.0 * kWorldStep, k = HandSettings().coupling.stiffness;
    const double series = 1.0 / (1.0 / k + 1.0 / kContactStiffness);
    EXPECT_NEAR(hand.report().contact.force.z(), series * place, 1e-6);
}

/// A wall that in some cycles says that it does what is no number to the tool.
class SpoiledWall : public Wall {
public:
    bool isSpoiled = false;
    Wrench settle(const ToolPose& pose, double ahead) override {
        Wrench touched = touch(pose, ahead).wrench;
        if (isSpoiled) touched.torque.x() = std::nan("");
        return touched;
    }
};

// What is no number is neither passed to the tool nor owed to the wall; all other cycles are, on both sides the same.
TEST(HandThread, LeavesOutCyclesThatTouchWhatIsNoNumber) {
    HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.01, 0.1));
    auto surroundings = std::make_unique<SpoiledWall>();
    SpoiledWall& wall = *surroundings;
    hand.publish(std::move(surroundings), kWorldStep);
    hand.run(150);
    wall.isSpoiled = true;
    const Vector3 before = hand.report().passed;
    hand.run(25);
    EXPECT_EQ(hand.report().passed, before);
    EXPECT_TRUE(std::isnan(hand.report().contact.torque.x())) << "as it was found";
    wall.isSpoiled = false;
    hand.run(25);
    const HandReport report = hand.report();
    EXPECT_LT(before.z(), report.passed.z() - 0.1) << "N s";
    EXPECT_TRUE(report.contact.vector().allFinite());
    EXPECT_TRUE(report.tool.position.allFinite());
    const double covered = hand.collect([](HandSurroundings&) {});
    EXPECT_NEAR(covered, 0.2, 1e-12) << "s: time goes on";
    EXPECT_NEAR(wall.given, -report.passed.z(), 1e-12);
}

/// A device that is for a while as far away as numbers go.
class FarDevice : public HandDevice {
public:
    bool read(double time, ToolPose& pose) override {
        pose = ToolPose();
        if (time > 0.05 && time < 0.06) pose.position.z() = 1e300;
        return true;
    }
    void write(double, const Wrench&) override {}
};

// The work of a way for which there is no number is left out, so that the sum stays one: a ledger goes by it.
TEST(HandThread, LeavesOutWorkThatIsNoNumber) {
    HandSettings settings;
    settings.limits.speed = settings.coupling.maxForce = std::numeric_limits<double>::infinity();
    HandThread hand(settings, ToolPose(), std::make_shared<FarDevice>());
    WallWorld world;
    world.pulls = true;
    world.publish(hand);
    hand.run(55);
    EXPECT_GT(hand.report().followed.position.z(), 1e299);
    hand.run(200);
    EXPECT_TRUE(std::isfinite(hand.report().work)) << hand.report().work;
}

TEST(HandThread, RefusesARateThatIsNone) {
    for (const double rate : {0.0, -1.0, 0.5, 2e5, std::nan("")})
        EXPECT_THROW(HandThread(HandSettings(), ToolPose(), nullptr, rate), Error);
}

// Of a world whose step takes 30 ms. The thread has a processor to itself or shares it: half of the steps have to see
// most of their thirty cycles, and no lock may hold them back to none.
TEST(HandThread, GoesOnWhileAStepOfTheWorldTakesThirtyMilliseconds) {
    HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.01, 0.2));
    WallWorld world;
    world.spring = 5e3;
    world.damping = 60.0;
    world.publish(hand);
    hand.start();
    std::vector<std::uint64_t> during;
    for (int i = 0; i < 30; ++i) {
        world.collect(hand);
        const std::uint64_t before = hand.report().cycles;
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        during.push_back(hand.report().cycles - before);
        world.move();
        world.publish(hand);
    }
    hand.stop();
    std::sort(during.begin(), during.end());
    EXPECT_GE(during[during.size() / 2], 25u);
    EXPECT_GT(hand.report().contact.force.z(), 3.0) << "N: it presses";
    EXPECT_LT(hand.report().longestCycle, 1.0);
}

// Collected as fast as that goes, beside the thread: nothing is owed twice, and nothing is lost.
TEST(HandThread, HandsOverEveryCycleOnce) {
    HandThread hand(HandSettings(), ToolPose(), std::make_shared<Plunge>(0.02, 0.05), 5000.0);
    WallWorld world;
    world.spring = 5e3;
    world.damping = 60.0;
    world.publish(hand);
    hand.start();
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(400);
    while (std::chrono::steady_clock::now() < end) {
        world.collect(hand);
        std::this_thread::sleep_for(std::chrono::microseconds(700));  // a step, with cycles that are collected later
        world.move();
        world.publish(hand);
        std::this_thread::sleep_for(std::chrono::microseconds(300));
    }
    hand.stop();
    world.collect(hand);
    const double passed = -hand.report().passed.z();
    EXPECT_LT(passed, 0.0);
    EXPECT_NEAR(world.passed, passed, 1e-9 * std::abs(passed));
}

}  // namespace
}  // namespace pliant::test
