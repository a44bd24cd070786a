// SPDX-License-Identifier: Zlib
// Two held points that are told to be farther from each other than the frame of their body stands.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "BarPoints.h"
#include "btPliant/btPliantHeldPoints.h"

namespace pliant::test {
namespace {

struct DrawnApart {
    double most = 0;     ///< largest energy, J
    double gap = 0;      ///< of the points at the end, m
    double stretch = 0;  ///< by which they are farther from each other then, m
};

/// What becomes of a bar of 600 rad/s, 2,000 stretched, of which two points, of which one is its end, are told to be
/// elsewhere, each its own way. @param first place of the other, m along the bar from its middle
DrawnApart drawnApart(double first, const btVector3& way) {
    BarOptions options;
    options.frequencies = {600, 600, 2000};
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 1, 0));
    btPliantHeldPoints hands(*bar);
    for (const double x : {first, 0.5}) hands.addPoint(onBar(x));
    for (const int i : {0, 1}) hands.setTarget(i, hands.getTarget(i) + (i == 0 ? -way : way));
    scene.world.addConstraint(&hands);
    DrawnApart out;
    for (int i = 0; i < 480; ++i) {
        scene.step();
        out.most = std::max(out.most, bar->getKineticEnergy() + bar->getStrainEnergy());
    }
    for (const int i : {0, 1})
        out.gap = std::max(out.gap, static_cast<double>(hands.getPosition(i).distance(hands.getTarget(i))));
    out.stretch = static_cast<double>(hands.getPosition(0).distance(hands.getPosition(1))) - (0.5 - first);
    scene.world.removeConstraint(&hands);
    return out;
}

// A force F at both ends of a bar of the length L gives its turning the stiffness F L, and frames swing faster in each
// step from h^2 F L = 4 I on: at 20.4 kN for I = 0.354 kg m^2. The stretch, of the stiffness 1.92 MN/m, is 10.6 mm by
// it and holds 108 J; what keeps it is told by its mass and stiffness together, some 1 % too large. Of points on one
// half, half as far from each other and each at another arm, twice the force does, which stretches that half by 5.3 mm.
// A tenth more is for what turns come with. Bars that were drawn apart went off at 3e8 m/s.
TEST(HeldPointsDrawnApart, BendABodyNoFartherThanItsFrameStands) {
    for (const double way : {0.5, 0.01})
        for (const double first : {-0.5, 0.0}) {
            const DrawnApart one = drawnApart(first, btVector3(static_cast<btScalar>(way), 0, 0));
            const double length = 0.5 - first;
            EXPECT_LT(one.most, 1.02 * 108) << way << " m, from " << first;
            EXPECT_NEAR(one.stretch, 0.0105 * length, 2e-4 * length) << way << " m, from " << first;
            EXPECT_LT(one.gap, way) << "from " << first;
        }
    EXPECT_NEAR(drawnApart(-0.5, btVector3(btScalar(0.01), 0, 0)).gap, 0.0047, 2e-4) << "both ends go alike";
}

// Told across, the ends ask for a turn of 45 degrees first: sqrt(2) / 2 - 1 / 2 are left, and 43 J of kinetic energy
// have come with it.
TEST(HeldPointsDrawnApart, AcrossTurnABodyFirst) {
    const DrawnApart one = drawnApart(-0.5, btVector3(0, btScalar(0.5), 0));
    EXPECT_LT(one.most, 108 + 43);
    EXPECT_NEAR(one.gap, std::sqrt(0.5) - 0.5 - 0.0105 / 2, 2e-3);
    EXPECT_NEAR(one.stretch, 0.0105, 2e-4);
}

// Targets that move by their own velocities to where a bar stands it: what a step goes is added to the gap whole, not
// what would be gone in the five steps in which a gap is taken back.
TEST(HeldPointsDrawnApart, ByTheirVelocitiesFollow) {
    BarOptions options;
    options.frequencies = {300, 300, 1000};
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 1, 0));
    btPliantHeldPoints hands(*bar);
    for (const double x : {-0.5, 0.5}) hands.addPoint(onBar(x));
    const btVector3 start[2] = {hands.getTarget(0), hands.getTarget(1)};
    scene.world.addConstraint(&hands);
    const double speed = 0.2;  // m/s, of each end
    double worst = 0;
    for (int k = 1; k <= 12; ++k) {
        for (const int i : {0, 1}) {
            const btVector3 velocity(static_cast<btScalar>(i == 0 ? -speed : speed), 0, 0);
            hands.setTarget(i, start[i] + static_cast<btScalar>(k / 120.0) * velocity, velocity);
        }
        scene.step();
        worst = std::max(worst, static_cast<double>(hands.getPosition(0).distance(hands.getTarget(0))));
    }
    EXPECT_LT(worst, speed / 120.0);
    EXPECT_NEAR(bar->getStrainEnergy(), 0.5 * 4.8e5 * 0.037 * 0.037, 10) << "by 18 kN";
    scene.world.removeConstraint(&hands);
}

}  // namespace
}  // namespace pliant::test
