// SPDX-License-Identifier: Zlib
// A hand in a thread beside a scene: whatever ends the scene's steps, the thread ends before what it refers to.
#include <gtest/gtest.h>

#include <stdexcept>

#include "loop/FeelLoop.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::program {
namespace {

/// A pad in a hand of its own thread, and an event that says something a tenth of a second after the start.
struct SpokenScene {
    scene::SceneDescription scene = scene::parseScene(
        "time: {duration: 5, frames_per_second: 60, substeps: 1}\ngravity: [0, 0, 0]\n"
        "rigid:\n  - {name: pad, shape: box, size: [0.04, 0.04, 0.04], mass: 1, position: [0, 0, 1]}\n"
        "  - {name: block, shape: box, size: [0.2, 0.2, 0.1], mass: 2, position: [0, 0, 0.05]}\n"
        "tool: [{name: left, body: pad, dynamics: thread, device: still}]\n"
        "touch: [{between: [pad, block]}]\n"
        "events: [{at: 0.1, do: [{say: now}]}]\n",
        "spoken.yaml", sceneOptions());
    Models models;
    SceneWorld world{scene, models, 1};
    CycleTimes times{20000};
};

TEST(FeelLoop, EndsTheThreadOfAHandWhateverAStepThrows) {
    SpokenScene spoken;
    spoken.world.physics().setSayCallback([](double, const std::string&) { throw std::runtime_error("a full disk"); });
    EXPECT_THROW(runBeside(spoken.world, 0, spoken.times), std::runtime_error);
    HandThread& thread = spoken.world.physics().getHandThread(0)->getThread();
    EXPECT_FALSE(thread.isRunning()) << "it would go on with times and clocks that have gone";
    thread.stop();
    // Nobody is called by a cycle any more.
    const std::uint64_t cycles = thread.report().cycles;
    const double taken = spoken.times.thread(1.0).mean;
    thread.run(10);
    EXPECT_EQ(thread.report().cycles, cycles + 10);
    EXPECT_EQ(spoken.times.thread(1.0).mean, taken);
    EXPECT_GT(cycles, 20u) << "of a tenth of a second";
}

}  // namespace
}  // namespace pliant::program
