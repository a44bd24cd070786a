// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <thread>

#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/math/SegmentDistance.h"
#include "pliant/skeleton/BuildBDTree.h"
#include "unit/collision/SyntheticBasket.h"
#include "unit/collision/pair/SameContacts.h"

namespace pliant {
namespace {

std::vector<SkeletonContact> bruteForce(const DeformedBody& a, const DeformedBody& b, double margin,
                                        const ContactHistory* history = nullptr) {
    std::vector<SkeletonContact> all;
    SkeletonContact found[2];
    for (int i = 0; i < a.model().skeleton().segmentCount(); ++i)
        for (int j = 0; j < b.model().skeleton().segmentCount(); ++j) {
            const int count = collideSegments(a, i, b, j, margin, found, history);
            all.insert(all.end(), found, found + count);
        }
    return all;  // ascending by feature, since segment numbers lead it
}

TEST(CollideBodies, EqualsBruteForceOnRandomPoses) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    DeformedBody a(model), b(model);
    std::mt19937 random(21);
    std::size_t total = 0;
    std::vector<SkeletonContact> out;
    for (int i = 0; i < 60; ++i) {
        // Far from the origin too: culling works in A's frame.
        const Vector3 place(i % 3 == 0 ? 1000.0 : 0.0, 0.0, i % 5 == 0 ? -300.0 : 0.0);
        RigidTransform poseA = test::randomPose(random, 0.12), poseB = test::randomPose(random, 0.12);
        poseA.translation += place;
        poseB.translation += place;
        const double size = 0.02 * (i % 4);
        a.update(test::randomCoordinates(random, 7, size).data(), poseA);
        b.update(test::randomCoordinates(random, 7, size).data(), poseB);
        const double margin = i % 2 ? 0.0 : 0.004;
        out.clear();
        collideBodies(a, b, margin, out);
        test::expectSame(out, bruteForce(a, b, margin));
        total += out.size();
    }
    EXPECT_GT(total, 500u);  // the poses do touch
}

/// Files may hold leaves of any size.
TEST(CollideBodies, LeavesOfAnySizeGiveTheSameContacts) {
    for (const int leafSize : {1, 5, 20}) {
        auto made = std::make_shared<ReducedModel>(*test::basketModel(test::BasketShape{}));
        made->skeletonTree = buildSkeletonTree(made->skeleton, leafSize);
        const auto model = std::make_shared<CollisionModel>(made);
        DeformedBody a(model), b(model);
        std::mt19937 random(8);
        std::size_t total = 0;
        for (int i = 0; i < 10; ++i) {
            a.update(test::randomCoordinates(random, 7, 0.02).data(), test::randomPose(random, 0.12));
            b.update(test::randomCoordinates(random, 7, 0.02).data(), test::randomPose(random, 0.12));
            std::vector<SkeletonContact> out;
            collideBodies(a, b, 0.004, out);
            test::expectSame(out, bruteForce(a, b, 0.004));
            total += out.size();
        }
        EXPECT_GT(total, 50u) << "they do touch";
    }
}

TEST(CollideBodies, ContactsAreConsistent) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    DeformedBody a(model), b(model);
    std::mt19937 random(4);
    a.update(test::randomCoordinates(random, 7, 0.02).data(), test::randomPose(random, 0.1));
    b.update(test::randomCoordinates(random, 7, 0.02).data(), test::randomPose(random, 0.1));
    std::vector<SkeletonContact> out;
    collideBodies(a, b, 0.005, out);
    ASSERT_GT(out.size(), 5u);
    for (const SkeletonContact& c : out) {
        EXPECT_NEAR(c.normal.norm(), 1.0, 1e-12);
        EXPECT_NEAR((c.pointA - c.pointB).dot(c.normal), c.distance, 1e-12);
        const Vector3 axisA = a.segmentPoint(c.segmentA, static_cast<double>(c.parameterA));
        const Vector3 axisB = b.segmentPoint(c.segmentB, static_cast<double>(c.parameterB));
        EXPECT_NEAR((axisA - axisB).norm() - c.radiusA - c.radiusB, c.distance, 1e-7);
        EXPECT_NEAR((axisA - c.radiusA * c.normal - c.pointA).norm(), 0.0, 1e-7);
        EXPECT_GT((axisA - axisB).dot(c.normal), 0.0);  // from B to A
    }
    EXPECT_TRUE(std::is_sorted(out.begin(), out.end(), [](const SkeletonContact& x, const SkeletonContact& y) {
        return x.feature < y.feature;
    }));
}

