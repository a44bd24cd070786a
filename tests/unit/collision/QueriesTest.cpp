// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <set>

#include "pliant/collision/body/TriangleQueries.h"
#include "pliant/collision/pair/SkeletonQueries.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

class Queries : public testing::Test {
protected:
    Queries() : m_model(std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}))), m_body(m_model) {}

    void shake(double size = 0.02) {
        m_body.update(test::randomCoordinates(m_random, m_model->dimension(), size).data(),
                      test::randomPose(m_random, 0.3));
    }
    std::array<Vector3, 3> corners(int t) const {
        const auto& triangles = m_model->reduced().surface.triangles;
        return {centreOf(m_body.vertex(triangles(0, t))), centreOf(m_body.vertex(triangles(1, t))),
                centreOf(m_body.vertex(triangles(2, t)))};
    }

    std::mt19937 m_random{17};
    std::shared_ptr<const CollisionModel> m_model;
    DeformedBody m_body;
};

TEST_F(Queries, PointsAreRestPlusBasisTimesCoordinates) {
    const VectorX q = test::randomCoordinates(m_random, m_model->dimension(), 0.05);
    m_body.update(q.data(), RigidTransform());
    const ReducedModel& m = m_model->reduced();
    for (int v = 0; v < m.surfaceVertexCount(); v += 17) {
        const Vector3 expected = m.surface.positions.col(v) + m.surfaceBasis.middleRows<3>(3 * v).cast<double>() * q;
        EXPECT_NEAR((centreOf(m_body.vertex(v)) - expected).norm(), 0.0, 1e-6);
    }
    for (int b = 0; b < m.skeleton.sphereCount(); b += 5) {
        const Vector3 expected =
            m.skeleton.restCentres.col(b).cast<double>() + m.skeleton.basis.middleRows<3>(3 * b).cast<double>() * q;
        EXPECT_NEAR((centreOf(m_body.sphere(b)) - expected).norm(), 0.0, 1e-6);
        EXPECT_EQ(m_body.sphere(b).radius, m.skeleton.radii[b]);
    }
}

TEST_F(Queries, SegmentPointJacobianIsTheDerivativeOfThePoint) {
    const int r = m_model->dimension(), segment = 37;
    const float parameter = 0.3f;
    MatrixX rows(3, r);
    skeletonPointBasis(*m_model, segment, parameter, rows.data());
    VectorX q = test::randomCoordinates(m_random, r, 0.05);
    m_body.update(q.data(), RigidTransform());
    const Vector3 here = m_body.segmentPoint(segment, static_cast<double>(parameter));
    q += VectorX::LinSpaced(r, -0.5, 0.5);
    const Vector3 change = rows * VectorX::LinSpaced(r, -0.5, 0.5);
    m_body.update(q.data(), RigidTransform());
    EXPECT_NEAR((m_body.segmentPoint(segment, static_cast<double>(parameter)) - here - change).norm(), 0.0, 1e-6);
    const Vector3 direction(0.3, -0.8, 0.5);
    VectorX modal(r);
    skeletonPointProject(*m_model, segment, parameter, direction, modal.data());
    EXPECT_LT((modal - rows.transpose() * direction).norm(), 1e-12);
}

