// SPDX-License-Identifier: Zlib
// Contacts on the way of a step, against looking at many moments of it.
#include <algorithm>
#include <cmath>
#include <map>

#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/ContinuousCollision.h"
#include "pliant/collision/pair/SegmentPath.h"
#include "pliant/collision/pair/SkeletonQueries.h"
#include "pliant/math/SegmentDistance.h"
#include "unit/collision/SyntheticBasket.h"
#include "unit/collision/pair/SameContacts.h"

namespace pliant {
namespace {

constexpr int kMoments = 400;

TaperedSegment at(const MovingSegment& moving, double t) {
    TaperedSegment segment;
    const Vector3 start = moving.now.end[0] + t * (moving.end[0] - moving.now.end[0]);
    const Vector3 end = moving.now.end[1] + t * (moving.end[1] - moving.now.end[1]);
    segment.start = start;
    segment.extent = end - start;
    segment.radius = moving.now.radius[0];
    segment.taper = moving.now.radius[1] - moving.now.radius[0];
    return segment;
}

/// Least distance of two segments at any of the moments.
double leastDistance(const MovingSegment& a, const MovingSegment& b) {
    double least = 1e30;
    for (int i = 0; i <= kMoments; ++i) {
        const TaperedSegment x = at(a, i / double(kMoments)), y = at(b, i / double(kMoments));
        least = std::min(least, capsuleDistance(x, y, closestParameters(x, y)));
    }
    return least;
}

/// A body that flies, turns and deforms.
void throwBody(DeformedBody& body, std::mt19937& random, const Vector3& way) {
    const VectorX q = test::randomCoordinates(random, 7, 0.02), change = test::randomCoordinates(random, 7, 0.004);
    const RigidTransform pose = test::randomPose(random, 0.15);
    RigidTransform ahead = pose;
    ahead.rotation = Eigen::AngleAxisd(0.2, test::randomPose(random, 1.0).rotation.col(0)) * pose.rotation;
    ahead.translation += way;
    body.update(q.data(), pose);
    body.predictMotion(VectorX(q + change).data(), ahead);
}

struct Flight {
    explicit Flight(unsigned seed, double far)
        : model(std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}))), a(model), b(model) {
        std::mt19937 random(seed);
        throwBody(a, random, Vector3(0, 0, -far));
        throwBody(b, random, Vector3(far, 0, 0));
    }
    std::shared_ptr<const CollisionModel> model;
    DeformedBody a, b;
};

TEST(ContinuousCollision, FindsWhatTouchesAtAnyMomentAndNothingElse) {
    std::size_t touched = 0, before = 0;
    for (unsigned seed = 1; seed <= 4; ++seed) {
        const Flight flight(seed, 0.3);
        const double margin = seed % 2 ? 0.0 : 0.002;
        std::vector<SkeletonContact> out, now;
        collideBodiesContinuous(flight.a, flight.b, margin, out);
        collideBodies(flight.a, flight.b, margin, now);
        std::map<std::pair<int, int>, SkeletonContact> found;
        for (const SkeletonContact& contact : out) found[{contact.segmentA, contact.segmentB}] = contact;
        const int count = flight.model->skeleton().segmentCount();
        std::vector<MovingSegment> pathsA, pathsB;
        for (int i = 0; i < count; ++i) {
            pathsA.push_back(flight.a.movingSegment(i));
            pathsB.push_back(flight.b.movingSegment(i));
        }
        // Between two moments nothing comes nearer by more than a share of the way; grazing is left open.
        const double unseen = 0.7 / kMoments;
        for (int i = 0; i < count; ++i)
            for (int j = 0; j < count; ++j) {
                const bool isThere = found.count({i, j}) > 0;
                const double least = leastDistance(pathsA[std::size_t(i)], pathsB[std::size_t(j)]);
                if (least <= margin) {
                    EXPECT_TRUE(isThere) << seed << ": " << i << " " << j << " come within " << least;
                    ++touched;
                } else if (isThere) {
                    EXPECT_LT(least, margin + unseen) << seed << ": " << i << " " << j;
                }
            }
        before += now.size();
    }
    EXPECT_GT(touched, 4 * before + 500);
}

TEST(ContinuousCollision, ContactsOfThePresentAreThoseOfCollideBodies) {
    const Flight flight(7, 0.05);
    std::vector<SkeletonContact> out, now;
    collideBodiesContinuous(flight.a, flight.b, 0.004, out);
    collideBodies(flight.a, flight.b, 0.004, now);
    ASSERT_GT(now.size(), 5u);
    std::vector<SkeletonContact> same;
    for (const SkeletonContact& contact : out)
        if (std::any_of(now.begin(), now.end(), [&](const auto& c) { return c.feature == contact.feature; }))
            same.push_back(contact);
    test::expectSame(same, now);
}

