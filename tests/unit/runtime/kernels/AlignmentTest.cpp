// SPDX-License-Identifier: Zlib
// Eigen aligns its heap blocks by the instruction set of the translation unit; DontAlign in math/Types.h keeps a
// library and a program that were compiled for different processors together. Heap errors would abort, most surely
// under the address sanitizer.
#include <gtest/gtest.h>

#include "AlignmentPair.h"

namespace pliant {
namespace {

TEST(Alignment, ObjectsCrossBetweenInstructionSets) {
    EXPECT_FALSE(test::plain::usesWideVectors());
    EXPECT_TRUE(test::wide::usesWideVectors());
    if (!__builtin_cpu_supports("avx512f")) GTEST_SKIP() << "this processor has no AVX-512";
    for (const int r : {1, 3, 7, 8, 13, 20}) {
        test::Parcel a = test::plain::make(r), b = test::wide::make(r);
        const double first = test::wide::useAndShrink(a), second = test::plain::useAndShrink(b);
        EXPECT_NEAR(first, second, 1e-9 * first);
        test::wide::destroy(std::move(a));
        test::plain::destroy(std::move(b));
        test::Parcel c = test::plain::make(r);
        c = test::wide::make(r);
        EXPECT_EQ(test::plain::useAndShrink(c), second);
    }
}

}  // namespace
}  // namespace pliant
