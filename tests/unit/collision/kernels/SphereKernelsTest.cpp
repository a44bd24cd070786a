// SPDX-License-Identifier: Zlib
// The kernels give the same bits in registers of any width, and for a body alone and beside others.
#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "pliant/collision/kernels/SphereKernels.h"

namespace pliant {
namespace {

struct Bodies {
    int r, tiles;
    std::vector<float> coefficients, radii, q, rotated;
    std::vector<MovingSpheres> moving;

    Bodies(int dimension, int tileCount, int count, unsigned seed) : r(dimension), tiles(tileCount) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> part(-1.0f, 1.0f);
        const auto fill = [&](std::vector<float>& numbers, int size) {
            numbers.resize(static_cast<std::size_t>(size));
            for (float& number : numbers) number = part(random);
        };
        fill(coefficients, tiles * (1 + r) * 3 * kSpheresPerTile);
        fill(radii, tiles * kSpheresPerTile);
        fill(q, count * r + 1);
        fill(rotated, count * stride());
        moving.resize(static_cast<std::size_t>(count));
        for (int b = 0; b < count; ++b) {
            MovingSpheres& body = moving[static_cast<std::size_t>(b)];
            body.q = q.data() + b * r;
            body.rotated = rotated.data() + b * stride();
            for (float& entry : body.rotation) entry = part(random);
        }
    }
    Bodies(const Bodies&) = delete;
    Bodies& operator=(const Bodies&) = delete;

    int stride() const { return 4 * tiles * kSpheresPerTile; }
    int count() const { return static_cast<int>(moving.size()); }
    bool moveBy(int lanes) {
        return moveSpheresBy(lanes, coefficients.data(), radii.data(), tiles, r, count(), moving.data());
    }
};

void expectSameBits(const Bodies& one, const Bodies& other) {
    EXPECT_EQ(std::memcmp(one.rotated.data(), other.rotated.data(), one.rotated.size() * sizeof(float)), 0);
    for (std::size_t b = 0; b < one.moving.size(); ++b) {
        const MovingSpheres &x = one.moving[b], &y = other.moving[b];
        for (int k = 0; k < 8; ++k) EXPECT_EQ(x.box[k], y.box[k]) << b << ", " << k;
        for (int k = 0; k < 4; ++k) EXPECT_EQ(x.forward[k], y.forward[k]) << b << ", " << k;
        for (int k = 0; k < 4; ++k) EXPECT_EQ(x.backward[k], y.backward[k]) << b << ", " << k;
    }
}

/// By the definition, in double.
void expectSpheresWhereTheyAre(const Bodies& bodies) {
    for (int b = 0; b < bodies.count(); ++b)
        for (int i = 0; i < bodies.tiles * kSpheresPerTile; ++i) {
            const MovingSpheres& body = bodies.moving[static_cast<std::size_t>(b)];
            double position[3] = {}, rotated[3] = {};
            for (int k = 0; k < 3; ++k)
                for (int j = 0; j <= bodies.r; ++j)
                    position[k] += (j == 0 ? 1.0 : static_cast<double>(body.q[j - 1])) *
                                   static_cast<double>(bodies.coefficients[static_cast<std::size_t>(
                                       ((i / kSpheresPerTile * (1 + bodies.r) + j) * 3 + k) * kSpheresPerTile +
                                       i % kSpheresPerTile)]);
            for (int k = 0; k < 3; ++k)
                for (int l = 0; l < 3; ++l) rotated[k] += static_cast<double>(body.rotation[k + 3 * l]) * position[l];
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(body.rotated[4 * i + k], rotated[k], 1e-4);
            EXPECT_EQ(body.rotated[4 * i + 3], bodies.radii[static_cast<std::size_t>(i)]);
        }
}

TEST(SphereKernels, GiveTheSameBitsInRegistersOfAnyWidth) {
    unsigned seed = 0;
    for (const int r : {0, 1, 7, 24})
        for (const int tiles : {1, 3})
            for (int count = 1; count <= kBodiesTogether; ++count) {
                Bodies narrow(r, tiles, count, ++seed);
                ASSERT_TRUE(narrow.moveBy(4));
                expectSpheresWhereTheyAre(narrow);
                for (const int lanes : {8, 16}) {
                    Bodies wide(r, tiles, count, seed);
                    if (!wide.moveBy(lanes)) continue;  // the processor has no such registers
                    expectSameBits(narrow, wide);
                }
                Bodies chosen(r, tiles, count, seed);
                moveSpheres(chosen.coefficients.data(), chosen.radii.data(), tiles, r, count, chosen.moving.data());
                expectSameBits(narrow, chosen);
            }
}

TEST(SphereKernels, KnowNoOtherWidth) {
    Bodies bodies(2, 1, 1, 1);
    EXPECT_FALSE(bodies.moveBy(5));
}

}  // namespace
}  // namespace pliant
