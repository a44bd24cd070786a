// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include "pliant/scene/Placing.h"

namespace pliant::scene {
namespace {

TEST(Placing, AGridIsCentredAndOrderedXThenYThenZ) {
    Placement placement;
    placement.position = Vector3(1, 2, 3);
    placement.count = {2, 3, 1};
    placement.spacing = Vector3(10, 1, 1);
    const std::vector<RigidTransform> places = place(placement, Vector3::UnitZ());
    ASSERT_EQ(places.size(), 6u);
    EXPECT_EQ(places[0].translation, Vector3(-4, 1, 3));
    EXPECT_EQ(places[1].translation, Vector3(6, 1, 3));
    EXPECT_EQ(places[2].translation, Vector3(-4, 2, 3));
    EXPECT_EQ(places[0].rotation, Matrix3::Identity());
}

TEST(Placing, AStackGrowsAlongUpFromItsPosition) {
    Placement placement;
    placement.position = Vector3(1, 0, 0);
    placement.isStack = true;
    placement.count = {3, 1, 1};
    placement.spacing = Vector3::Constant(0.5);
    const std::vector<RigidTransform> places = place(placement, Vector3::UnitY());
    ASSERT_EQ(places.size(), 3u);
    EXPECT_EQ(places[2].translation, Vector3(1, 1, 0));
}

TEST(Placing, TurnsAreAboutXThenYThenZOfTheWorld) {
    Placement placement;
    placement.rotation = Vector3(90, 90, 0);
    const Matrix3 rotation = place(placement, Vector3::UnitZ())[0].rotation;
    // x: 90 deg about x leaves it, then 90 deg about y takes it to -z
    EXPECT_NEAR((rotation * Vector3::UnitX() + Vector3::UnitZ()).norm(), 0.0, 1e-15);
    // y: to z, then to x
    EXPECT_NEAR((rotation * Vector3::UnitY() - Vector3::UnitX()).norm(), 0.0, 1e-15);
}

TEST(Placing, JitterIsBoundedSeededAndTheSameEveryTime) {
    Placement placement;
    placement.count = {10, 10, 10};
    placement.jitterPosition = 0.25;
    placement.jitterRotation = 10.0;
    placement.seed = 4;
    const std::vector<RigidTransform> first = place(placement, Vector3::UnitZ());
    const std::vector<RigidTransform> again = place(placement, Vector3::UnitZ());
    placement.seed = 5;
    const std::vector<RigidTransform> other = place(placement, Vector3::UnitZ());
    double largest = 0.0, largestAngle = 0.0, mean = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].translation, again[i].translation);
        EXPECT_EQ(first[i].rotation, again[i].rotation);
        EXPECT_NE(first[i].translation, other[i].translation);
        largest = std::max(largest, first[i].translation.cwiseAbs().maxCoeff());
        mean += first[i].translation.x() / 1000.0;
        largestAngle = std::max(largestAngle, std::acos(0.5 * (first[i].rotation.trace() - 1.0)));
    }
    EXPECT_LE(largest, 0.25);
    EXPECT_GT(largest, 0.24);
    EXPECT_NEAR(mean, 0.0, 0.02);
    EXPECT_LE(largestAngle, 10.0 / 180.0 * 3.14159266);
    EXPECT_GT(largestAngle, 9.0 / 180.0 * 3.14159265);
}

}  // namespace
}  // namespace pliant::scene