TEST_F(Queries, BoundsHoldEverySphereAndAreTight) {
    for (int i = 0; i < 20; ++i) {
        shake(0.01 * i);
        Vector3 lower = Vector3::Constant(1e300), upper = -lower;
        for (int b = 0; b < m_model->skeleton().sphereCount(); ++b) {
            const SphereF s = m_body.sphere(b);
            const Vector3 x = m_body.worldFromBody().point(centreOf(s));
            lower = lower.cwiseMin(x - Vector3::Constant(static_cast<double>(s.radius)));
            upper = upper.cwiseMax(x + Vector3::Constant(static_cast<double>(s.radius)));
        }
        const Aabb box = m_body.worldBounds(), inBody = m_body.bodyBounds();
        EXPECT_EQ(m_body.bounds(m_body.worldFromBody()).lower, box.lower);
        for (int b = 0; b < m_model->skeleton().sphereCount(); ++b) {
            const SphereF s = m_body.sphere(b);
            EXPECT_GE((centreOf(s) - inBody.lower).minCoeff(), static_cast<double>(s.radius));
            EXPECT_GE((inBody.upper - centreOf(s)).minCoeff(), static_cast<double>(s.radius));
        }
        // World boxes hold what the queries see: spheres turned in single precision.
        EXPECT_LT((box.lower - lower).cwiseAbs().maxCoeff(), 1e-6);
        EXPECT_LT((box.upper - upper).cwiseAbs().maxCoeff(), 1e-6);
        for (int s = 0; s < m_model->skeleton().segmentCount(); ++s) {
            const CapsuleSegment capsule = m_body.segment(s);
            for (int end = 0; end < 2; ++end) {
                EXPECT_TRUE(((capsule.end[end].array() - capsule.radius[end]) >= box.lower.array()).all());
                EXPECT_TRUE(((capsule.end[end].array() + capsule.radius[end]) <= box.upper.array()).all());
            }
        }
    }
}

TEST_F(Queries, BoxesOfTheTreeHoldWhatTheyCover) {
    const BDTree& tree = m_model->skeletonTree();
    for (double size : {0.0, 0.05, 3.0}) {
        shake(size);
        for (int k = 0; k < tree.nodeCount(); ++k) {
            const BDTreeNode& node = tree.nodes[static_cast<std::size_t>(k)];
            const BoxF& box = m_body.rotatedBox(k);
            for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i)
                for (int end = 0; end < 2; ++end) {
                    const SphereF s = m_body.rotatedSphere(
                        m_model->skeleton().segments(end, tree.items[static_cast<std::size_t>(i)]));
                    ASSERT_LE(box.lower[0], s.x - s.radius);
                    ASSERT_LE(box.lower[1], s.y - s.radius);
                    ASSERT_LE(box.lower[2], s.z - s.radius);
                    ASSERT_GE(-box.negUpper[0], s.x + s.radius);
                    ASSERT_GE(-box.negUpper[1], s.y + s.radius);
                    ASSERT_GE(-box.negUpper[2], s.z + s.radius);
                }
        }
    }
}

TEST_F(Queries, InflatedBoundsHoldTheSurface) {
    for (double size : {0.0, 0.01, 0.1, 2.0}) {
        shake(size);
        const Aabb box = m_body.worldBounds();
        double most = 0.0;
        for (int v = 0; v < m_model->reduced().surfaceVertexCount(); ++v) {
            const Vector3 x = m_body.worldFromBody().point(centreOf(m_body.vertex(v)));
            most = std::max({most, (box.lower - x).maxCoeff(), (x - box.upper).maxCoeff()});
        }
        EXPECT_LE(most, m_body.surfaceExcess());
        EXPECT_LT(m_body.surfaceExcess(), 0.001 + 10.0 * size);
    }
}

TEST_F(Queries, ANewFrameEqualsANewUpdate) {
    const VectorX q = test::randomCoordinates(m_random, m_model->dimension(), 0.05);
    const RigidTransform pose = test::randomPose(m_random, 1.0);
    DeformedBody other(m_model);
    m_body.update(q.data(), test::randomPose(m_random, 1.0));
    m_body.setTransform(pose);
    other.update(q.data(), pose);
    EXPECT_EQ(m_body.worldBounds().lower, other.worldBounds().lower);
    for (int s = 0; s < m_model->skeleton().segmentCount(); ++s)
        EXPECT_EQ(m_body.segment(s).end[0], other.segment(s).end[0]);
}

