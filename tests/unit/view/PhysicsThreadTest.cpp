// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

#include "pliant/view/PhysicsThread.h"

namespace pliant::test {
namespace {

constexpr int bodyCount = 60;

/// A world whose whole state is one number, which grows by a rate in every step and is in every body's pose.
class CountingWorld {
public:
    void step(std::vector<Poses>& poses) {
        poses.resize(1);
        poses[0].resize(bodyCount, 1);
        for (int i = 0; i < bodyCount; ++i) {
            poses[0].worldFromBody[static_cast<std::size_t>(i)].translation = Vector3::Constant(m_value);
            poses[0].q[static_cast<std::size_t>(i)] = m_value;
        }
        m_value += m_rate;
    }
    void obey(const PhysicsCommand& command) {
        if (command.kind == 1) m_rate = command.numbers[0];
    }

private:
    double m_value = 0.0, m_rate = 1.0;
};

PhysicsThreadSettings waiting() {
    PhysicsThreadSettings settings;
    settings.step = 0.1;
    settings.waits = true;
    return settings;
}

double shown(const std::vector<Poses>& poses) {
    return poses.empty() ? -1.0 : poses[0].q[0];
}

TEST(PhysicsThread, ShowsTheClockOneStepLate) {
    CountingWorld world;
    PhysicsThread physics(waiting(), [&](std::vector<Poses>& poses) { world.step(poses); });
    EXPECT_EQ(shown(physics.at(1000.0)), 0.0) << "the clock's start is the simulation's";
    for (const double clock : {0.04, 0.1, 0.125, 0.17, 0.2, 0.9, 0.95, 3.333}) {
        const double expected = std::max(0.0, clock - 0.1) / 0.1;  // a step adds one
        EXPECT_NEAR(shown(physics.at(1000.0 + clock)), expected, 1e-9) << clock;
        EXPECT_NEAR(physics.shownTime(), std::max(0.0, clock - 0.1), 1e-9);
    }
    EXPECT_EQ(physics.stepCount(), 34u);
    EXPECT_NEAR(shown(physics.at(900.0)), 32.33, 1e-9) << "clocks that go back are no reason to";
}

TEST(PhysicsThread, PausesAreCountedAndStepsSingle) {
    CountingWorld world;
    PhysicsThread physics(waiting(), [&](std::vector<Poses>& poses) { world.step(poses); });
    physics.at(0.0);
    physics.at(0.5);
    physics.stepOnce();  // nothing is paused
    physics.pause();
    physics.pause();
    EXPECT_NEAR(shown(physics.at(1.0)), 4.0, 1e-9);
    physics.resume();
    EXPECT_TRUE(physics.isPaused());
    EXPECT_NEAR(shown(physics.at(2.0)), 4.0, 1e-9);
    physics.stepOnce();
    physics.stepOnce();
    EXPECT_NEAR(shown(physics.at(3.0)), 6.0, 1e-9);
    physics.resume();
    physics.resume();  // one too many
    EXPECT_FALSE(physics.isPaused());
    EXPECT_NEAR(shown(physics.at(3.1)), 7.0, 1e-9);
    physics.setSpeed(0.25);
    EXPECT_NEAR(shown(physics.at(3.5)), 8.0, 1e-9);
    physics.setSpeed(std::nan(""));
    EXPECT_EQ(physics.speed(), 0.25);
}

TEST(PhysicsThread, CommandsCarryTheirStepAndAreDoneAgain) {
    std::vector<double> first, second;
    std::vector<PhysicsCommand> commands;
    const auto run = [&](const std::vector<PhysicsCommand>& replay, std::vector<double>& values) {
        CountingWorld world;
        PhysicsThreadSettings settings = waiting();
        settings.replay = replay;
        PhysicsThread physics(
            settings, [&](std::vector<Poses>& poses) { world.step(poses); },
            [&](const PhysicsCommand& command) { world.obey(command); });
        for (int i = 0; i <= 40; ++i) {
            if (replay.empty() && i == 7) physics.post(1, {5.0});
            if (replay.empty() && i == 23) physics.post(1, {-2.5});
            values.push_back(shown(physics.at(0.1 * i)));
        }
        commands = physics.commands();
    };
    run({}, first);
    ASSERT_EQ(commands.size(), 2u);
    EXPECT_EQ(commands[0].step, 7u);
    EXPECT_EQ(commands[1].step, 23u);
    const std::vector<PhysicsCommand> recorded = commands;
    run(recorded, second);
    EXPECT_EQ(first, second) << "to the bit";
    ASSERT_EQ(commands.size(), 2u);
    EXPECT_EQ(commands[1].step, 23u);
    std::vector<double> without;
    run({PhysicsCommand{1u << 20, 0, {}}}, without);
    EXPECT_NE(first, without) << "the commands matter";
}

TEST(PhysicsThread, AnExceptionEndsItWithItsWords) {
    int steps = 0;
    PhysicsThread physics(waiting(), [&](std::vector<Poses>& poses) {
        if (++steps == 3) throw std::runtime_error("the third step went wrong");
        poses.resize(1);
        poses[0].resize(1, 1);
    });
    physics.at(0.0);
    physics.at(5.0);
    EXPECT_EQ(physics.problem(), "the third step went wrong");
    EXPECT_EQ(physics.stepCount(), 2u);
    physics.at(9.0);
}

// Where physics cannot keep pace the clock waits for it: what is shown is late, and nothing is made up.
TEST(PhysicsThread, AClockThatRunsAheadWaits) {
    PhysicsThreadSettings settings;
    settings.step = 0.1;
    settings.mostBehind = 3;
    CountingWorld world;
    PhysicsThread physics(settings, [&](std::vector<Poses>& poses) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        world.step(poses);
    });
    physics.at(0.0);
    for (int i = 1; i < 20; ++i) {
        const std::uint64_t before = physics.stepCount();
        physics.at(100.0 * i);
        EXPECT_LE(physics.shownTime(), 0.1 * static_cast<double>(physics.stepCount()));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        EXPECT_LE(physics.stepCount(), before + 6);
    }
}

// Two threads that never wait for each other: every body shown is of the same moment, and time does not fall.
TEST(PhysicsThread, NothingShownIsTorn) {
    PhysicsThreadSettings settings;
    settings.step = 1e-3;
    settings.mostBehind = 1000;
    CountingWorld world;
    PhysicsThread physics(settings, [&](std::vector<Poses>& poses) { world.step(poses); });
    double last = 0.0;
    int seen = 0;
    const auto start = std::chrono::steady_clock::now();
    while (physics.stepCount() < 3000) {
        const double clock = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (clock > 60.0) break;
        const std::vector<Poses>& poses = physics.at(5.0 * clock);
        if (poses.empty()) continue;
        ++seen;
        const double value = poses[0].q[0];
        ASSERT_GE(value, last - 1e-9);
        ASSERT_NEAR(value, physics.shownTime() / settings.step, 1e-6) << "what is shown is of its time";
        last = value;
        for (int i = 0; i < bodyCount; ++i) {
            ASSERT_EQ(poses[0].q[static_cast<std::size_t>(i)], value);
            ASSERT_EQ(poses[0].worldFromBody[static_cast<std::size_t>(i)].translation.x(), value);
        }
    }
    EXPECT_GE(physics.stepCount(), 3000u);
    EXPECT_GT(seen, 20);
}

}  // namespace
}  // namespace pliant::test
