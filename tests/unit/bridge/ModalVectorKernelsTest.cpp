// SPDX-License-Identifier: Zlib
// Products of modal vectors have the same bits whatever the width of the registers is.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {
namespace {

constexpr int kCount = 40;

std::vector<btScalar> numbers(unsigned seed, int count) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<btScalar> part(btScalar(-1), btScalar(1));
    std::vector<btScalar> made(static_cast<std::size_t>(count));
    for (btScalar& number : made) number = part(random);
    return made;
}

template <int width>
std::vector<btScalar> results() {
    const std::vector<btScalar> rows = numbers(1, 3 * kCount), b = numbers(2, kCount), c = numbers(3, 3);
    std::vector<btScalar> all(3, btScalar(0.25));
    modalDots<width>(rows.data(), b.data(), kCount, all.data());
    all.push_back(modalDot<width>(rows.data(), b.data(), kCount));
    std::vector<btScalar> one = b, three = b;
    modalAdd<width>(one.data(), c[0], rows.data(), kCount);
    modalAddThree<width>(three.data(), c.data(), rows.data(), kCount);
    all.insert(all.end(), one.begin(), one.end());
    all.insert(all.end(), three.begin(), three.end());
    return all;
}

TEST(ModalVectorKernels, GiveTheSameBitsInRegistersOfAnyWidth) {
    const std::vector<btScalar> narrow = results<kModalWidthBaseline>();
    EXPECT_EQ(narrow, results<kModalWidthAvx2>());
    EXPECT_EQ(narrow, results<kModalWidthAvx512>());
}

TEST(ModalVectorKernels, AddAndMultiply) {
    const std::vector<btScalar> rows = numbers(1, 3 * kCount), b = numbers(2, kCount), c = numbers(3, 3);
    const std::vector<btScalar> found = results<kModalWidthBaseline>();
    const auto row = [&rows](int k, int j) { return double(rows[static_cast<std::size_t>(k * kCount + j)]); };
    const auto entry = [&found](int i) { return double(found[static_cast<std::size_t>(i)]); };
    for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int j = 0; j < kCount; ++j) sum += row(k, j) * double(b[static_cast<std::size_t>(j)]);
        EXPECT_NEAR(entry(k), 0.25 + sum, 1e-5);
        if (k == 0) {
            EXPECT_NEAR(entry(3), sum, 1e-5);
        }
    }
    for (int j = 0; j < kCount; ++j) {
        const double before = double(b[static_cast<std::size_t>(j)]);
        EXPECT_NEAR(entry(4 + j), before + double(c[0]) * row(0, j), 1e-5);
        const double three = double(c[0]) * row(0, j) + double(c[1]) * row(1, j) + double(c[2]) * row(2, j);
        EXPECT_NEAR(entry(4 + kCount + j), before + three, 1e-5);
    }
}

}  // namespace
}  // namespace btPliantInternal