TEST(ContinuousCollision, HoldingTheDistanceStopsThePointsWhereTheyTouch) {
    const Flight flight(3, 0.3);
    std::vector<SkeletonContact> out;
    collideBodiesContinuous(flight.a, flight.b, 0.0, out);
    int ahead = 0;
    for (const SkeletonContact& c : out) {
        EXPECT_NEAR(c.normal.norm(), 1.0, 1e-12);
        EXPECT_NEAR((c.pointA - c.pointB).dot(c.normal), c.distance, 1e-9);
        if (c.distance <= 0.0) continue;
        ++ahead;
        // With the share of the step that uses the distance up, the points of both segments lie on each other.
        ASSERT_GT(c.closing, 0.0);
        const double time = c.distance / c.closing;
        EXPECT_LE(time, 1.0 + 1e-6);
        const TaperedSegment a = at(flight.a.movingSegment(c.segmentA), time),
                             b = at(flight.b.movingSegment(c.segmentB), time);
        const Vector3 pa = a.point(double(c.parameterA)) - c.radiusA * c.normal;
        const Vector3 pb = b.point(double(c.parameterB)) + c.radiusB * c.normal;
        // The search stops a hundredth of the radii short, which moves the points of segments that graze along each
        // other.
        EXPECT_LT((pa - pb).norm(), 0.25 * c.radiusA);
        EXPECT_LT(std::abs((pa - pb).dot(c.normal)), 1e-9);
    }
    EXPECT_GT(ahead, 100);
}

TEST(ContinuousCollision, WhatFliesTogetherTouchesNothing) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    DeformedBody a(model), b(model);
    const VectorX q = VectorX::Zero(7);
    RigidTransform pose, ahead;
    for (DeformedBody* body : {&a, &b}) {
        ahead = pose;
        ahead.translation += Vector3(50, 0, 0);
        body->update(q.data(), pose);
        body->predictMotion(q.data(), ahead);
        pose.translation += Vector3(0.33, 0, 0);  // beside the first, on its way
    }
    std::vector<SkeletonContact> out;
    collideBodiesContinuous(a, b, 0.002, out);
    EXPECT_TRUE(out.empty());
}

TEST(ContinuousHalfSpace, FindsTheSpheresThatWillBeBelow) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    DeformedBody body(model);
    const VectorX q = VectorX::Zero(7);
    RigidTransform pose, ahead;
    pose.translation.z() = 2.0;
    body.update(q.data(), pose);
    RigidTransform plane;  // it rises by half a metre itself: what is seen from it comes down by as much
    plane.translation.z() = -0.5;
    ahead.translation.z() = 0.55;
    body.predictMotion(q.data(), ahead);
    std::vector<SkeletonContact> out, then;
    collideHalfSpaceContinuous(body, Vector3::UnitZ(), 0.0, plane, 0.0, out);
    pose.translation.z() = 0.05;
    body.update(q.data(), pose);
    collideHalfSpace(body, Vector3::UnitZ(), 0.0, 0.0, then);
    ASSERT_GT(then.size(), 5u);
    ASSERT_LT(then.size(), static_cast<std::size_t>(model->spheres().count()));
    ASSERT_EQ(out.size(), then.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(out[i].feature, then[i].feature);
        EXPECT_NEAR(out[i].distance - out[i].closing, then[i].distance, 1e-6);
        EXPECT_NEAR(out[i].closing, 1.95, 1e-6);
    }
}

TEST(FirstTouch, StopsShortOfTheMargin) {
    double time = -1.0;
    EXPECT_TRUE(timeOfImpact(
        2.0, 0.1, 0.01, [](double t) { return 1.0 - 2.0 * t; }, time));
    EXPECT_NEAR(time, 0.45, 1e-4);
    EXPECT_FALSE(timeOfImpact(
        0.8, 0.1, 0.01, [](double t) { return 1.0 - 0.8 * t; }, time));
    EXPECT_FALSE(timeOfImpact(
        1.0, 0.0, 0.01, [](double) { return std::nan(""); }, time));
    EXPECT_TRUE(timeOfImpact(
        0.0, 0.1, 0.01, [](double) { return 0.05; }, time));
    EXPECT_EQ(time, 0.0);
}

}  // namespace
}  // namespace pliant
