// SPDX-License-Identifier: Zlib
// Rays, boxes and bounds of characters against what is drawn.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "CharacterWorld.h"
#include "btPliant/data/BodyCollision.h"
#include "pliant/collision/body/DeformedBody.h"
#include "pliant/model/TruncateModel.h"
#include "pliant/touch/DeformedField.h"

namespace {

using namespace pliant::test;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::AffineMap;
using pliant::Points;
using pliant::Vector3;
using pliant::VectorX;

/// Share of the way from -> to at which a triangle is hit; above 1: not at all.
double nearestHit(const Points& vertices, const pliant::Triangles& triangles, const Vector3& from, const Vector3& to) {
    double nearest = 2.0;
    for (Eigen::Index t = 0; t < triangles.cols(); ++t) {
        const Vector3 a = vertices.col(triangles(0, t)), b = vertices.col(triangles(1, t)),
                      c = vertices.col(triangles(2, t));
        Eigen::Matrix3d M;
        M << to - from, a - b, a - c;
        if (std::abs(M.determinant()) < 1e-14) continue;
        const Vector3 x = M.inverse() * (a - from);
        if (x[0] >= 0.0 && x[1] >= 0.0 && x[2] >= 0.0 && x[1] + x[2] <= 1.0) nearest = std::min(nearest, x[0]);
    }
    return nearest;
}

TEST(CharacterQuery, RaysHitTheFleshWhereItIsSeen) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing(noddedPose(0.9), btVector3(1, 2, 3)));
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-1.0, 1.0);
    int hits = 0, misses = 0;
    for (int trial = 0; trial < 6; ++trial) {
        bar->setReducedCoordinates(randomCoordinates(random, 0.1));
        const Points seen = drawnVertices(*bar);
        for (int i = 0; i < 60; ++i) {
            const Vector3 from = Vector3(1.5, 2.2, 3.0) + 1.2 * Vector3(place(random), place(random), place(random)),
                          target = seen.col(static_cast<Eigen::Index>(random() % static_cast<unsigned>(seen.cols()))) +
                                   0.02 * Vector3(place(random), place(random), place(random));
            const Vector3 to = from + 2.5 * (target - from);
            const double known = nearestHit(seen, barCharacter()->flesh->surface.triangles, from, to);
            btCollisionWorld::ClosestRayResultCallback found(toBullet(from), toBullet(to));
            scene.world.rayTest(toBullet(from), toBullet(to), found);
            if (known > 1.0) {
                misses += 1;
                continue;  // a ray along an edge may be either
            }
            ASSERT_TRUE(found.hasHit()) << i;
            EXPECT_NEAR(static_cast<double>(found.m_closestHitFraction) * (to - from).norm(),
                        known * (to - from).norm(), 1e-5);
            ++hits;
        }
    }
    EXPECT_GT(hits, 200);
    EXPECT_GT(misses, 0);
}

TEST(CharacterQuery, BoxesHoldAllThatIsDrawnAndAllThatTouches) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing());
    std::mt19937 random(9);
    std::uniform_real_distribution<double> angle(-1.5, 1.5);
    for (int trial = 0; trial < 40; ++trial) {
        pliant::Pose pose = noddedPose(angle(random));
        pose[0].rotation = pliant::Rotation(Eigen::AngleAxisd(angle(random), Vector3(1, 2, 3).normalized()));
        pose[0].translation += Vector3(angle(random), 0, angle(random));
        pose[1].scale = 1.0 + 0.3 * angle(random) / 1.5;
        ASSERT_TRUE(bar->setPose(pose));
        scene.step();
        bar->setReducedCoordinates(randomCoordinates(random, 0.3));
        btVector3 lower, upper;
        bar->getCollisionShape()->getAabb(bar->getWorldTransform(), lower, upper);
        const Points seen = drawnVertices(*bar);
        EXPECT_TRUE((seen.rowwise().minCoeff().array() >= toEigen(lower).array()).all()) << trial;
        EXPECT_TRUE((seen.rowwise().maxCoeff().array() <= toEigen(upper).array()).all()) << trial;
        pliant::DeformedBody& body = *btPliantInternal::dataOf(*bar).deformed;
        body.refit();
        const pliant::BDTree& tree = body.model().skeletonTree();
        for (int node = 0; node < tree.nodeCount(); ++node) {
            const pliant::SphereF ball = body.skeletonNode(node);
            const pliant::BDTreeNode& covers = tree.nodes[static_cast<std::size_t>(node)];
            for (int k = covers.firstItem; k < covers.firstItem + covers.itemCount; ++k) {
                const int sphere = body.model().skeleton().segments(0, tree.items[static_cast<std::size_t>(k)]);
                const pliant::SphereF s = body.rotatedSphere(sphere);
                EXPECT_LE((centreOf(s) - centreOf(ball)).norm() + static_cast<double>(s.radius),
                          static_cast<double>(ball.radius) * (1.0 + 1e-5))
                    << node;
            }
        }
        for (int i = 0; i < body.model().triangleTree().nodeCount(); i += 5) {
            const pliant::SphereF ball = body.triangleNode(i);
            const pliant::BDTreeNode& covers = body.model().triangleTree().nodes[static_cast<std::size_t>(i)];
            for (int k = covers.firstItem; k < covers.firstItem + covers.itemCount; ++k)
                for (int c = 0; c < 3; ++c) {
                    const int vertex = barCharacter()->flesh->surface.triangles(
                        c, body.model().triangleTree().items[static_cast<std::size_t>(k)]);
                    const Vector3 at = seen.col(vertex) - body.worldFromBody().translation;
                    EXPECT_LE((at - centreOf(ball)).norm(), static_cast<double>(ball.radius) * (1.0 + 1e-4)) << i;
                }
        }
    }
}

