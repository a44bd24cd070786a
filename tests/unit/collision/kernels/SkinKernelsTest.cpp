// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "pliant/collision/kernels/SkinKernels.h"

namespace pliant::test {
namespace {

// Every instruction set sums a column by itself and row by row, so the bits of the one in use are those of two plain
// loops. Bodies with less detail have fewer coordinates than panels have rows.
TEST(SkinKernels, GrowthIsSummedColumnByColumn) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const int panels = 3, rows = 49, used = 20;
    std::vector<double> growth(static_cast<std::size_t>(panels * rows * kGrowthColumns));
    std::vector<float> q(used);
    for (double& each : growth) each = std::abs(number(engine));
    for (float& each : q) each = static_cast<float>(number(engine));
    std::vector<double> sums(static_cast<std::size_t>(panels * kGrowthColumns), -1.0);
    sumGrowth(growth.data(), panels, rows, used, q.data(), sums.data());
    for (int c = 0; c < panels * kGrowthColumns; ++c) {
        double expected = 0.0;
        for (int j = 0; j < used; ++j) {
            const int at = (c / kGrowthColumns * rows + j) * kGrowthColumns + c % kGrowthColumns;
            expected +=
                growth[static_cast<std::size_t>(at)] * std::abs(static_cast<double>(q[static_cast<std::size_t>(j)]));
        }
        EXPECT_EQ(sums[static_cast<std::size_t>(c)], expected) << c;
    }
}

}  // namespace
}  // namespace pliant::test
