// SPDX-License-Identifier: Zlib
// What a soak says of the memory that it saw.
#include <gtest/gtest.h>

#include <cmath>

#include "stats/SoakStatistics.h"

namespace pliant::program {
namespace {

/// `first` bytes, `leak` more with every drop, and `ripple` more in every third one.
std::vector<DropRecord> drops(int count, double first, double leak, double ripple = 0.0) {
    std::vector<DropRecord> records(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        DropRecord& record = records[static_cast<std::size_t>(i)];
        record.memory.resident = record.memory.allocated = first + leak * i + (i % 3 == 0 ? ripple : 0.0);
        record.time = 10.0 * (i + 1);
    }
    return records;
}

TEST(SoakStatistics, FindsALeakUnderRipples) {
    const SoakSummary summary = SoakStatistics::summaryOf(drops(60, 2e8, 1e5, 1e6));
    EXPECT_NEAR(summary.residentSlope, 1e5, 1e4);
    EXPECT_FALSE(summary.flat);
    EXPECT_NE(soakProblem(summary), "");
}

TEST(SoakStatistics, RipplesAndOneStepAreFlat) {
    EXPECT_TRUE(SoakStatistics::summaryOf(drops(60, 2e8, 0.0, 5e6)).flat);
    std::vector<DropRecord> step = drops(60, 2e8, 0.0);
    step.front().memory.resident -= 2e7;  // what the second drop has taken once
    const SoakSummary summary = SoakStatistics::summaryOf(step);
    EXPECT_TRUE(summary.knowsMemory);
    EXPECT_TRUE(summary.flat);
    EXPECT_EQ(soakProblem(summary), "");
    EXPECT_DOUBLE_EQ(summary.simulated, 600.0);
}

/// What is larger than anything before takes memory, more and more rarely; a leak under it is seen all the same.
TEST(SoakStatistics, FindsALeakBehindTheBeginning) {
    for (const double leak : {0.0, 2e5}) {
        std::vector<DropRecord> records = drops(20, 3e8, leak);
        for (std::size_t i = 0; i < records.size(); ++i)
            records[i].memory.resident += 4e7 * (1.0 - std::exp(-0.5 * static_cast<double>(i)));
        EXPECT_EQ(SoakStatistics::summaryOf(records).flat, leak == 0.0);
    }
}

TEST(SoakStatistics, SaysNothingOfMemoryAfterTwoDrops) {
    const SoakSummary summary = SoakStatistics::summaryOf(drops(2, 2e8, 1e8));
    EXPECT_FALSE(summary.knowsMemory);
    EXPECT_EQ(soakProblem(summary), "");
}

TEST(SoakStatistics, LostBodiesAreAProblem) {
    std::vector<DropRecord> records = drops(5, 2e8, 0.0);
    records[3].lost = 2;
    EXPECT_EQ(soakProblem(SoakStatistics::summaryOf(records)), "2 bodies were lost");
    records[1].notFinite = 1;
    EXPECT_NE(soakProblem(SoakStatistics::summaryOf(records)).find("not a number"), std::string::npos);
}

}  // namespace
}  // namespace pliant::program
