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

}  // namespace
}  // namespace pliant::test
