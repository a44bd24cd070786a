// SPDX-License-Identifier: Zlib
// What engines of others are given, against geometry that is known without it.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "pliant/collision/pair/CollidingBody.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

/// A rod of radius 0.1 m from x = -0.2 to 0.2; its one mode moves the right end along z.
std::shared_ptr<const CollisionModel> rod() {
    Points centres(3, 2);
    centres << -0.2, 0.2, 0.0, 0.0, 0.0, 0.0;
    auto model = std::make_shared<ReducedModel>(*test::polylineModel(centres, VectorX::Constant(2, 0.1)));
    model->skeleton.basis(5, 0) = 1.0f;
    model->skeletonTree = buildSkeletonTree(model->skeleton);
    return makeCollisionModel(model);
}

RigidTransform at(double x, double y, double z) {
    RigidTransform place;
    place.translation = Vector3(x, y, z);
    return place;
}

const double unbent = 0.0, bentUp = 0.05;

TEST(CollidingBody, FindsTwoRodsThatCross) {
    const auto model = rod();
    CollidingBody a(model), b(model);
    RigidTransform crossed = at(0.0, 0.0, 0.0);
    crossed.rotation = Eigen::AngleAxisd(std::acos(0.0), Vector3::UnitZ()).toRotationMatrix();
    ASSERT_TRUE(a.move(&unbent, at(0.0, 0.0, 0.19)));
    ASSERT_TRUE(b.move(&unbent, crossed));
    PairContacts pair;
    const std::vector<SkeletonContact>& found = pair.find(a, b, 0.0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].distance, -0.01, 1e-6);
    EXPECT_NEAR((found[0].normal - Vector3::UnitZ()).norm(), 0.0, 1e-6) << "from B to A";
    EXPECT_NEAR(found[0].parameterA, 0.5, 1e-6);
    EXPECT_NEAR((found[0].pointA - Vector3(0.0, 0.0, 0.09)).norm(), 0.0, 1e-6);
    EXPECT_NEAR((found[0].pointB - Vector3(0.0, 0.0, 0.1)).norm(), 0.0, 1e-6);

    ASSERT_TRUE(a.move(&unbent, at(0.0, 0.0, 0.21)));
    EXPECT_TRUE(pair.find(a, b, 0.0).empty());
    EXPECT_EQ(pair.find(a, b, 0.02).size(), 1u);
}

// Without the memory of the pair the normal would turn round where the axes have passed each other.
TEST(CollidingBody, RodsKeepTheSideTheyCameFrom) {
    const auto model = rod();
    CollidingBody a(model), b(model);
    RigidTransform crossed = at(0.0, 0.0, 0.0);
    crossed.rotation = Eigen::AngleAxisd(std::acos(0.0), Vector3::UnitZ()).toRotationMatrix();
    ASSERT_TRUE(b.move(&unbent, crossed));
    PairContacts pair, other;
    for (const double z : {0.15, 0.02, -0.02}) {
        ASSERT_TRUE(a.move(&unbent, at(0.0, 0.0, z)));
        const std::vector<SkeletonContact>& found = pair.find(a, b, 0.0);
        ASSERT_EQ(found.size(), 1u);
        EXPECT_NEAR(found[0].normal.z(), 1.0, 1e-6);
        EXPECT_NEAR(found[0].distance, z - 0.2, 1e-6);
    }
    ASSERT_EQ(other.find(a, b, 0.0).size(), 1u);
    EXPECT_NEAR(other.find(a, b, 0.0)[0].normal.z(), -1.0, 1e-6);
}

TEST(CollidingBody, BendsWithItsMode) {
    CollidingBody body(rod());
    ASSERT_TRUE(body.move(&bentUp, at(1.0, 2.0, 3.0)));
    Vector3 lower, upper;
    body.bounds(lower, upper);
    EXPECT_NEAR((lower - Vector3(0.7, 1.9, 2.9)).norm(), 0.0, 1e-6);
    EXPECT_NEAR((upper - Vector3(1.3, 2.1, 3.15)).norm(), 0.0, 1e-6);

    std::vector<CapsuleSegment> near;
    body.segmentsNear(Vector3(1.0, 2.15, 3.0), Vector3(1.1, 2.2, 3.1), 0.0, near);
    EXPECT_TRUE(near.empty()) << "the box is 5 cm beside the rod";
    body.segmentsNear(Vector3(1.0, 2.15, 3.0), Vector3(1.1, 2.2, 3.1), 0.06, near);
    ASSERT_EQ(near.size(), 1u);
    EXPECT_NEAR((near[0].end[1] - Vector3(1.2, 2.0, 3.05)).norm(), 0.0, 1e-6);
    EXPECT_NEAR(near[0].radius[0], 0.1, 1e-7);

    double modal = 0.0;
    body.project(0, 0.25f, Vector3(0.3, 0.4, 0.5), &modal);
    EXPECT_NEAR(modal, 0.25 * 0.5, 1e-7) << "a quarter of the end's motion, along the direction";
}

TEST(CollidingBody, ProjectsInTheFrameOfTheBody) {
    CollidingBody body(rod());
    RigidTransform turned = at(0.0, 0.0, 0.0);
    turned.rotation = Eigen::AngleAxisd(std::acos(0.0), Vector3::UnitX()).toRotationMatrix();  // z -> -y
    ASSERT_TRUE(body.move(&unbent, turned));
    double modal = 0.0;
    body.project(0, 1.0f, Vector3(0.0, 1.0, 0.0), &modal);
    EXPECT_NEAR(modal, -1.0, 1e-7);
}

TEST(CollidingBody, LiesOnAPlane) {
    CollidingBody body(rod());
    ASSERT_TRUE(body.move(&bentUp, at(0.0, 0.0, 0.095)));
    PlaneContacts plane;
    const std::vector<SkeletonContact>& found = plane.find(body, Vector3::UnitZ(), 0.0, 0.0);
    ASSERT_EQ(found.size(), 1u) << "the other end is bent upwards";
    EXPECT_NEAR(found[0].distance, -0.005, 1e-6);
    EXPECT_EQ(found[0].segmentB, -1);
    EXPECT_EQ(plane.find(body, Vector3::UnitZ(), 0.0, 0.05).size(), 2u);
}

TEST(CollidingBody, StaysWhereItIsWhenThePlaceIsNone) {
    CollidingBody body(rod());
    ASSERT_TRUE(body.move(&unbent, at(1.0, 0.0, 0.0)));
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(body.move(&nan, at(2.0, 0.0, 0.0)));
    EXPECT_FALSE(body.move(&unbent, at(nan, 0.0, 0.0)));
    EXPECT_EQ(body.worldFromBody().translation.x(), 1.0);
}

TEST(CollidingBody, TakesContactsOfTheEnginesShapes) {
    CollidingBody body(rod());
    std::vector<CapsuleSegment> near;
    body.segmentsNear(Vector3::Zero(), Vector3::Zero(), 0.0, near);
    ASSERT_EQ(near.size(), 1u);
    const SkeletonContact contact =
        contactWithShape(near[0], Vector3(0.1, 0.0, 0.0), Vector3(0.1, 0.0, -0.08), Vector3::UnitZ());
    EXPECT_NEAR(contact.parameterA, 0.75, 1e-6);
    EXPECT_NEAR(contact.distance, -0.02, 1e-6);
    EXPECT_NEAR((contact.pointA - Vector3(0.1, 0.0, -0.1)).norm(), 0.0, 1e-6);
}

}  // namespace
}  // namespace pliant
