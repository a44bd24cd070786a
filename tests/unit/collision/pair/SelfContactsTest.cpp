// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <cmath>

#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/SelfContacts.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

TEST(SelfContacts, EqualBruteForceOnRandomPoses) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    const RestNeighbours neighbours(model);
    DeformedBody body(model);
    std::mt19937 random(11);
    const int segments = model->skeleton().segmentCount();
    std::size_t total = 0;
    for (int i = 0; i < 12; ++i) {
        body.update(test::randomCoordinates(random, 7, 0.03 * (i % 4)).data(),
                    test::randomPose(random, 500.0 * (i % 2)));
        const double margin = i % 3 ? 0.004 : 0.0;
        std::vector<SkeletonContact> found, expected;
        collideSelf(body, neighbours, margin, found);
        for (int a = 0; a < segments; ++a)
            for (int b = a + 1; b < segments; ++b) {
                SkeletonContact contacts[2];
                const int count = collideSegments(body, a, body, b, margin, contacts);
                if (!neighbours.areNeighbours(b, a)) expected.insert(expected.end(), contacts, contacts + count);
            }
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t k = 0; k < found.size(); ++k) {
            EXPECT_EQ(found[k].feature, expected[k].feature);
            EXPECT_EQ(found[k].distance, expected[k].distance);
            EXPECT_EQ(found[k].normal, expected[k].normal);
        }
        total += found.size();
    }
    EXPECT_GT(total, 100u);
}

TEST(SelfContacts, NothingTouchesAtRest) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    const RestNeighbours neighbours(model);
    DeformedBody body(model);
    const VectorX rest = VectorX::Zero(7);
    body.update(rest.data(), RigidTransform());
    const double strand = test::BasketShape{}.strand;
    std::vector<SkeletonContact> found;
    collideSelf(body, neighbours, 0.99 * RestNeighbours::kNear * 2.0 * strand, found);
    EXPECT_TRUE(found.empty()) << found.size();
    // Hoops and uprights cross: more pairs than those that share a sphere.
    std::size_t adjacent = 0;
    for (int a = 0; a < model->skeleton().segmentCount(); ++a)
        for (int b = a + 1; b < model->skeleton().segmentCount(); ++b) adjacent += model->adjacent(a, b);
    EXPECT_GT(neighbours.pairCount(), adjacent);
}

}  // namespace
}  // namespace pliant
