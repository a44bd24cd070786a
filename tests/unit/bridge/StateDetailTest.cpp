// SPDX-License-Identifier: Zlib
// Levels of detail come back with a state: the world that a body was saved in may have gone on to another level.
#include <gtest/gtest.h>

#include <vector>

#include "TestWorld.h"

namespace {

using pliant::StateStatus;
using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

/// Bars of four coordinates in a heap.
struct DetailedHeap {
    DetailedHeap() {
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround();
        BarOptions options;
        options.frequencies = {60, 60, 200, 150};
        static const auto model = makeBar(options);
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        for (int i = 0; i < 5; ++i)
            bars.push_back(scene.addBar(model, btVector3(btScalar(0.1 * i), btScalar(0.2 + 0.12 * i), 0), info,
                                        btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i))));
    }
    std::vector<double> bits() const {
        std::vector<double> result;
        for (const btPliantBody* bar : bars) {
            for (const double q : bar->getReducedCoordinates()) result.push_back(q);
            for (const double v : bar->getReducedVelocities()) result.push_back(v);
            for (int k = 0; k < 3; ++k) result.push_back(static_cast<double>(bar->getMeshTransform().getOrigin()[k]));
            result.push_back(bar->getDetail());
        }
        return result;
    }
    StateStatus restore(const std::vector<std::byte>& blob) {
        return scene.system->restoreState(blob.data(), blob.size());
    }
    TestWorld scene;
    std::vector<btPliantBody*> bars;
};

// Saved while two bars fade, or when they have: a fade takes 0.3 s at most, 72 of these steps.
TEST(State, BringsLevelsOfDetailBack) {
    for (const int savedAt : {55, 200}) {
        DetailedHeap heap;
        heap.scene.step(50);
        for (const int bar : {1, 3}) heap.bars[static_cast<std::size_t>(bar)]->setDetail(bar);
        heap.scene.step(savedAt - 50);
        std::vector<std::byte> blob;
        heap.scene.system->saveState(blob);
        heap.scene.step(150);
        const std::vector<double> expected = heap.bits();

        ASSERT_EQ(heap.restore(blob), StateStatus::Ok) << "it has faded since, saved at " << savedAt;
        heap.scene.step(150);
        EXPECT_TRUE(heap.bits() == expected) << "in its own world, saved at " << savedAt;

        for (btPliantBody* bar : heap.bars) bar->setDetail(4);
        ASSERT_EQ(heap.restore(blob), StateStatus::Ok) << "all are whole by now, saved at " << savedAt;
        heap.scene.step(150);
        EXPECT_TRUE(heap.bits() == expected) << "after other levels, saved at " << savedAt;

        DetailedHeap fresh;
        ASSERT_EQ(fresh.restore(blob), StateStatus::Ok) << "bodies that were just made, saved at " << savedAt;
        EXPECT_EQ(fresh.bars[1]->getDetail(), 1);
        fresh.scene.step(150);
        EXPECT_TRUE(fresh.bits() == expected) << "in a new world, saved at " << savedAt;
    }
}

TEST(State, OfABodyBringsItsLevelOfDetailBack) {
    DetailedHeap heap;
    btPliantBody& bar = *heap.bars[2];
    std::vector<std::byte> whole, cut;
    bar.saveState(whole);
    bar.setDetail(2);
    heap.scene.step(100);
    bar.saveState(cut);
    const auto restore = [&bar](const std::vector<std::byte>& blob) {
        return bar.restoreState(blob.data(), blob.size());
    };
    ASSERT_EQ(restore(whole), StateStatus::Ok);
    EXPECT_EQ(bar.getDetail(), 4);
    ASSERT_EQ(restore(cut), StateStatus::Ok);
    EXPECT_EQ(bar.getDetail(), 2);
    // What is refused leaves the level as it is.
    whole.back() ^= std::byte(1);
    EXPECT_NE(restore(whole), StateStatus::Ok);
    EXPECT_EQ(bar.getDetail(), 2);
    heap.scene.step(20);
    EXPECT_EQ(heap.scene.system->getStatus(), "");
}

}  // namespace
