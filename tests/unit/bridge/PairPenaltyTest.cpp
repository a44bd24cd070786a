// SPDX-License-Identifier: Zlib
// Penalty contact as a choice of a pair (btPliantSystem::setPenalty()).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "BarPoints.h"
#include "CubeModel.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

constexpr double kPairedBarRadius = 0.05;  // m, of the bar
constexpr double kPairSinking = 0.02;      // m, of what lies on two springs in these tests
constexpr double kRigidSlack = 2e-4;       // m, that rigid contact may be off
constexpr double kPairSlop =
    0.05 * kPairedBarRadius + kRigidSlack;  // m, that it leaves of what was deeper (m_penetrationSlop)

/// PairedBars side by side, on the ground or on each other.
struct PairedBars {
    PairedBars() : ground(world.addGround()) {}

    btPliantBody* add(double height, double aside = 0.0) {
        btPliantBody* bar = world.addBar(
            model, btVector3(0, static_cast<btScalar>(height), static_cast<btScalar>(aside)), dampedBar(20));
        bar->setActivationState(DISABLE_DEACTIVATION);
        return bar;
    }
    /// N/m of each contact, so that a weight on `contacts` of them sinks in by kPairSinking.
    btScalar stiffness(int contacts) const {
        return static_cast<btScalar>(model->totalMass() * standardGravity / (contacts * kPairSinking));
    }
    static double depth(const btPliantBody* bar) {
        return kPairedBarRadius - static_cast<double>(bar->getCenterOfMassPosition().y());
    }
    /// Contacts of a pair, and what they carry, N.
    std::pair<int, double> loadOf(const btCollisionObject* one, const btCollisionObject* two, double h) {
        std::pair<int, double> load = {0, 0.0};
        for (int m = 0; m < world.dispatcher.getNumManifolds(); ++m) {
            const btPersistentManifold& manifold = *world.dispatcher.getManifoldByIndexInternal(m);
            const bool isOfThem = (manifold.getBody0() == one && manifold.getBody1() == two) ||
                                  (manifold.getBody0() == two && manifold.getBody1() == one);
            for (int i = 0; isOfThem && i < manifold.getNumContacts(); ++i) {
                const double impulse = static_cast<double>(manifold.getContactPoint(i).getAppliedImpulse());
                load.first += impulse > 0 ? 1 : 0;
                load.second += impulse / h;
            }
        }
        return load;
    }

    std::shared_ptr<const ReducedModel> model = makeBar(stiffBar());
    TestWorld world;
    btRigidBody* ground;
};

// A weight over the stiffness of its contacts, the same bar beside it by rigid contact, and both the other way round.
TEST(PairPenalty, IsOfThePairAlone) {
    PairedBars bars;
    btPliantBody *soft = bars.add(kPairedBarRadius), *rigid = bars.add(kPairedBarRadius, 0.5);
    const btScalar k = bars.stiffness(2);
    bars.world.system->setPenalty(*soft, *bars.ground, k, 20);
    bars.world.step(960, 1.0 / 240.0);
    const auto [contacts, force] = bars.loadOf(soft, bars.ground, 1.0 / 240.0);
    const double weight = bars.model->totalMass() * standardGravity;
    ASSERT_GT(contacts, 1);
    EXPECT_NEAR(force, weight, 0.01 * weight);
    EXPECT_NEAR(PairedBars::depth(soft), weight / (contacts * static_cast<double>(k)), 0.02 * kPairSinking);
    EXPECT_NEAR(PairedBars::depth(rigid), 0.0, kRigidSlack);

    // Rigid contact where a body asks for springs.
    rigid->setContactStiffnessAndDamping(k, 20);
    bars.world.system->setPenalty(*rigid, *bars.ground, 0);
    bars.world.system->clearPenalty(*soft, *bars.ground);
    bars.world.step(960, 1.0 / 240.0);
    EXPECT_LT(PairedBars::depth(soft), kPairSlop);
    EXPECT_NEAR(PairedBars::depth(rigid), 0.0, kRigidSlack);
    bars.world.system->clearPenalty(*rigid, *bars.ground);
    bars.world.step(960, 1.0 / 240.0);
    EXPECT_GT(PairedBars::depth(rigid), 0.3 * kPairSinking) << "its own springs again";
}

