// SPDX-License-Identifier: Zlib
// The edges of Bullet's convex hulls, which are found from their points and kept.
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <gtest/gtest.h>

#include <cmath>

#include "btPliant/narrowphase/HullEdges.h"

namespace pliant::test {
namespace {

using btPliantInternal::HullEdges;

/// A box of 0.4 x 0.02 x 0.2 m about the origin.
void addBox(btConvexHullShape& hull, double height = 0.02) {
    for (int i = 0; i < 8; ++i)
        hull.addPoint(btVector3(btScalar(i & 1 ? 0.2 : -0.2), btScalar((i & 2 ? 0.5 : -0.5) * height),
                                btScalar(i & 4 ? 0.1 : -0.1)));
}

double sumOfLengths(const HullEdges& hull) {
    double sum = 0.0;
    for (const HullEdges::Edge& edge : hull.edges()) sum += (edge.end - edge.start).norm();
    return sum;
}

TEST(HullEdges, OfABoxAreTwelveThatLookOutward) {
    btConvexHullShape box;
    addBox(box);
    box.addPoint(btVector3(0, 0, 0));  // within
    const HullEdges& hull = HullEdges::of(box);
    int sharp = 0;
    for (const HullEdges::Edge& edge : hull.edges()) {
        const Vector3 out = edge.normal[0] + edge.normal[1], middle = 0.5 * (edge.start + edge.end);
        if (edge.normal[0].dot(edge.normal[1]) > 0.999) continue;  // where a face is cut into triangles
        ++sharp;
        EXPECT_NEAR(edge.normal[0].dot(edge.normal[1]), 0.0, 1e-6);
        EXPECT_GT(out.dot(middle), 0.0);
        for (const Vector3& normal : edge.normal) EXPECT_NEAR(normal.dot(edge.end - edge.start), 0.0, 1e-6);
    }
    EXPECT_EQ(sharp, 12);
    EXPECT_NEAR(hull.halfThickness(), 0.01, 1e-6);
}

TEST(HullEdges, FollowThePointsAndTheScaling) {
    btConvexHullShape box;
    addBox(box);
    const double before = sumOfLengths(HullEdges::of(box));
    box.setLocalScaling(btVector3(2, 2, 2));
    EXPECT_NEAR(sumOfLengths(HullEdges::of(box)), 2.0 * before, 1e-5 * before);
    EXPECT_NEAR(HullEdges::of(box).halfThickness(), 0.02, 1e-6);
    box.setLocalScaling(btVector3(1, 1, 1));
    box.addPoint(btVector3(0, btScalar(0.1), 0));  // a roof
    EXPECT_GT(HullEdges::of(box).halfThickness(), 0.02);
}

TEST(HullEdges, AreNoneOfWhatIsFlat) {
    btConvexHullShape flat, line, nothing;
    addBox(flat, 0.0);
    for (int i = 0; i < 5; ++i) line.addPoint(btVector3(btScalar(i), 0, 0));
    for (const btConvexHullShape* shape : {&flat, &line, &nothing}) {
        for (const HullEdges::Edge& edge : HullEdges::of(*shape).edges())
            EXPECT_TRUE(edge.normal[0].allFinite() && edge.normal[1].allFinite());
        EXPECT_LE(HullEdges::of(*shape).halfThickness(), 1e-6);
    }
}

}  // namespace
}  // namespace pliant::test