TEST(CharacterQuery, BoundsOfMotionAreBounds) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing());
    pliant::DeformedBody& body = *btPliantInternal::dataOf(*bar).deformed;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> angle(-0.2, 0.2);
    const int count = body.model().spheres().count();
    const auto places = [&] {
        Points now(3, count);
        for (int i = 0; i < count; ++i) now.col(i) = centreOf(body.rotatedSphere(i)) + body.worldFromBody().translation;
        return now;
    };
    for (int trial = 0; trial < 30; ++trial) {
        const Points before = places();
        const Vector3 origin = body.worldFromBody().translation;
        const double bound = body.motionBound(), relative = body.relativeMotionBound();
        pliant::Pose pose = noddedPose(3.0 * angle(random));
        pose[0].rotation = pliant::Rotation(Eigen::AngleAxisd(angle(random), Vector3(3, 2, 1).normalized()));
        pose[0].translation += Vector3(angle(random), angle(random), 0);
        bar->setPose(pose);
        scene.step();
        bar->setReducedCoordinates(randomCoordinates(random, 0.05));
        btPliantInternal::updateCollision(btPliantInternal::dataOf(*bar));
        const Points moved = places() - before;
        const Vector3 shift = body.worldFromBody().translation - origin;
        EXPECT_LE(moved.colwise().norm().maxCoeff(), (body.motionBound() - bound) * (1.0 + 1e-5));
        EXPECT_LE((moved.colwise() - shift).colwise().norm().maxCoeff(),
                  (body.relativeMotionBound() - relative) * (1.0 + 1e-5));
    }
}

TEST(CharacterQuery, SpheresAreTheSameOneByOneAndTogether) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing(noddedPose(0.8)));
    std::mt19937 random(5);
    bar->setReducedCoordinates(randomCoordinates(random, 0.1));
    btPliantInternal::updateCollision(btPliantInternal::dataOf(*bar));
    pliant::DeformedBody& body = *btPliantInternal::dataOf(*bar).deformed;
    std::vector<pliant::SphereF> single;
    for (int i = 0; i < body.model().spheres().count(); ++i) single.push_back(body.rotatedSphere(i));
    ASSERT_FALSE(body.spheresAreCurrent());
    body.refit();
    for (int i = 0; i < body.model().spheres().count(); ++i) {
        const pliant::SphereF s = body.rotatedSphere(i), t = single[static_cast<std::size_t>(i)];
        EXPECT_TRUE(s.x == t.x && s.y == t.y && s.z == t.z && s.radius == t.radius) << i;
    }
}

TEST(CharacterQuery, AHitIsToldAsTheRestPointThatIsThere) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing(noddedPose(0.7)));
    const btVector3 rest(btScalar(0.8), btScalar(0.1), btScalar(0.03));
    const btVector3 there = bar->getPointPosition(rest);
    const btVector3 up = bar->getBoneTransform(1).getBasis().getColumn(1);
    struct Hit : btCollisionWorld::ClosestRayResultCallback {
        using ClosestRayResultCallback::ClosestRayResultCallback;
        btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool normal) override {
            triangle = result.m_localShapeInfo->m_triangleIndex;
            return ClosestRayResultCallback::addSingleResult(result, normal);
        }
        int triangle = -1;
    } hit(there + up, there - up * btScalar(0.05));
    scene.world.rayTest(hit.m_rayFromWorld, hit.m_rayToWorld, hit);
    ASSERT_GE(hit.triangle, 0);
    EXPECT_LT((bar->getRestPoint(hit.triangle, hit.m_hitPointWorld) - rest).length(), 0.01);
}

