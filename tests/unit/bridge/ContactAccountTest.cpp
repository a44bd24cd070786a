// SPDX-License-Identifier: Zlib
// The share of impulses whose work W(s) = s a + s^2 b is no more than what is allowed.
#include <gtest/gtest.h>

#include <cmath>

#include "btPliant/solver/ContactAccount.h"

namespace {

using btPliantInternal::shareOfWork;
using btPliantInternal::shareWithoutWork;

struct Work {
    double linear, square;  // a, b, J
    double at(double share) const { return share * (linear + share * square); }
};

// Convex, concave and straight, with either sign of a: no share beyond the one that is told is allowed.
TEST(ContactAccount, TheLargestShareThatIsAllowedIsTold) {
    for (const Work work : {Work{-1.0, 3.0}, Work{-40.0, 40.5}, Work{2.0, 3.0}, Work{3.0, -1.0}, Work{2.0, 0.0},
                            Work{1e-9, 2.0}, Work{-1e4, 1e4 + 2.0}})
        for (const double part : {1e-6, 0.05, 0.1, 0.5, 0.99}) {
            const double whole = work.at(1.0), allowed = part * whole;
            const double share = shareOfWork(whole, work.linear, allowed);
            const double rounding = 1e-12 * (std::abs(work.linear) + std::abs(work.square));
            EXPECT_NEAR(work.at(share), allowed, rounding) << work.linear << ", " << work.square << ", " << part;
            EXPECT_GT(share, 0.0);
            EXPECT_LT(share, 1.0);
            for (int k = 1; k <= 20; ++k)
                EXPECT_GE(work.at(share + (1.0 - share) * k / 20.0), allowed - rounding) << share << ", " << k;
        }
}

TEST(ContactAccount, WhereNothingIsAllowedTheWorkIsNone) {
    EXPECT_EQ(shareOfWork(2.0, -1.0, 0.0), shareWithoutWork(2.0, -1.0));
    EXPECT_NEAR(shareOfWork(2.0, -1.0, 0.0), 1.0 / 3.0, 1e-15);
    EXPECT_EQ(shareOfWork(2.0, 1.0, 0.0), 0.0);
}

}  // namespace
