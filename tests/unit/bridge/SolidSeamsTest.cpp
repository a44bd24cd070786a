// SPDX-License-Identifier: Zlib
// Solids that slide from one solid to the next one beside it, over the seam between the two.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>

#include "CubeModel.h"
#include "TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kTile = 0.3, kHeight = 0.1;  // m

/// Heavy boxes side by side on the ground, over which a body slides without friction.
struct Tiles {
    explicit Tiles(const std::shared_ptr<const ReducedModel>& sliding, double speed, int count = 4) {
        scene.addGround()->setFriction(1);
        SolidMaterial heavy;
        heavy.density = 5000;
        static const auto tile = solidBox({kTile, kHeight, 0.4}, heavy);
        btPliantBodyInfo info;
        info.m_damping.stiffness = 2e-3;
        info.m_friction = 1;
        for (int i = 0; i < count; ++i)
            scene.addBar(tile, btVector3(static_cast<btScalar>(kTile * i), btScalar(kHeight / 2), 0), info);
        info.m_friction = 0;
        body = scene.addBar(sliding, btVector3(0, btScalar(kHeight + kCubeSize / 2 + 3e-4), 0), info,
                            btQuaternion(btVector3(0, 1, 0), btScalar(0.1)));
        body->setActivationState(DISABLE_DEACTIVATION);
        scene.step(60);
        body->setLinearVelocity(btVector3(static_cast<btScalar>(speed), 0, 0));
    }
    /// Of the body and all tiles in weight and strain, J.
    double potentialEnergy() const {
        double sum = 0;
        for (int i = 0; i < scene.system->getNumBodies(); ++i) {
            const btPliantBody& one = *scene.system->getBody(i);
            sum +=
                9.81 / static_cast<double>(one.getInvMass()) * static_cast<double>(one.getCenterOfMassPosition().y());
        }
        return sum;
    }

    /// N.
    double weightOfTiles() const {
        double sum = 0;
        for (int i = 0; i < scene.system->getNumBodies(); ++i)
            if (scene.system->getBody(i) != body)
                sum += 9.81 / static_cast<double>(scene.system->getBody(i)->getInvMass());
        return sum;
    }

    TestWorld scene;
    btPliantBody* body = nullptr;
};

// As walls the seams stopped them or threw them back: 24 % of the speed was left in the mean. The ideal would be to
// lose nothing, and balls lose 1 % at most. Where the edge of a cube comes to lie on the very edge of the next box,
// within what its field is off there, it is pushed along the edge's normal, and may be stopped; where it does is
// chance, and another one on another processor. Of 96 cubes (24 speeds from 0.3 to 2.7 m/s, both precisions, two ways
// of looking for points) six kept less than half, the others 92 % (double) and 97 % (single precision) in the mean. At
// a rate of a tenth more than three of eight have a chance of 1 in 200. Of 288 balls (both precisions, three sets of
// instructions, two compilers) one kept 0.74, one 0.91, all others 0.96 and more: more than one of eight below 0.9 have
// a chance of 1 in 3,000.
TEST(SolidSeams, LetABodySlide) {
    static const auto ball = solidSphere(kCubeSize / 2);
    constexpr double speeds[] = {3.0, 2.2, 1.6, 1.2, 0.9, 0.65, 0.5, 0.4};
    double sliding = 0;           // sum of what cubes keep that are not stopped
    int stopped = 0, slowed = 0;  // cubes, balls
    for (const auto& model : {cube(), ball})
        for (const double speed : speeds) {
            Tiles tiles(model, speed);
            const double start = tiles.potentialEnergy();
            tiles.scene.step(static_cast<int>(0.85 / speed * 120));
            const bool isBall = model == ball;
            const double kept = static_cast<double>(tiles.body->getLinearVelocity().x()) / speed;
            if (isBall) EXPECT_GT(kept, 0.5) << speed;
            if (isBall && !(kept > 0.9)) ++slowed;
            if (!(kept > 0.5)) ++stopped;
            // It may gain what weight and strain of it and of the tiles lose, and what split impulses put in, which
            // lift what is too deep without asking what that costs: a micrometre of all tiles, of 80 kg each, is
            // allowed for. (A ball in double precision has gained 0.3 % of 0.4 m/s, 0.45 mJ/kg, of which the tiles'
            // weight explains a third.)
            const double given = std::max(0.0, start - tiles.potentialEnergy()) + 1e-6 * tiles.weightOfTiles();
            const double givenPerMass = given * static_cast<double>(tiles.body->getInvMass());
            EXPECT_LT(kept, std::sqrt(1.0 + 2.0 * givenPerMass / (speed * speed)) + 0.001)
                << speed << ' ' << isBall << ", " << givenPerMass << " J/kg given";
            // A hop is paid for with speed: who keeps a share k of it has risen by (1 - k^2) v^2 / 2 g at most. Which
            // point of an edge is met differs from processor to processor, and the height of a hop with it.
            const double paid = (1.0 - kept * kept) * speed * speed / (2.0 * 9.81);
            const double risen = static_cast<double>(tiles.body->getCenterOfMassPosition().y()) -
                                 static_cast<double>(kHeight + kCubeSize / 2);
            EXPECT_GT(risen, -0.02) << speed << ' ' << isBall;
            EXPECT_LT(risen, std::max(0.02, paid)) << speed << ' ' << isBall << ", kept " << kept;
            if (!isBall && kept > 0.5) sliding += kept;
        }
    EXPECT_LE(stopped, 3);
    EXPECT_LE(slowed, 1);
    EXPECT_GT(sliding / (static_cast<double>(std::size(speeds)) - stopped), 0.8);
}

// A solid that is higher than the one before it is a wall.
TEST(SolidSeams, OfAHigherSolidStopACube) {
    Tiles tiles(cube(), 1.0, 2);
    btPliantBodyInfo info;
    info.m_friction = 1;
    SolidMaterial heavy;
    heavy.density = 5000;
    static const auto high = solidBox({0.3, 0.25, 0.4}, heavy);
    tiles.scene.addBar(high, btVector3(btScalar(2 * kTile), btScalar(0.125), 0), info);
    double farthest = 0;
    for (int i = 0; i < 120; ++i) {
        tiles.scene.step();
        farthest = std::max(farthest, static_cast<double>(tiles.body->getCenterOfMassPosition().x()));
    }
    // it turns until it is square to the wall
    EXPECT_NEAR(farthest, 1.5 * kTile - 0.5 * kCubeSize, 2e-3);
}

}  // namespace
}  // namespace pliant::test
