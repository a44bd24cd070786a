// SPDX-License-Identifier: Zlib
// What is left out before convex shapes are tested, and what turning shapes are taken to sweep.
#include <btBulletDynamicsCommon.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "btPliant/narrowphase/ConvexBounds.h"
#include "btPliant/narrowphase/MotionPrediction.h"

namespace pliant::test {
namespace {

using btPliantInternal::ConvexBounds;

constexpr double kRadius = 0.3, kHalfHeight = 1.0;       // m, of the cylinder
constexpr double kPlate[3] = {1.0, 0.02, 0.7};           // m, half sizes
constexpr double kSegmentRadius = 0.01, kMargin = 0.02;  // m

btVector3 vectorOf(double x, double y, double z) {
    return btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y), static_cast<btScalar>(z));
}

btTransform slanting() {
    return btTransform(btQuaternion(btVector3(1, 2, 3).normalized(), btScalar(0.7)), vectorOf(0.3, -0.2, 0.1));
}

double outside(double a, double b, double c = 0.0) {
    return std::sqrt(std::pow(std::max(a, 0.0), 2) + std::pow(std::max(b, 0.0), 2) + std::pow(std::max(c, 0.0), 2));
}

double fromCylinder(const btVector3& x) {
    const auto radial = std::hypot(static_cast<double>(x.x()), static_cast<double>(x.z()));
    return outside(radial - kRadius, std::fabs(static_cast<double>(x.y())) - kHalfHeight);
}

double fromPlate(const btVector3& x) {
    double beyond[3];
    for (int k = 0; k < 3; ++k) beyond[k] = std::fabs(static_cast<double>(x[k])) - kPlate[k];
    return outside(beyond[0], beyond[1], beyond[2]);
}

/// How many of random segments may touch, how many do, and how many in the box that the world's axes make.
struct Counts {
    int may = 0, touch = 0, inBox = 0;
};

template <class Distance>
Counts countSegments(const btConvexShape& shape, const Distance& distance) {
    const btTransform frame = slanting();
    const ConvexBounds bounds(shape, frame);
    btVector3 lower, upper;
    shape.getAabb(frame, lower, upper);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-1.5, 1.5), way(-0.1, 0.1);
    Counts counts;
    for (int i = 0; i < 20000; ++i) {
        CapsuleSegment segment;
        for (int k = 0; k < 3; ++k) segment.end[0][k] = place(random);
        for (int k = 0; k < 3; ++k) segment.end[1][k] = segment.end[0][k] + way(random);
        segment.radius[0] = segment.radius[1] = kSegmentRadius;
        double nearest = 1e9;
        bool isInBox = true;
        for (int step = 0; step <= 10; ++step) {
            const Vector3 x = segment.end[0] + 0.1 * step * (segment.end[1] - segment.end[0]);
            nearest = std::min(nearest, distance(frame.invXform(vectorOf(x[0], x[1], x[2]))));
        }
        for (int k = 0; k < 3; ++k) {
            const double reach = kSegmentRadius + kMargin;
            isInBox &= std::min(segment.end[0][k], segment.end[1][k]) <= static_cast<double>(upper[k]) + reach &&
                       std::max(segment.end[0][k], segment.end[1][k]) >= static_cast<double>(lower[k]) - reach;
        }
        const bool may = bounds.mayTouch(segment, kMargin), touches = nearest <= kSegmentRadius + kMargin;
        EXPECT_TRUE(may || !touches) << "segment " << i << ", " << nearest << " m away";
        SegmentPath path;  // along the segment: it sweeps the same
        path.now = segment;
        path.now.end[1] = path.now.end[0];
        path.motion[0] = path.motion[1] = segment.end[1] - segment.end[0];
        EXPECT_TRUE(bounds.mayTouch(path, kMargin) || !touches) << "path " << i;
        const Vector3& end = segment.end[0];
        EXPECT_TRUE(bounds.mayTouch(end, kSegmentRadius, kMargin) ||
                    distance(frame.invXform(vectorOf(end[0], end[1], end[2]))) > kSegmentRadius + kMargin);
        counts.may += may;
        counts.touch += touches;
        counts.inBox += isInBox;
    }
    return counts;
}

TEST(ConvexBounds, LeaveOutNothingThatTouchesARollerAndLittleElse) {
    const btCylinderShape cylinder(vectorOf(kRadius, kHalfHeight, kRadius));
    const Counts counts = countSegments(cylinder, fromCylinder);
    EXPECT_GT(counts.touch, 300);
    EXPECT_LT(counts.may, 1.1 * counts.touch);
    EXPECT_GT(counts.inBox, 3 * counts.may);
}

TEST(ConvexBounds, LeaveOutNothingThatTouchesASlantingPlateAndLittleElse) {
    const btBoxShape plate(vectorOf(kPlate[0], kPlate[1], kPlate[2]));
    const Counts counts = countSegments(plate, fromPlate);
    EXPECT_GT(counts.touch, 200);
    EXPECT_LT(counts.may, 1.1 * counts.touch);
    EXPECT_GT(counts.inBox, 10 * counts.may);
}

double sweptBy(btCollisionShape& shape, const btVector3& turning) {
    btRigidBody body(btScalar(1), nullptr, &shape, btVector3(1, 1, 1));
    body.setCenterOfMassTransform(slanting());
    body.setAngularVelocity(slanting().getBasis() * turning);
    return btPliantInternal::turningMotion(body, 0.01);
}

TEST(TurningMotion, OfARollerAboutItsOwnAxisIsNone) {
    btCylinderShape cylinder(vectorOf(kRadius, kHalfHeight, kRadius));
    btCapsuleShapeZ capsule(static_cast<btScalar>(kRadius), static_cast<btScalar>(kHalfHeight));
    btConeShapeX cone(static_cast<btScalar>(kRadius), static_cast<btScalar>(kHalfHeight));
    btSphereShape sphere(btScalar(1));
    btBoxShape box(vectorOf(kRadius, kHalfHeight, kRadius));
    EXPECT_NEAR(sweptBy(cylinder, btVector3(0, 10, 0)), 0.0, 1e-6);
    EXPECT_NEAR(sweptBy(capsule, btVector3(0, 0, 10)), 0.0, 1e-6);
    EXPECT_NEAR(sweptBy(cone, btVector3(10, 0, 0)), 0.0, 1e-6);
    EXPECT_EQ(sweptBy(sphere, btVector3(3, 4, 5)), 0.0);
    const auto disc = static_cast<double>(cylinder.getAngularMotionDisc());
    EXPECT_NEAR(sweptBy(cylinder, btVector3(10, 5, 0)), 0.01 * 10 * disc, 1e-5);
    EXPECT_NEAR(sweptBy(box, btVector3(0, 10, 0)), 0.01 * 10 * static_cast<double>(box.getAngularMotionDisc()), 1e-5);
}

}  // namespace
}  // namespace pliant::test