TEST_F(Queries, HalfSpaceEqualsBruteForce) {
    for (int i = 0; i < 40; ++i) {
        shake();
        const Vector3 normal = test::randomPose(m_random, 1.0).rotation.col(2);
        const double offset = normal.dot(m_body.worldFromBody().translation) - 0.1, margin = 0.003;
        std::vector<SkeletonContact> contacts;
        collideHalfSpace(m_body, normal, offset, margin, contacts);
        std::set<std::pair<int, int>> found;
        for (const SkeletonContact& c : contacts) {
            const int end = c.parameterA > 0.5f ? 1 : 0;
            const int sphere = m_model->skeleton().segments(end, c.segmentA);
            EXPECT_TRUE(found.insert({sphere, 0}).second) << "a sphere was reported twice";
            EXPECT_NEAR((c.pointA - c.pointB).dot(normal), c.distance, 1e-12);
            EXPECT_NEAR(normal.dot(c.pointB), offset, 1e-12);
        }
        std::size_t expected = 0;
        for (int b = 0; b < m_model->skeleton().sphereCount(); ++b) {
            const SphereF s = m_body.sphere(b);
            const double height = normal.dot(m_body.worldFromBody().point(centreOf(s))) - offset;
            if (height - static_cast<double>(s.radius) > margin) continue;
            ++expected;
            EXPECT_TRUE(found.count({b, 0})) << b;
        }
        EXPECT_EQ(found.size(), expected);
    }
}

// A body that trembles, turns, falls and jumps, planes that tilt and rise: with a list that is kept the same contacts.
TEST_F(Queries, HalfSpaceWithCandidatesFindsTheSame) {
    PlaneCandidates candidates;
    std::uniform_real_distribution<double> any(-1.0, 1.0);
    VectorX q = test::randomCoordinates(m_random, m_model->dimension(), 0.02);
    RigidTransform pose = test::randomPose(m_random, 0.1);
    Vector3 normal = test::randomPose(m_random, 1.0).rotation.col(2);
    double offset = normal.dot(pose.translation) - 0.1;
    int touching = 0, served = 0;
    for (int i = 0; i < 600; ++i) {
        const double size = i % 100 == 99 ? 0.05 : 1e-4;
        for (double& x : q) x += size * 0.1 * any(m_random);
        pose.translation += size * Vector3(any(m_random), any(m_random), any(m_random)) - 1e-5 * normal;
        const Vector3 axis = Vector3(any(m_random), any(m_random), any(m_random)).normalized();
        pose.rotation = Eigen::AngleAxisd(size, axis).toRotationMatrix() * pose.rotation;
        m_body.update(q.data(), pose);
        if (i % 50 == 25) offset += 1e-3;
        if (i % 70 == 35) normal = (normal + 0.01 * axis).normalized();
        const double margin = 0.002 + 0.001 * any(m_random);
        served += candidates.cover(m_body, normal, offset, margin) ? 1 : 0;
        std::vector<SkeletonContact> plain, listed;
        collideHalfSpace(m_body, normal, offset, margin, plain);
        collideHalfSpace(m_body, normal, offset, margin, listed, &candidates);
        ASSERT_EQ(listed.size(), plain.size()) << i;
        touching += plain.empty() ? 0 : 1;
        for (std::size_t k = 0; k < plain.size(); ++k) {
            EXPECT_EQ(listed[k].feature, plain[k].feature);
            EXPECT_EQ(listed[k].distance, plain[k].distance);
            EXPECT_EQ(listed[k].pointA, plain[k].pointA);
        }
    }
    EXPECT_GT(touching, 300);
    EXPECT_GT(served, 300) << "the list has to serve for longer than one test";
}