TEST(CollideBodies, GivesTheSameBitsFromSeveralThreads) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    std::vector<DeformedBody> serial, parallel;
    std::mt19937 random(8);
    for (int i = 0; i < 6; ++i) {
        const VectorX q = test::randomCoordinates(random, 7, 0.02);
        const RigidTransform pose = test::randomPose(random, 0.1);
        for (auto* bodies : {&serial, &parallel}) {
            bodies->emplace_back(model);
            bodies->back().update(q.data(), pose);
        }
    }
    std::vector<SkeletonContact> expected[36], found[36];
    for (int p = 0; p < 36; ++p)
        if (p / 6 != p % 6)
            collideBodies(serial[static_cast<std::size_t>(p / 6)], serial[static_cast<std::size_t>(p % 6)], 0.003,
                          expected[p]);
    const auto work = [&](int first) {
        for (int k = 0; k < 36; ++k) {
            const int p = (7 * k + first) % 36;  // every thread does its share in another order
            if (p % 4 == first && p / 6 != p % 6)
                collideBodies(parallel[static_cast<std::size_t>(p / 6)], parallel[static_cast<std::size_t>(p % 6)],
                              0.003, found[p]);
        }
    };
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) threads.emplace_back(work, t);
    for (std::thread& t : threads) t.join();
    for (int p = 0; p < 36; ++p) test::expectSame(found[p], expected[p]);
}

class CrossingSegments : public testing::Test {
protected:
    /// Chain A of segments along x above chain B along y, both of radius 0.1 and three segments.
    CrossingSegments() : m_a(model(Vector3::UnitX())), m_b(model(Vector3::UnitY())) { place(0.25); }

    static std::shared_ptr<const CollisionModel> model(const Vector3& along) {
        Points centres(3, 4);
        for (int i = 0; i < 4; ++i) centres.col(i) = (i - 1.4) * along;
        return std::make_shared<CollisionModel>(test::polylineModel(centres, VectorX::Constant(4, 0.1)));
    }

    void place(double height, double shift = 0.0) {
        const double q = 0.0;
        RigidTransform pose;
        pose.translation = Vector3(shift, 0.0, height);
        m_a.update(&q, pose);
        m_b.update(&q, RigidTransform());
    }

    std::vector<SkeletonContact> step(double margin = 0.1) {
        std::vector<SkeletonContact> out;
        collideBodies(m_a, m_b, margin, out, &m_history);
        m_history.remember(m_a, out);
        return out;
    }

    DeformedBody m_a, m_b;
    ContactHistory m_history;
};

TEST_F(CrossingSegments, KeepTheSideThatTheyCameFrom) {
    for (double height : {0.25, 0.15, 0.05, 0.001, 0.0, -0.02, -0.08, -0.15}) {
        place(height);
        const auto contacts = step();
        ASSERT_EQ(contacts.size(), 1u) << height;
        EXPECT_NEAR(contacts[0].normal.z(), 1.0, 1e-6) << height;
        EXPECT_NEAR(contacts[0].distance, height - 0.2, 1e-6) << height;
        EXPECT_EQ(contacts[0].crossed, height < 0.0) << height;
    }
    place(-0.25);  // quite through and out at the back: it is to come back all the same
    const auto behind = step();
    ASSERT_EQ(behind.size(), 1u);
    EXPECT_NEAR(behind[0].normal.z(), 1.0, 1e-6);
    EXPECT_NEAR(behind[0].distance, -0.45, 1e-6);
    EXPECT_TRUE(behind[0].crossed);
    place(-0.85);  // more than four sums of the radii away: it is free
    EXPECT_TRUE(step().empty());
    place(-0.25);  // a new contact, from below
    const auto contacts = step();
    ASSERT_EQ(contacts.size(), 1u);
    EXPECT_NEAR(contacts[0].normal.z(), -1.0, 1e-6);
    EXPECT_FALSE(contacts[0].crossed);
}

TEST_F(CrossingSegments, HandTheirSideToTheNextSegment) {
    place(0.15, 0.25);
    ASSERT_EQ(step(0.0).size(), 1u);
    place(-0.15, 0.25);
    const auto crossed = step(0.0);
    ASSERT_EQ(crossed.size(), 1u);
    ASSERT_TRUE(crossed[0].crossed);
    place(-0.15, 0.45);  // A slides along until the segment before touches, which has no past of its own
    bool isNew = false;
    for (const SkeletonContact& c : step(0.0)) {
        isNew = isNew || c.segmentA == crossed[0].segmentA - 1;
        EXPECT_NEAR(c.normal.z(), 1.0, 1e-3) << c.segmentA;
        EXPECT_TRUE(c.crossed) << c.segmentA;
    }
    EXPECT_TRUE(isNew);
}

TEST_F(CrossingSegments, WithoutHistoryPushByTheShortestWay) {
    place(-0.02);
    std::vector<SkeletonContact> out;
    collideBodies(m_a, m_b, 0.0, out);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_NEAR(out[0].normal.z(), -1.0, 1e-6);
}

TEST_F(CrossingSegments, WhoseAxesMeetArePushedFromCentreToCentre) {
    place(0.0);
    std::vector<SkeletonContact> out;
    collideBodies(m_a, m_b, 0.0, out);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_NEAR(std::abs(out[0].normal.z()), 1.0, 1e-6);
    EXPECT_NEAR(out[0].distance, -0.2, 1e-6);
}

