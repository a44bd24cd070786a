// SPDX-License-Identifier: Zlib
// Levels of detail come back with a state: the world that a body was saved in may have gone on to another level.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "OpenedState.h"
#include "TestWorld.h"
#include "btPliant/data/SystemData.h"

namespace {

using pliant::StateStatus;
using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::OpenedState;
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
    /// Size of what the coordinates beyond the level of detail have, of the bar that has most or least.
    double fading(bool isMost) const {
        std::vector<double> norms;
        for (const int bar : {1, 3}) {
            const pliant::ConstVectorView q = bars[static_cast<std::size_t>(bar)]->getReducedCoordinates();
            norms.push_back(q.tail(q.size() - bar).norm());
        }
        return isMost ? *std::max_element(norms.begin(), norms.end()) : *std::min_element(norms.begin(), norms.end());
    }
    StateStatus restore(const std::vector<std::byte>& blob) {
        return scene.system->restoreState(blob.data(), blob.size());
    }
    TestWorld scene;
    std::vector<btPliantBody*> bars;
};

// Saved while two bars fade, or when they have: a fade takes 0.3 s at most, 36 of these steps.
TEST(State, BringsLevelsOfDetailBack) {
    for (const int savedAt : {55, 200}) {
        DetailedHeap heap;
        heap.scene.step(50);
        for (const int bar : {1, 3}) heap.bars[static_cast<std::size_t>(bar)]->setDetail(bar);
        heap.scene.step(savedAt - 50);
        if (savedAt == 55)
            EXPECT_GT(heap.fading(false), 0.0) << "no bar fades, so nothing is tested";
        else
            EXPECT_EQ(heap.fading(true), 0.0) << "still fading";
        std::vector<std::byte> blob;
        heap.scene.system->saveState(blob);
        heap.scene.step(150);
        EXPECT_EQ(heap.fading(true), 0.0);
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
    heap.scene.step(20);
    EXPECT_EQ(heap.scene.system->getStatus(), "");
}

/// Where the level of detail of a bar stands in the saved world: what changes with it alone. The number of coordinates
/// that move stands before it.
std::size_t placeOfDetail(DetailedHeap& heap, int bar) {
    const OpenedState before(heap.scene);
    btPliantBody& body = *heap.bars[static_cast<std::size_t>(bar)];
    const int detail = body.getDetail();
    body.setDetail(detail - 1);
    const OpenedState after(heap.scene);
    body.setDetail(detail);
    return static_cast<std::size_t>(
        std::mismatch(before.payload.begin(), before.payload.end(), after.payload.begin()).first -
        before.payload.begin());
}

// Sealed again, so that it is not the checksum that refuses them.
TEST(State, RefusesLevelsOfDetailThatCannotBe) {
    DetailedHeap heap;
    heap.scene.step(50);
    const std::size_t at = placeOfDetail(heap, 2);
    const OpenedState whole(heap.scene);
    const std::vector<double> before = heap.bits();
    ASSERT_EQ(whole.restore(heap.scene), StateStatus::Ok);
    const auto edited = [&](std::int32_t moving, std::int32_t detail) {
        OpenedState state = whole;
        state.put(at - 4, moving);
        state.put(at, detail);
        return state.restore(heap.scene);
    };
    ASSERT_EQ(edited(4, 4), StateStatus::Ok);
    EXPECT_EQ(edited(5, 4), StateStatus::OtherModel) << "more coordinates than the model has";
    EXPECT_EQ(edited(5, 5), StateStatus::OtherModel);
    EXPECT_EQ(edited(4, 5), StateStatus::BadNumber) << "a level beyond what moves";
    EXPECT_EQ(edited(4, 0), StateStatus::BadNumber);
    EXPECT_EQ(edited(-1, -2), StateStatus::BadNumber);
    EXPECT_NE(edited(3, 3), StateStatus::Ok) << "the batch's part is that of four coordinates";
    EXPECT_TRUE(heap.bits() == before);
    heap.scene.step(20);
    EXPECT_EQ(heap.scene.system->getStatus(), "");
}

// The first bar would change its level, and a later one is bad: nothing changes, and no model or batch is left behind.
TEST(State, ThatIsRefusedLeavesLevelsOfDetailAsTheyAre) {
    DetailedHeap heap;
    heap.scene.step(50);
    heap.bars[0]->setDetail(2);
    heap.scene.step(100);
    ASSERT_EQ(btPliantInternal::dataOf(*heap.bars[0]).model().dimension(), 2) << "still fading";
    const std::size_t at = placeOfDetail(heap, 3);
    OpenedState cut(heap.scene);
    DetailedHeap taken, refused;
    ASSERT_EQ(cut.restore(taken.scene), StateStatus::Ok);
    EXPECT_EQ(taken.bars[0]->getDetail(), 2);

    ASSERT_EQ(std::to_integer<int>(cut.payload[at]), 4);
    cut.put(at, std::int32_t(9));
    const std::vector<double> before = refused.bits();
    const btPliantInternal::SystemData& system = btPliantInternal::dataOf(*refused.scene.system);
    ASSERT_EQ(system.groups.size(), 1U);
    EXPECT_EQ(cut.restore(refused.scene), StateStatus::BadNumber);
    EXPECT_EQ(refused.bars[0]->getDetail(), 4);
    EXPECT_TRUE(refused.bits() == before);
    EXPECT_EQ(system.groups.size(), 1U);
    EXPECT_TRUE(system.truncatedModels.empty()) << "kept for good";
    refused.scene.step(20);
    EXPECT_EQ(refused.scene.system->getStatus(), "");
}

}  // namespace
