// SPDX-License-Identifier: Zlib
// Times as people read them, of any length.
#include <gtest/gtest.h>

#include <limits>

#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

TEST(Duration, OfAnyLength) {
    EXPECT_EQ(duration(0.05), "50.00 ms");
    EXPECT_EQ(duration(12.0), "12.0 s");
    EXPECT_EQ(duration(119.0), "1 min 59 s");
    EXPECT_EQ(duration(7200.0 + 61.0), "2 h 01 min");
    EXPECT_EQ(duration(3.0 * 86400.0), "3 days");
    EXPECT_EQ(duration(1e9), "32 years");
    EXPECT_EQ(duration(1e15), "more than 1000 years");
    EXPECT_EQ(duration(std::numeric_limits<double>::infinity()), "more than 1000 years");
}

}  // namespace
}  // namespace pliant::program
