// SPDX-License-Identifier: Zlib
// Piles of floppy sheets, as `pliant reduce` makes them, at the default settings of a world.
#include <gtest/gtest.h>

#include <algorithm>

#include "SheetPile.h"

namespace pliant::test {
namespace {

// Each sheet lies on the one below it: over 99 of 100 lines no deeper than 15 % of its thickness. With 16 iterations it
// was 0.45 to 0.85 mm of 2 mm, and the sheets trembled with 4 to 8e-4 J.
TEST(SheetPiles, LieOnEachOther) {
    constexpr double h = 1.0 / 120.0;
    for (const unsigned seed : {1U, 2U}) {
        TestWorld scene;
        scene.addGround();
        const auto sheets = dropSheets(scene, 12, seed);
        scene.step(330, h);
        SheetDepths all;
        double kinetic = 0;
        for (int i = 0; i < 5; ++i) {
            scene.step(6, h);
            const SheetDepths now = depthsOf(sheets);
            EXPECT_EQ(now.crossing, 0) << "seed " << seed;
            all.depths.insert(all.depths.end(), now.depths.begin(), now.depths.end());
            kinetic = std::max(kinetic, scene.system->getStats().m_kineticEnergy);
        }
        std::sort(all.depths.begin(), all.depths.end());
        ASSERT_GT(all.depths.size(), 5U * 11U * 500U) << "they lie on each other, seed " << seed;
        EXPECT_LT(all.percentile(0.99), 0.15 * sheetThickness) << "seed " << seed;
        EXPECT_LT(all.percentile(0.9), 0.02 * sheetThickness) << "seed " << seed;
        EXPECT_GT(all.percentile(0.99), 0.0) << "they touch, seed " << seed;
        EXPECT_LT(kinetic, 3e-4) << "seed " << seed;
    }
}

// Sheets that fall 6 mm above each other at 2 m/s do not come nearer to each other, until the ground stops the lowest
// one in a step in which the others go on by 33 mm. They had no contacts in that step, and swapped their places.
TEST(SheetPiles, StopEachOtherInTheStepOfTheImpact) {
    constexpr double h = 1.0 / 60.0, gap = 6e-3;
    for (const double tilt : {0.0, 0.01, 0.02}) {
        TestWorld scene;
        scene.addGround();
        std::vector<btPliantBody*> sheets;
        for (int i = 0; i < 4; ++i) {
            const btQuaternion turn(btVector3(1, 0, 1).normalized(), btScalar(tilt));
            sheets.push_back(scene.addBar(
                sheet(), btVector3(0, btScalar(0.1 + i * (sheetThickness + gap)), btScalar(0.01 * i)), {}, turn));
            sheets.back()->setLinearVelocity(btVector3(0, -2, 0));
        }
        for (int step = 0; step < 12; ++step) {
            scene.step(1, h);
            for (std::size_t i = 1; i < sheets.size(); ++i)
                EXPECT_GT(sheets[i]->getCenterOfMassPosition().y(), sheets[i - 1]->getCenterOfMassPosition().y())
                    << "sheet " << i << ", step " << step << ", tilt " << tilt;
            EXPECT_EQ(depthsOf(sheets).crossing, 0) << "step " << step << ", tilt " << tilt;
        }
        EXPECT_LT(sheets[0]->getCenterOfMassPosition().y(), 0.03) << "they have landed";
    }
}

}  // namespace
}  // namespace pliant::test