// Of two reduced bodies either may be named first, and the last call counts.
TEST(PairPenalty, IsTheSameWhicheverIsNamedFirst) {
    btScalar height[2];
    for (const bool lowerFirst : {false, true}) {
        PairedBars bars;
        btPliantBody *lower = bars.add(kPairedBarRadius), *upper = bars.add(3 * kPairedBarRadius);
        btPliantBody &one = lowerFirst ? *lower : *upper, &two = lowerFirst ? *upper : *lower;
        bars.world.system->setPenalty(two, one, 100 * bars.stiffness(1), 20);
        bars.world.system->setPenalty(one, two, bars.stiffness(1), 20);
        bars.world.step(240, 1.0 / 240.0);
        height[lowerFirst] = upper->getCenterOfMassPosition().y();
        EXPECT_LT(static_cast<double>(height[lowerFirst]), 3 * kPairedBarRadius - 0.1 * kPairSinking);
        EXPECT_NEAR(PairedBars::depth(lower), 0.0, kRigidSlack) << "the ground is rigid to it";
    }
    EXPECT_EQ(height[0], height[1]);
}

// The springs of a solid are by area: one on its largest face has the stiffness that was asked for.
TEST(PairPenalty, OfASolidIsByArea) {
    constexpr double sinking = 0.005;  // m
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.mass = 20;
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.5 * kCubeSize), 0), info);
    body->setActivationState(DISABLE_DEACTIVATION);
    const double weight = body->getModel().totalMass() * standardGravity;
    scene.system->setPenalty(*body, *ground, static_cast<btScalar>(weight / sinking),
                             static_cast<btScalar>(0.2 * weight / sinking));
    scene.step(960, 1.0 / 240.0);
    // The share of the area that points stand for is that of SolidSprings.ACubeSinksInByWeightOverStiffness.
    EXPECT_NEAR(0.5 * kCubeSize - static_cast<double>(body->getCenterOfMassPosition().y()), sinking, 0.05 * sinking);
}

TEST(PairPenalty, WakesWhatSleeps) {
    PairedBars bars;
    btPliantBody* bar = bars.add(kPairedBarRadius);
    bars.world.step(480, 1.0 / 240.0);
    bar->forceActivationState(ISLAND_SLEEPING);
    bars.world.system->setPenalty(*bar, *bars.ground, bars.stiffness(2), 20);
    EXPECT_TRUE(bar->isActive());
    bar->forceActivationState(ISLAND_SLEEPING);
    bars.world.system->clearPenalty(*bar, *bars.ground);
    EXPECT_TRUE(bar->isActive());
}

TEST(PairPenalty, RefusesWhatCannotBe) {
    PairedBars bars, others;
    btPliantBody *bar = bars.add(kPairedBarRadius), *stranger = others.add(kPairedBarRadius);
    btPliantSystem& system = *bars.world.system;
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN(), inf = std::numeric_limits<btScalar>::infinity();
    for (const btScalar bad : {btScalar(-1), nan, inf}) {
        EXPECT_THROW(system.setPenalty(*bar, *bars.ground, bad), pliant::Error) << bad;
        EXPECT_THROW(system.setPenalty(*bar, *bars.ground, 1000, bad), pliant::Error) << bad;
    }
    EXPECT_THROW(system.setPenalty(*stranger, *bars.ground, 1000), pliant::Error);
    bars.world.step(480, 1.0 / 240.0);
    EXPECT_NEAR(PairedBars::depth(bar), 0.0, kRigidSlack) << "a refused call changes nothing";
}

}  // namespace
}  // namespace pliant::test
