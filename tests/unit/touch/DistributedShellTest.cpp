// SPDX-License-Identifier: Zlib
// Levels of a shell: every one of a closed surface has the surface's area, and area vectors that add up to nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "TouchSurfaces.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

TEST(DistributedShellTest, EveryLevelIsClosedAndAFourthOfTheNext) {
    const SurfaceMesh torus = torusSurface(0.1, 0.03, 96);
    const ShellSamples samples = sampleShell(torus, {}, 40000, nullptr);
    EXPECT_NEAR(static_cast<double>(samples.positions.cols()), 40000, 10000);
    const DistributedShell shell(samples, 4, nullptr);
    ASSERT_EQ(shell.pointCount(3), shell.pointCount());
    const double area = 4 * M_PI * M_PI * 0.1 * 0.03;
    for (int level = 0; level < 4; ++level) {
        Vector3 sum = Vector3::Zero();
        double size = 0;
        int count = 0;
        for (int i = 0; i < shell.pointCount(); ++i) {
            if (shell.levelOf(i) > level) continue;
            ++count;
            sum += shell.area(i, level);
            size += shell.area(i, level).norm();
        }
        EXPECT_EQ(count, shell.pointCount(level));
        EXPECT_LT(sum.norm(), 1e-6 * area) << level;
        EXPECT_LT(size, 1.001 * area) << level;
        EXPECT_GT(size, (level == 0 ? 0.95 : 0.985) * area) << level << ", coarse pieces are bent";
        if (level > 0) {
            EXPECT_NEAR(shell.pointCount(level) / (4.0 * shell.pointCount(level - 1)), 0.8, 0.2) << level;
        }
    }
}

TEST(DistributedShellTest, KeepsItsSamplesEachOnce) {
    const ShellSamples samples = sampleShell(torusSurface(0.1, 0.03, 24), {}, 3000, nullptr);
    const DistributedShell shell(samples, 3, nullptr);
    std::vector<int> seen(static_cast<std::size_t>(shell.pointCount()), 0);
    for (int i = 0; i < shell.pointCount(); ++i) {
        ++seen[static_cast<std::size_t>(shell.sampleOf(i))];
        EXPECT_LT((shell.restPoint(i) - samples.positions.col(shell.sampleOf(i))).norm(), 1e-8);
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), shell.pointCount());
}

TEST(DistributedShellTest, BadInputIsRefusedWithItsCause) {
    const ShellSamples samples = sampleShell(torusSurface(0.1, 0.03, 24), {}, 1000, nullptr);
    EXPECT_THROW(DistributedShell(samples, 0, nullptr), Error);
    EXPECT_THROW(DistributedShell(samples, 9, nullptr), Error);
    EXPECT_THROW(DistributedShell(ShellSamples(), 3, nullptr), Error);
    ShellSamples broken = samples;
    broken.areas(1, 5) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(DistributedShell(broken, 3, nullptr), Error);
    SurfaceMesh flat = torusSurface(0.1, 0.03, 24);
    flat.positions.setZero();
    EXPECT_THROW(sampleShell(flat, {}, 100, nullptr), Error);
}

}  // namespace
}  // namespace pliant::test
