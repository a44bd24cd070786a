// SPDX-License-Identifier: Zlib
// Bristles stick exactly below the limit, slide at it, and belong to one point each.
#include <Eigen/Geometry>

#include "pliant/touch/BristleFriction.h"

namespace pliant::test {
namespace {

const Vector3 upwards = Vector3::UnitZ();

TEST(BristleFrictionTest, SticksBelowTheLimitAndComesBackToNothing) {
    BristleFriction friction(2);
    EXPECT_TRUE(friction.slide(1, Vector3(1e-3, 0, 5), upwards, 1000, 2).isApprox(Vector3(-1, 0, 0)));
    for (int k = 0; k < 1000; ++k)
        EXPECT_TRUE(friction.slide(1, Vector3::Zero(), upwards, 1000, 2).isApprox(Vector3(-1, 0, 0))) << k;
    EXPECT_LT(friction.slide(1, Vector3(-1e-3, 0, 0), upwards, 1000, 2).norm(), 1e-12);
}

TEST(BristleFrictionTest, SlidesAtTheLimitAndTurnsBackFromThere) {
    BristleFriction friction(1);
    for (int k = 0; k < 10; ++k) friction.slide(0, Vector3(0, 1e-3, 0), upwards, 1000, 2);
    EXPECT_TRUE(friction.slide(0, Vector3::Zero(), upwards, 1000, 2).isApprox(Vector3(0, -2, 0)));
    EXPECT_TRUE(friction.slide(0, Vector3(0, -1e-3, 0), upwards, 1000, 2).isApprox(Vector3(0, -1, 0)));
    EXPECT_EQ(friction.slide(0, Vector3(0, 1, 0), upwards, 1000, 0).norm(), 0.0);
}

TEST(BristleFrictionTest, EveryPointHasItsOwnBristleUntilItIsReleased) {
    BristleFriction friction(2);
    friction.slide(0, Vector3(1e-3, 0, 0), upwards, 1000, 2);
    EXPECT_EQ(friction.slide(1, Vector3::Zero(), upwards, 1000, 2).norm(), 0.0);
    friction.release(0);
    EXPECT_EQ(friction.slide(0, Vector3::Zero(), upwards, 1000, 2).norm(), 0.0);
}

TEST(BristleFrictionTest, ForceStaysInTheSurfaceWhenTheNormalTurns) {
    BristleFriction friction(1);
    friction.slide(0, Vector3(1e-3, 0, 0), upwards, 1000, 2);
    const Vector3 turned = Vector3(1, 0, 2).normalized();
    EXPECT_NEAR(friction.slide(0, Vector3::Zero(), turned, 1000, 2).dot(turned), 0.0, 1e-15);
}

}  // namespace
}  // namespace pliant::test
