// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "pliant/collision/kernels/SkinKernels.h"

namespace pliant::test {
namespace {

/// Panels with room for more coordinates than bodies with less detail have.
struct GrowthCase {
    explicit GrowthCase(int panelCount) : panels(panelCount), growth(size(panelCount * rows * kGrowthColumns)) {
        std::mt19937 engine(5);
        std::uniform_real_distribution<double> number(-1.0, 1.0);
        for (double& each : growth) each = std::abs(number(engine));
        for (std::vector<float>* each : {&q, &p})
            for (float& x : *each) x = static_cast<float>(number(engine));
    }
    static std::size_t size(int count) { return static_cast<std::size_t>(count); }
    double plainSum(int c, const std::vector<float>& of) const {
        double sum = 0.0;
        for (int j = 0; j < used; ++j)
            sum += growth[size((c / kGrowthColumns * rows + j) * kGrowthColumns + c % kGrowthColumns)] *
                   std::abs(static_cast<double>(of[size(j)]));
        return sum;
    }

    static constexpr int rows = 49, used = 20;
    int panels;
    std::vector<double> growth;
    std::vector<float> q = std::vector<float>(used), p = q;
};

// Every instruction set sums a column by itself and row by row, so its bits are those of two plain loops: all sets that
// the processor has are run here, with as many panels as leave some beside those that are summed side by side.
TEST(SkinKernels, GrowthIsSummedColumnByColumnWithEverySet) {
    int sets = 0;
    for (const InstructionSet set : {InstructionSet::Sse2, InstructionSet::Avx2, InstructionSet::Avx512}) {
        if (!processorHas(set)) continue;
        ++sets;
        for (const int panels : {1, 3, 4, 7}) {
            const GrowthCase given(panels);
            std::vector<double> ofQ(GrowthCase::size(panels * kGrowthColumns), -1.0), ofP = ofQ;
            sumGrowthWith(set, given.growth.data(), panels, GrowthCase::rows, GrowthCase::used, given.q.data(),
                          given.p.data(), ofQ.data(), ofP.data());
            for (int c = 0; c < panels * kGrowthColumns; ++c) {
                EXPECT_EQ(ofQ[GrowthCase::size(c)], given.plainSum(c, given.q)) << static_cast<int>(set) << ' ' << c;
                EXPECT_EQ(ofP[GrowthCase::size(c)], given.plainSum(c, given.p)) << static_cast<int>(set) << ' ' << c;
            }
        }
    }
    EXPECT_GE(sets, 1);
}

// What bodies use is one of them.
TEST(SkinKernels, GrowthInUseIsThatOfTheWidestSet) {
    const GrowthCase given(4);
    std::vector<double> ofQ(GrowthCase::size(4 * kGrowthColumns)), ofP = ofQ, expectedQ = ofQ, expectedP = ofQ;
    sumGrowth(given.growth.data(), 4, GrowthCase::rows, GrowthCase::used, given.q.data(), given.p.data(), ofQ.data(),
              ofP.data());
    sumGrowthWith(InstructionSet::Sse2, given.growth.data(), 4, GrowthCase::rows, GrowthCase::used, given.q.data(),
                  given.p.data(), expectedQ.data(), expectedP.data());
    EXPECT_EQ(ofQ, expectedQ);
    EXPECT_EQ(ofP, expectedP);
}

}  // namespace
}  // namespace pliant::test
