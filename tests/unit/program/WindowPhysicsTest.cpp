// SPDX-License-Identifier: Zlib
// A simulation in a thread of its own beside whoever shows it: what is shown is a moment of the run, whoever else asks.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <thread>
#include <utility>

#include "loop/SceneLog.h"
#include "loop/WindowPhysics.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::program {
namespace {

/// Two balls that fall side by side, one of them with a start of 1 m/s along x.
class FallingBalls {
public:
    FallingBalls()
        : m_folder(::testing::TempDir() + "pliant_window_physics"),
          m_scene(scene::parseScene(
              "time: {frames_per_second: 60, substeps: 2}\n"
              "rigid:\n  - {shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 500]}\n"
              "  - {shape: sphere, radius: 0.1, mass: 1, position: [0, 3, 500], velocity: [1, 0, 0]}\n"
              "output: [{states: {file: falling.states}}]\n",
              "falling.yaml", sceneOptions())),
          m_simulation(m_scene, m_models, 1, m_scene.time.duration) {
        std::filesystem::create_directories(m_folder);
    }
    ~FallingBalls() { std::filesystem::remove_all(m_folder); }

    Simulation& simulation() { return m_simulation; }
    const std::string& folder() const { return m_folder; }
    double step() const { return m_scene.time.step(); }

private:
    std::string m_folder;
    scene::SceneDescription m_scene;
    Models m_models;
    Simulation m_simulation;
};

/// Shows pictures at 100 Hz of a clock of its own until something holds. @return whether it came to that in 20 s
bool showUntil(WindowPhysics& physics, double& clock, const std::function<bool(const scene::ScenePoses&)>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < end) {
        if (holds(physics.at(clock += 0.01))) return true;
        std::this_thread::yield();
    }
    return false;
}

TEST(WindowPhysics, WhatIsShownIsOneMomentWhileOthersLookIntoTheWorld) {
    FallingBalls balls;
    WindowPhysics physics(balls.simulation(), balls.folder());
    double clock = 0.0, before = 0.0;
    std::thread other([&] {
        for (int i = 0; i < 200; ++i)
            physics.withWorld([&] {
                const auto& poses = balls.simulation().world().physics().getPoses();
                EXPECT_EQ(poses.rigid[0].translation.z(), poses.rigid[1].translation.z()) << "between two steps";
            });
    });
    const bool came = showUntil(physics, clock, [&](const scene::ScenePoses& poses) {
        const Vector3 a = poses.rigid[0].translation, b = poses.rigid[1].translation;
        EXPECT_DOUBLE_EQ(a.z(), b.z()) << "both are of the same moment";
        const double t = b.x();  // the second ball tells the time by its way
        EXPECT_GE(t, before - 1e-6) << "time does not go back";
        EXPECT_NEAR(a.z(), 500.0 - 0.5 * 9.81 * t * (t + balls.step()), 0.01) << "at t = " << t;
        before = t;
        return t > 0.5;
    });
    other.join();
    EXPECT_TRUE(came) << "it stands at t = " << before;
}

TEST(WindowPhysics, StandsWhilePausedStepsOnceAndStartsAnew) {
    FallingBalls balls;
    WindowPhysics physics(balls.simulation(), balls.folder());
    double clock = 0.0;
    ASSERT_TRUE(showUntil(physics, clock, [](const auto& poses) { return poses.rigid[1].translation.x() > 0.2; }));
    physics.setPaused(true);
    double time = 0.0;
    const auto timeNow = [&] {
        physics.withWorld([&] { time = balls.simulation().world().time(); });
        return time;
    };
    // A step that had begun may end only now, however long the thread was kept from running.
    double last = -1.0;
    int unchanged = 0;
    ASSERT_TRUE(showUntil(physics, clock, [&](const auto&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const double now = timeNow();
        unchanged = std::exchange(last, now) == now ? unchanged + 1 : 0;
        return unchanged >= 40;
    }));
    const double stopped = timeNow();
    physics.stepOnce();
    EXPECT_TRUE(showUntil(physics, clock, [&](const auto&) { return timeNow() > stopped; }));
    EXPECT_NEAR(timeNow() - stopped, balls.step(), 1e-9);
    physics.reset();
    EXPECT_EQ(timeNow(), 0.0);
    const std::vector<std::string> made = physics.close();
    ASSERT_EQ(made.size(), 1u);
    EXPECT_GT(std::filesystem::file_size(made[0]), 1000u) << "the states up to the new start";
}

}  // namespace
}  // namespace pliant::program