// What slides far along a plane comes no nearer to it.
TEST_F(Queries, TheListOfAHalfSpaceServesWhatSlides) {
    PlaneCandidates candidates;
    const VectorX q = test::randomCoordinates(m_random, m_model->dimension(), 0.02);
    RigidTransform pose = test::randomPose(m_random, 0.1);
    const Vector3 normal = test::randomPose(m_random, 1.0).rotation.col(2), along = normal.unitOrthogonal();
    const double offset = normal.dot(pose.translation) - 0.1, margin = 0.002;
    int made = 0;
    for (int i = 0; i < 300; ++i) {
        pose.translation += 0.05 * along + (i % 2 == 0 ? 1e-3 : -1e-3) * normal;
        m_body.update(q.data(), pose);
        made += candidates.cover(m_body, normal, offset, margin) ? 0 : 1;
        std::vector<SkeletonContact> plain, listed;
        collideHalfSpace(m_body, normal, offset, margin, plain);
        collideHalfSpace(m_body, normal, offset, margin, listed, &candidates);
        EXPECT_FALSE(plain.empty());
        ASSERT_EQ(listed.size(), plain.size()) << i;
        for (std::size_t k = 0; k < plain.size(); ++k) {
            EXPECT_EQ(listed[k].feature, plain[k].feature);
            EXPECT_EQ(listed[k].distance, plain[k].distance);
        }
    }
    EXPECT_LE(made, 3);
    pose.translation -= 0.03 * normal;
    m_body.update(q.data(), pose);
    EXPECT_FALSE(candidates.cover(m_body, normal, offset, margin)) << "it has come down";
    std::vector<SkeletonContact> contacts;
    collideHalfSpace(m_body, normal, offset, margin, contacts, &candidates);
    RigidTransform risen = pose;
    risen.translation += normal;
    m_body.update(q.data(), risen);
    EXPECT_FALSE(candidates.cover(m_body, normal, offset, margin)) << "a list of far too many spheres";
    for (int i = 0; i < 100; ++i) {  // and tilts
        pose.rotation = Eigen::AngleAxisd(5e-3, along).toRotationMatrix() * pose.rotation;
        m_body.update(q.data(), pose);
        std::vector<SkeletonContact> plain, listed;
        collideHalfSpace(m_body, normal, offset, margin, plain);
        collideHalfSpace(m_body, normal, offset, margin, listed, &candidates);
        ASSERT_EQ(listed.size(), plain.size()) << i;
    }
}

TEST_F(Queries, NearQueriesMissNoSegment) {
    for (int i = 0; i < 40; ++i) {
        shake();
        const Vector3 centre = test::randomPose(m_random, 0.4).translation;
        const double radius = 0.07, margin = 0.01;
        Aabb box{centre - Vector3(0.02, 0.1, 0.05), centre + Vector3(0.02, 0.1, 0.05)};
        std::set<int> nearSphere, nearBox;
        visitSegmentsNear(m_body, centre, radius, margin,
                          [&](const CapsuleSegment& s) { EXPECT_TRUE(nearSphere.insert(s.index).second); });
        visitSegmentsNear(m_body, box, margin,
                          [&](const CapsuleSegment& s) { EXPECT_TRUE(nearBox.insert(s.index).second); });
        for (int s = 0; s < m_model->skeleton().segmentCount(); ++s) {
            const CapsuleSegment capsule = m_body.segment(s);
            double toSphere = 1e300, toBox = 1e300;
            for (double at = 0.0; at <= 1.0; at += 0.0625) {
                const Vector3 x = (1.0 - at) * capsule.end[0] + at * capsule.end[1];
                toSphere = std::min(toSphere, (x - centre).norm() - radius - capsule.radius[0]);
                toBox = std::min(toBox, (x - x.cwiseMax(box.lower).cwiseMin(box.upper)).norm() - capsule.radius[0]);
            }
            EXPECT_TRUE(toSphere > margin || nearSphere.count(s)) << s;
            EXPECT_TRUE(toBox > margin || nearBox.count(s)) << s;
            EXPECT_TRUE(toSphere < margin + 0.005 || !nearSphere.count(s)) << s;
        }
    }
}

