// SPDX-License-Identifier: Zlib
// Two ways to the same contacts give the same bits.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"

namespace pliant::test {

inline void expectSame(const std::vector<SkeletonContact>& x, const std::vector<SkeletonContact>& y) {
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        ASSERT_EQ(x[i].feature, y[i].feature);
        ASSERT_EQ(x[i].distance, y[i].distance);
        ASSERT_EQ(x[i].normal, y[i].normal);
        ASSERT_EQ(x[i].pointA, y[i].pointA);
        ASSERT_EQ(x[i].pointB, y[i].pointB);
    }
}

}  // namespace pliant::test
