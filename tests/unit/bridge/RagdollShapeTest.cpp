// SPDX-License-Identifier: Zlib
// Ragdolls whose flesh takes a shape of its own in every pose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "RagdollWorld.h"
#include "btPliant/body/Ragdolls.h"
#include "pliant/runtime/ragdoll/PoseForce.h"

namespace {

using namespace pliant;
using namespace pliant::test;

constexpr double kMassOfBar = 40.0;  // kg
constexpr double kFall = 9.81;       // m/s^2

struct ShapedWorld : RagdollWorld {
    ShapedWorld() { shape = RestShape::Flesh; }
};

/// K^-1 f_pose: where flesh comes to rest in the present pose.
VectorX shapeOf(const btPliantCharacter& bar) {
    std::vector<AffineMap> bones;
    bar.getBones(bones);
    VectorX force;
    poseForce(bar.getCharacter(), bones, force);
    return bar.getModel().energy.linearStiffness.ldlt().solve(force);
}

/// T and the energy of the way from that shape, J.
double energyOf(const btPliantCharacter& bar) {
    const VectorX way = VectorX(bar.getReducedCoordinates()) - shapeOf(bar);
    return bar.getKineticEnergy() + 0.5 * way.dot(bar.getModel().energy.linearStiffness * way);
}

Vector3 momentumOf(btPliantCharacter& bar) {
    return btPliantInternal::toEigen(bar.getLinearMomentum());
}

// Bent and at rest it stays so: the pose pulls at the flesh as much as the flesh pulls back.
TEST(RagdollShape, AnEquilibriumStays) {
    ShapedWorld w;
    w.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacterInfo info = standing(noddedPose(0.5));
    info.m_base = RestShape::Flesh;
    btPliantCharacter* bar = w.add(info);
    w.step(2);
    const VectorX q = bar->getReducedCoordinates();
    ASSERT_GT(q.norm(), 0.02) << "flesh that does not feel the pose";
    // Driven flesh feels it in single precision.
    ASSERT_LT((q - shapeOf(*bar)).norm(), 1e-5 * q.norm());
    ASSERT_EQ(bar->startRagdoll(), "");
    std::vector<AffineMap> before, after;
    bar->getBones(before);
    w.step(240, 1.0 / 120.0);
    bar->getBones(after);
    EXPECT_LT((VectorX(bar->getReducedCoordinates()) - q).norm(), 1e-4 * q.norm());
    for (std::size_t b = 0; b < before.size(); ++b) EXPECT_LT((after[b] - before[b]).norm(), 1e-4) << b;
    ASSERT_TRUE(bar->stopRagdoll(0.5));
    w.step(120, 1.0 / 120.0);
    EXPECT_LT((VectorX(bar->getReducedCoordinates()) - q).norm(), 1e-3 * q.norm()) << "driven bones pull otherwise";
}

// Tumbling limbs bend the joint: flesh takes its shape along, and only the way from it has energy.
TEST(RagdollShape, FreeFlightKeepsMomentaAndGainsNothing) {
    for (const double h : {1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0}) {
        ShapedWorld w;
        w.world.setGravity(btVector3(0, 0, 0));
        btPliantCharacter* bar = w.addNodding(btVector3(0, 0, 0), 0.4);
        w.step(20, 1.0 / 240.0);
        ASSERT_EQ(bar->startRagdoll(), "");
        bar->applyImpulseAt(btVector3(0, 0, 0), btVector3(20, 30, -25));
        bar->applyImpulseAt(btVector3(1, 0, 0), btVector3(5, -20, 25));
        Vector3 P0, L0, P1, L1;
        btPliantInternal::momentaOf(btPliantInternal::dataOf(*bar), Vector3::Zero(), P0, L0);
        const VectorX shape = shapeOf(*bar);
        double last = energyOf(*bar), gain = 0.0, change = 0.0;
        for (int i = 0; i < 200; ++i) {
            w.step(1, h);
            gain = std::max(gain, energyOf(*bar) - last);
            last = energyOf(*bar);
            change = std::max(change, (shapeOf(*bar) - shape).norm());
        }
        btPliantInternal::momentaOf(btPliantInternal::dataOf(*bar), Vector3::Zero(), P1, L1);
        const double kept = doublePrecision ? 1e-9 : 1e-6;
        EXPECT_GT(change, 0.02) << "the pose has stayed the same";
        EXPECT_LT((P1 - P0).norm(), kept * P0.norm()) << h;
        EXPECT_LT((L1 - L0).norm(), kept * L0.norm()) << h;
        EXPECT_LT(gain, (doublePrecision ? 1e-9 : 2e-5) * last) << h;
    }
}

// Damped flesh that was taken out of the shape of its pose comes to it again, and the pose hardly moves.
TEST(RagdollShape, DampedFleshComesToTheShapeOfItsPose) {
    ShapedWorld w;
    w.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacterInfo info = standing(noddedPose(0.5));
    info.m_base = RestShape::Flesh;
    info.m_damping.stiffness = 0.01;
    btPliantCharacter* bar = w.add(info);
    w.step(2);
    ASSERT_EQ(bar->startRagdoll(), "");
    bar->setReducedCoordinates(VectorX::Zero(bar->getModel().dimension()));
    w.step(600, 1.0 / 120.0);
    const VectorX q = bar->getReducedCoordinates();
    ASSERT_GT(q.norm(), 0.01);
    EXPECT_LT((q - shapeOf(*bar)).norm(), 0.01 * q.norm());
}

TEST(RagdollShape, AFallGainsNothingAndEndsAtRest) {
    for (const double h : {1.0 / 60.0, 1.0 / 240.0}) {
        ShapedWorld w;
        w.addGround()->setFriction(btScalar(0.5));
        btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.7), 0), 0.4, 0.003);
        ASSERT_EQ(bar->startRagdoll(), "");
        double last = energyOf(*bar), gain = 0.0;
        int contacts = 0;
        for (int i = 0; i < std::lround(8.0 / h) && bar->isActive(); ++i) {
            const double before = momentumOf(*bar).y();
            w.step(1, h);
            const double work = -0.5 * h * kFall * (before + momentumOf(*bar).y());
            if (bar->isActive()) gain = std::max(gain, energyOf(*bar) - last - work);
            last = energyOf(*bar);
            contacts = std::max(contacts, w.system->getStats().m_contacts);
        }
        EXPECT_FALSE(bar->isActive()) << h;
        EXPECT_GT(contacts, 0);
        EXPECT_LT(gain, (doublePrecision ? 1e-10 : 1e-4) * kMassOfBar * kFall * 0.5) << h;
    }
}

}  // namespace