TEST_F(Queries, TrianglesNearABoxEqualBruteForce) {
    for (int i = 0; i < 20; ++i) {
        shake();
        const Vector3 centre = test::randomPose(m_random, 0.15).translation;
        const Aabb box{centre - Vector3::Constant(0.05), centre + Vector3::Constant(0.05)};
        std::set<int> found;
        visitTriangles(m_body, box, [&](const Vector3& v0, const Vector3& v1, const Vector3& v2, int t) {
            EXPECT_TRUE(found.insert(t).second);
            EXPECT_EQ(v0, corners(t)[0]);
            EXPECT_EQ(v1, corners(t)[1]);
            EXPECT_EQ(v2, corners(t)[2]);
        });
        for (int t = 0; t < m_model->reduced().surface.triangleCount(); ++t) {
            const auto c = corners(t);
            const Vector3 lower = c[0].cwiseMin(c[1]).cwiseMin(c[2]), upper = c[0].cwiseMax(c[1]).cwiseMax(c[2]);
            const bool overlaps =
                (lower.array() <= box.upper.array()).all() && (upper.array() >= box.lower.array()).all();
            EXPECT_EQ(found.count(t) == 1, overlaps) << t;
        }
    }
}

TEST_F(Queries, RaysEqualBruteForce) {
    int hits = 0;
    for (int i = 0; i < 300; ++i) {
        if (i % 20 == 0) shake();
        const Vector3 middle = m_body.worldFromBody().translation;
        const Vector3 from = middle + test::randomPose(m_random, 0.5).translation;
        const Vector3 to = 2.0 * middle - from + test::randomPose(m_random, 0.3).translation;
        double nearest = 2.0;
        int count = 0;
        for (int t = 0; t < m_model->reduced().surface.triangleCount(); ++t) {
            auto c = corners(t);
            for (Vector3& x : c) x = m_body.worldFromBody().point(x);
            Matrix3 system;
            system << c[1] - c[0], c[2] - c[0], from - to;
            const Vector3 x = system.inverse() * (from - c[0]);
            if (x.minCoeff() < 0.0 || x.x() + x.y() > 1.0 || x.z() > 1.0) continue;
            nearest = std::min(nearest, x.z());
            ++count;
        }
        TriangleHit hit;
        const bool found = rayTriangles(m_body, from, to, hit);
        ASSERT_EQ(found, count > 0);
        int visited = 0;
        rayTriangles(m_body, from, to, [&](const TriangleHit&) { ++visited; });
        EXPECT_EQ(visited, count);
        if (!found) continue;
        ++hits;
        EXPECT_NEAR(hit.fraction, nearest, 1e-9);
        EXPECT_NEAR((hit.point - from - hit.fraction * (to - from)).norm(), 0.0, 1e-9);
        EXPECT_LT(hit.normal.dot(to - from), 0.0);
        const auto c = corners(hit.triangle);
        const Vector3 onTriangle = hit.weights[0] * c[0] + hit.weights[1] * c[1] + hit.weights[2] * c[2];
        EXPECT_NEAR((m_body.worldFromBody().point(onTriangle) - hit.point).norm(), 0.0, 1e-9);
    }
    EXPECT_GT(hits, 30);
}

TEST(ShapeContact, IsFilledFromAnAxisPoint) {
    CapsuleSegment s;
    s.index = 4;
    s.end[1] = Vector3(2.0, 0.0, 0.0);
    s.radius[0] = 0.1;
    s.radius[1] = 0.3;
    const SkeletonContact c = makeShapeContact(s, Vector3(0.5, 0.0, 0.0), Vector3(0.5, 0.0, -0.1), Vector3::UnitZ());
    EXPECT_FLOAT_EQ(c.parameterA, 0.25f);
    EXPECT_NEAR(c.radiusA, 0.15, 1e-15);
    EXPECT_NEAR(c.distance, -0.05, 1e-15);
    EXPECT_EQ(c.segmentB, -1);
}

}  // namespace
}  // namespace pliant