TEST_F(CrossingSegments, SideBySideTouchAtBothEnds) {
    Points centres(3, 2);
    centres << 0.0, 1.0, 0.0, 0.0, 0.0, 0.0;
    const auto model = std::make_shared<CollisionModel>(test::polylineModel(centres, VectorX::Constant(2, 0.1)));
    DeformedBody a(model), b(model);
    const double q = 0.0;
    RigidTransform pose;
    pose.translation = Vector3(0.2, 0.15, 0.0);
    a.update(&q, pose);
    b.update(&q, RigidTransform());
    std::vector<SkeletonContact> out;
    collideBodies(a, b, 0.0, out);
    ASSERT_EQ(out.size(), 2u);
    EXPECT_NEAR(out[0].pointA.x(), 0.2, 1e-6);
    EXPECT_NEAR(out[1].pointA.x(), 1.0, 1e-6);
    for (const SkeletonContact& c : out) {
        EXPECT_NEAR(c.distance, -0.05, 1e-6);
        EXPECT_NEAR(c.normal.y(), 1.0, 1e-6);
    }
}

/// The common perpendicular of two axes that are all but parallel turns by a right angle where one of them turns by a
/// hair; how deep segments are in each other must not turn with it.
TEST(ContactNormals, OfSegmentsSideBySideFollowTheirOffset) {
    std::mt19937 random(17);
    std::uniform_real_distribution<double> part(-1.0, 1.0);
    Points centres(3, 2);
    centres << -1.0, 1.0, 0.0, 0.0, 0.0, 0.0;
    int seen = 0, deep = 0, rotated = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const auto chain = [&] {
            const VectorX radii = Eigen::Vector2d(0.1, 0.1 + 0.01 * part(random));
            return std::make_shared<CollisionModel>(test::polylineModel(centres, radii));
        };
        DeformedBody a(chain()), b(chain());
        ContactHistory history;
        RigidTransform pose;
        pose.rotation = Eigen::AngleAxisd(0.05 * part(random), Vector3::UnitY()) *
                        Eigen::AngleAxisd(0.05 * part(random), Vector3::UnitZ()).toRotationMatrix();
        const double shift = 0.5 * part(random), q = 0.0;
        b.update(&q, RigidTransform());
        for (const double height : {0.195, 0.175, 0.12, 0.07, 0.04, 0.02, 0.04, 0.07, 0.12, 0.165}) {
            pose.translation = Vector3(shift, 0.0, height);
            a.update(&q, pose);
            std::vector<SkeletonContact> out;
            collideBodies(a, b, 0.0, out, &history);
            history.remember(a, out);
            for (const SkeletonContact& c : out) {
                const Vector3 offset = (c.pointA + c.radiusA * c.normal) - (c.pointB - c.radiusB * c.normal);
                // Axes that all but meet have no offset to speak of: the side before counts.
                const double room = offset.norm() < 0.26 * (c.radiusA + c.radiusB) ? 0.06 : 0.02;
                EXPECT_NEAR(c.distance, offset.norm() - c.radiusA - c.radiusB, room) << trial << ": " << height;
                if (offset.norm() < 0.26 * (c.radiusA + c.radiusB)) {
                    ++deep;
                    rotated += c.normal.z() > 0.5 ? 0 : 1;
                }
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 5000);
    EXPECT_GT(deep, 1000);
    EXPECT_LT(rotated, deep / 100) << "a few have come from the side";
}

TEST(ContactNormals, TurnWithThePair) {
    // Both bodies turn by a right angle between substeps: the remembered side turns with them.
    Points centres(3, 2);
    centres << -1.0, 1.0, 0.0, 0.0, 0.0, 0.0;
    const auto model = std::make_shared<CollisionModel>(test::polylineModel(centres, VectorX::Constant(2, 0.1)));
    DeformedBody a(model), b(model);
    const double q = 0.0;
    RigidTransform poseA, poseB;
    poseA.translation.z() = 0.1;
    poseB.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    a.update(&q, poseA);
    b.update(&q, poseB);
    ContactHistory history;
    std::vector<SkeletonContact> out;
    collideBodies(a, b, 0.0, out, &history);
    history.remember(a, out);
    Matrix3 turn;  // z -> -z
    turn << 1, 0, 0, 0, -1, 0, 0, 0, -1;
    poseA.rotation = turn * poseA.rotation;
    poseB.rotation = turn * poseB.rotation;
    poseA.translation = turn * Vector3(0.0, 0.0, -0.05);  // and crosses
    a.update(&q, poseA);
    b.update(&q, poseB);
    out.clear();
    collideBodies(a, b, 0.0, out, &history);
    ASSERT_EQ(out.size(), 1u);
    EXPECT_NEAR(out[0].normal.z(), -1.0, 1e-6);
    EXPECT_TRUE(out[0].crossed);
}

}  // namespace
}  // namespace pliant