/// The bar's flesh in its first coordinates, bent and on bones of a pose, with its distance field.
struct PosedField {
    explicit PosedField(std::shared_ptr<const pliant::ReducedModel> flesh)
        : collision(std::make_shared<const pliant::CollisionModel>(std::move(flesh))),
          body(collision, std::make_shared<const pliant::CollisionSkin>(barCharacter())),
          field(std::make_shared<const pliant::SurfaceModel>(collision)) {}

    void pose(const VectorX& q, double angle, const Vector3& shift = Vector3::Zero()) {
        std::vector<pliant::MovingFrame> frames;
        motionOf(barCharacter()->skeleton, noddedPose(angle), frames);
        std::vector<AffineMap> bones;
        for (const pliant::MovingFrame& frame : frames) {
            bones.push_back(frame.map);
            bones.back().col(3) += shift;
        }
        pliant::RigidTransform place;
        place.translation = bones.front().col(3);
        const pliant::DeformedBody::NewState state{&body, q.data(), place, bones.data()};
        pliant::DeformedBody::moveTogether(&state, 1);
        body.refit();
        field.update(body, q.data());
    }

    std::shared_ptr<const pliant::CollisionModel> collision;
    pliant::DeformedBody body;
    pliant::DeformedField field;
};

// Of bones that go straight on, with q as it is, the bound is the way itself, and about the origin none: there is
// nothing that bounds could be loose by.
TEST(CharacterQuery, BoundsOfAStraightWayAreThatWay) {
    PosedField bar(barCharacter()->flesh);
    std::mt19937 random(4);
    const VectorX q = randomCoordinates(random, 0.05);
    bar.pose(q, 0.4);
    Vector3 place = Vector3::Zero();
    for (const Vector3& way : {Vector3(0.1, 0, 0), Vector3(0, -0.3, 0), Vector3(0, 0, 0.2), Vector3(0.2, 0.1, -0.2)}) {
        const double whole = bar.body.motionBound(), relative = bar.body.relativeMotionBound();
        bar.pose(q, 0.4, place += way);
        EXPECT_GE(bar.body.motionBound() - whole, way.norm() * (1.0 - 1e-12));
        EXPECT_LE(bar.body.motionBound() - whole, way.norm() + 1e-4);
        EXPECT_LE(bar.body.relativeMotionBound() - relative, 1e-4);
    }
}

// A model cut to its first coordinates has the field, the box and the bounds of motion of the whole one whose others
// are zero: vertices of its lattice and growths of its bones, which the character's skin holds with all columns, take
// no more of them than the body has.
TEST(CharacterQuery, FieldsAndBoundsOfLessDetailAreThoseOfTheFirstCoordinates) {
    constexpr int kept = 7;
    const auto flesh = barCharacter()->flesh;
    ASSERT_GT(flesh->dimension(), kept);
    PosedField few(pliant::truncated(*flesh, kept)), all(flesh);
    std::mt19937 random(8);
    std::uniform_real_distribution<double> place(-0.3, 1.1);
    int inside = 0;
    for (int pose = 0; pose < 10; ++pose) {
        VectorX q = randomCoordinates(random, 0.05);
        q.tail(flesh->dimension() - kept).setZero();
        const double angle = 0.1 * (pose - 5);
        const VectorX first = q.head(kept);
        few.pose(first, angle);
        all.pose(q, angle);
        EXPECT_TRUE(few.body.worldBounds().lower == all.body.worldBounds().lower);
        EXPECT_TRUE(few.body.worldBounds().upper == all.body.worldBounds().upper);
        EXPECT_EQ(few.body.motionBound(), all.body.motionBound());
        for (int i = 0; i < 50; ++i) {
            const Vector3 at(place(random), 0.3 * place(random), 0.3 * place(random));
            const pliant::FieldSample a = few.field.sample(few.body, at), b = all.field.sample(all.body, at);
            EXPECT_NEAR(a.distance, b.distance, 1e-5) << at.transpose();
            if (b.distance < 0.0) ++inside;
        }
    }
    EXPECT_GT(inside, 20);  // points whose cells are asked for
}

/// What is said of a place above the bar's surface, and of the contact there.
struct Above {
    Vector3 world, normal;
    int segment = 0;
    float place = 0.0f;
};

