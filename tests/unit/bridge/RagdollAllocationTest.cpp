// SPDX-License-Identifier: Zlib
// A settled step of characters goes to the heap not once, whether somebody drives their bones or they lie on the
// ground, free or held by joints.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "../../AllocationCounter.h"
#include "RagdollWorld.h"
#include "btPliant/btPliantHeldPoints.h"
#include "btPliant/btPliantJoints.h"

namespace pliant::test {
namespace {

enum class Held { Free, ByJoints, ByPoints };

/// What holds the first bone's end where it is.
std::unique_ptr<btTypedConstraint> hookOf(btPliantCharacter& bar, Held how) {
    const btVector3 end(0, 0, 0);
    if (how == Held::ByJoints) return std::make_unique<btPliantPoint2PointConstraint>(bar, end);
    auto points = std::make_unique<btPliantHeldPoints>(bar);
    points->addPoint(end);
    points->addPoint(btVector3(btScalar(0.05), 0, btScalar(0.05)));
    return points;
}

/// Allocations of 20 steps of bars on the ground that nobody puts to sleep.
long allocationsAtRest(bool fall, RestShape shape, Held how = Held::Free) {
    constexpr int count = 3;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    RagdollWorld w;
    w.shape = shape;
    w.addGround();
    for (int i = 0; i < count; ++i) {
        btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.09), btScalar(i)), 0.0, 0.003);
        EXPECT_TRUE(bar->play("nod", 0.0, 0.2));
        EXPECT_EQ(fall ? bar->startRagdoll() : std::string(), "");
        bar->forceActivationState(DISABLE_DEACTIVATION);
        if (how == Held::Free) continue;
        joints.push_back(hookOf(*bar, how));
        w.world.addConstraint(joints.back().get(), true);
    }
    w.step(600);
    EXPECT_GE(w.system->getStats().m_contacts, 4 * count);
    const long before = allocations;
    w.step(20);
    const long made = allocations - before;
    for (const auto& joint : joints) w.world.removeConstraint(joint.get());
    return made;
}

TEST(RagdollAllocation, ASettledStepHasNone) {
    EXPECT_GE(countOneAllocation(), 1) << "the counter counts";
    for (const RestShape shape : {RestShape::Skin, RestShape::Flesh}) {
        EXPECT_EQ(allocationsAtRest(true, shape), 0);
        EXPECT_EQ(allocationsAtRest(false, shape), 0);
    }
}

TEST(RagdollAllocation, ASettledStepOfWhatJointsHoldHasNone) {
    for (const RestShape shape : {RestShape::Skin, RestShape::Flesh})
        for (const Held how : {Held::ByJoints, Held::ByPoints}) {
            EXPECT_EQ(allocationsAtRest(true, shape, how), 0) << static_cast<int>(how);
            EXPECT_EQ(allocationsAtRest(false, shape, how), 0) << static_cast<int>(how);
        }
}

}  // namespace
}  // namespace pliant::test