std::vector<Above> placesAbove(const PosedField& at, unsigned seed) {
    std::vector<Above> found;
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> share(-1.0, 1.0);
    for (int i = 0; i < 20000 && found.size() < 60; ++i) {
        const double x = share(random), y = share(random), z = share(random);
        const Vector3 world(0.5 + 0.45 * x, 0.1 + 0.3 * y, 0.08 * z);
        const pliant::FieldSample sample = at.field.sample(at.body, world);
        if (std::abs(sample.distance) > 2e-3 || std::abs(sample.normal.z()) > 0.1) continue;
        if (std::abs(sample.rest.x() - 0.5) > 0.47) continue;  // at the ends' edges a distance has no derivative
        Above above{world, sample.normal};
        above.segment = at.field.segmentBelow(at.body, sample, above.place);
        found.push_back(above);
    }
    return found;
}

/// Off by how much of all rates.
struct RateErrors {
    double ofPlaces = 0.0, ofPoints = 0.0, all = 0.0;
    void add(double rate, double byPlace, double byPoint) {
        ofPlaces += (byPlace - rate) * (byPlace - rate);
        ofPoints += (byPoint - rate) * (byPoint - rate);
        all += rate * rate;
    }
    double places() const { return std::sqrt(ofPlaces / all); }
    double points() const { return std::sqrt(ofPoints / all); }
};

/// A bent bar and places above it, whose distances are differentiated.
struct GapRates {
    GapRates(double bentBy, unsigned seed) : angle(bentBy) {
        std::mt19937 random(9);
        q = randomCoordinates(random, 0.02);
        at.pose(q, angle);
        places = placesAbove(at, seed);
    }
    std::vector<double> distancesAt(const VectorX& coordinates, double turn) {
        at.pose(coordinates, turn);
        std::vector<double> all;
        for (const Above& p : places) all.push_back(at.field.sample(at.body, p.world).distance);
        return all;
    }
    /// What the gaps lose, m, from before to after.
    std::vector<double> lost(const VectorX& dq, double turn) {
        std::vector<double> gaps = distancesAt(q - dq, angle - turn);
        const std::vector<double> after = distancesAt(q + dq, angle + turn);
        for (std::size_t i = 0; i < gaps.size(); ++i) gaps[i] -= after[i];
        return gaps;
    }
    RateErrors ofModes() {
        RateErrors errors;
        const double step = 2e-3;
        VectorX place(q.size()), point(q.size());
        for (Eigen::Index j = 0; j < q.size(); ++j) {
            const std::vector<double> gaps = lost(step * VectorX::Unit(q.size(), j), 0.0);
            at.pose(q, angle);
            for (std::size_t i = 0; i < places.size(); ++i) {
                const Above& p = places[i];
                pliant::skinnedPointProject(at.body, p.segment, p.place, p.normal, place.data());
                pliant::skinnedPointProject(at.body, p.segment, 0.0f, p.normal, point.data());
                errors.add(gaps[i] / (2.0 * step), place[j], point[j]);
            }
        }
        return errors;
    }
    RateErrors ofBones() {
        RateErrors errors;
        const double turn = 2e-3;
        const std::vector<double> gaps = lost(VectorX::Zero(q.size()), turn);
        const std::vector<AffineMap> after = at.body.bones()->maps;
        at.pose(q, angle - turn);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Above& p = places[i];
            const double along = p.normal.dot(skinnedPointMotion(at.body, p.segment, p.place, p.world, after.data()));
            errors.add(gaps[i], along, along);
        }
        return errors;
    }

    PosedField at{barCharacter()->flesh};
    double angle;
    VectorX q;
    std::vector<Above> places;
};

// What rows say that coordinates and bones do to the gap is what they do to the distance.
TEST(CharacterQuery, RowsAreTheRatesOfTheGap) {
    for (const unsigned seed : {11u, 12u, 13u, 14u})
        for (const double angle : {0.0, 0.6}) {
            GapRates rates(angle, seed);
            ASSERT_EQ(rates.places.size(), 60u);
            const RateErrors modes = rates.ofModes(), bones = rates.ofBones();
            std::printf(
                "bent by %.1f rad, rates of the gap are off: by q %.4f at places, %.4f at points; by bones %.4f\n",
                angle, modes.places(), modes.points(), bones.places());
            // What bends is turned as the nearest point is, up to 1.5 cm beside the place, and the turn changes by up
            // to 0.6 rad x 1.5 cm / 0.3 m along the blend, times 1.5 where that is steepest: 0.045, of what coordinates
            // do across the surface.
            EXPECT_LT(modes.places(), angle > 0.0 ? 0.045 : 0.01);
            EXPECT_GT(modes.points(), 0.2) << "the nearest point alone would do";
            // Places ride on the nearest point as if stiff, which leaves out how its weights change along the surface.
            EXPECT_LT(bones.places(), 0.04);
        }
}

}  // namespace
