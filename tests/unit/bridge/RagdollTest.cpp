// SPDX-License-Identifier: Zlib
// Characters whose bones nobody drives, in a Bullet world.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "RagdollWorld.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/solver/RagdollRows.h"
#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace {

using namespace pliant;
using namespace pliant::test;
using btPliantInternal::RagdollData;
using btPliantInternal::toEigen;

constexpr double kPull = 9.81;
constexpr double kBarMass = 40.0;  // kg, of the bar
/// What is kept to rounding, of 1.
constexpr double kRagdollRounding = doublePrecision ? 1e-9 : 2e-5;

struct Momenta {
    Vector3 linear, angular;
};

/// About the world's origin.
Momenta momentaOf(btPliantCharacter& character) {
    Momenta m;
    btPliantInternal::momentaOf(btPliantInternal::dataOf(character), Vector3::Zero(), m.linear, m.angular);
    return m;
}

Momenta momentaOf(const btRigidBody& body) {
    const Vector3 p = toEigen(body.getLinearVelocity()) / static_cast<double>(body.getInvMass());
    const Matrix3 inverse = toEigen(body.getInvInertiaTensorWorld());
    return {p,
            inverse.inverse() * toEigen(body.getAngularVelocity()) + toEigen(body.getCenterOfMassPosition()).cross(p)};
}

TEST(Ragdoll, BeginsWithTheVelocitiesOfTheClip) {
    RagdollWorld w;
    btPliantCharacter* bar = w.addNodding(btVector3(0, 0, 0), 0.4);
    w.step(20, 1.0 / 240.0);
    std::vector<AffineMap> before, now, after;
    bar->getBones(before);
    const double h = 1e-4;
    w.step(1, h);
    bar->getBones(now);
    const VectorX q = bar->getReducedCoordinates(), q1 = bar->getReducedVelocities();
    ASSERT_EQ(bar->startRagdoll(), "");
    EXPECT_EQ(bar->getDrive(), btPliantDrive::Ragdoll);
    const RagdollData& d = *btPliantInternal::dataOf(*bar).ragdoll();
    std::vector<AffineMap> rates(now.size());
    for (std::size_t b = 0; b < now.size(); ++b) rates[b] = (now[b] - before[b]) / h;
    const VectorX known = limbVelocities(d.model(), now, rates);
    EXPECT_GT(known.norm(), 1.0);
    // The difference is that of the middle of h: off by h / 2 times the acceleration of the clip, some 10 m/s^2.
    EXPECT_LT((d.V - known).norm(), 20.0 * h);
    EXPECT_EQ(VectorX(bar->getReducedCoordinates()), q);
    EXPECT_EQ(VectorX(bar->getReducedVelocities()), q1);
    bar->getBones(after);
    for (std::size_t b = 0; b < now.size(); ++b) EXPECT_EQ((after[b] - now[b]).norm(), 0.0);
}

// In single precision rows for ends of ranges round what they add to limbs.
TEST(Ragdoll, FreeFlightKeepsBothMomenta) {
    const double kept = doublePrecision ? 1e-9 : 1e-6;
    for (const double h : {1.0 / 30.0, 1.0 / 60.0, 1.0 / 240.0}) {
        RagdollWorld w;
        w.world.setGravity(btVector3(0, 0, 0));
        btPliantCharacter* bar = w.addNodding(btVector3(0, 0, 0), 0.4);
        w.step(20, 1.0 / 240.0);
        ASSERT_EQ(bar->startRagdoll(), "");
        bar->applyImpulseAt(btVector3(0, 0, 0), btVector3(20, 30, -25));
        bar->applyImpulseAt(btVector3(1, 0, 0), btVector3(5, -20, 25));
        const Momenta before = momentaOf(*bar);
        double last = RagdollWorld::energy(*bar), gain = 0.0;
        for (int i = 0; i < 200; ++i) {
            w.step(1, h);
            gain = std::max(gain, RagdollWorld::energy(*bar) - last);
            last = RagdollWorld::energy(*bar);
        }
        const Momenta after = momentaOf(*bar);
        EXPECT_LT((after.linear - before.linear).norm(), kept * before.linear.norm()) << h;
        EXPECT_LT((after.angular - before.angular).norm(), kept * before.angular.norm()) << h;
        EXPECT_LT(gain, kRagdollRounding * last) << h;
    }
}

TEST(Ragdoll, FallsByGravity) {
    RagdollWorld w;
    btPliantCharacter* bar = w.addNodding(btVector3(0, 5, 0), 0.4);
    ASSERT_EQ(bar->startRagdoll(), "");
    const Momenta before = momentaOf(*bar);
    const Vector3 centre = btPliantInternal::centreOfRagdoll(btPliantInternal::dataOf(*bar));
    w.step(60, 1.0 / 120.0);
    const Vector3 gained = momentaOf(*bar).linear - before.linear;
    EXPECT_LT((gained - Vector3(0, -kBarMass * kPull * 0.5, 0)).norm(), kRagdollRounding * kBarMass * kPull);
    // By velocities at the end of each step, of which flesh that swings has its share.
    const Vector3 way = btPliantInternal::centreOfRagdoll(btPliantInternal::dataOf(*bar)) - centre;
    EXPECT_NEAR(way.y() - 0.5 * before.linear.y() / kBarMass, -0.5 * kPull * 0.25 * (1.0 + 1.0 / 60.0), 0.02);
}

TEST(Ragdoll, ImpulsesOnPointsAreMomentum) {
    RagdollWorld w;
    btPliantCharacter* bar = w.addNodding(btVector3(0, 1, 0), 0.4);
    ASSERT_EQ(bar->startRagdoll(), "");
    w.step(5);
    const btVector3 rest(btScalar(0.55), btScalar(0.1), btScalar(0.05));
    const Momenta before = momentaOf(*bar);
    const Vector3 P(1.0, -2.0, 3.0), at = toEigen(bar->getPointPosition(rest));
    bar->applyImpulseAt(rest, btPliantInternal::toBullet(P));
    const Momenta after = momentaOf(*bar);
    EXPECT_LT((after.linear - before.linear - P).norm(), kRagdollRounding);
    EXPECT_LT((after.angular - before.angular - at.cross(P)).norm(), kRagdollRounding);
    // A force does the same in a step, gravity taken off.
    w.world.setGravity(btVector3(0, 0, 0));
    const double h = 1.0 / 120.0;
    const Vector3 arm = toEigen(bar->getPointPosition(rest));
    bar->applyForceAt(rest, btPliantInternal::toBullet(Vector3(P / h)));
    w.step(1, h);
    EXPECT_LT((momentaOf(*bar).linear - after.linear - P).norm(), kRagdollRounding * 10.0);
    EXPECT_LT((momentaOf(*bar).angular - after.angular - arm.cross(P)).norm(), kRagdollRounding * 10.0);
}

// The limbs' part of a row: what the point does where limbs move, by differences, and both momenta of an impulse.
TEST(Ragdoll, RowsAreTheVelocityOfTheirPoint) {
    RagdollWorld w;
    btPliantCharacter* bar = w.addNodding(btVector3(0, 1, 0), 0.4);
    w.step(20);
    ASSERT_EQ(bar->startRagdoll(), "");
    btPliantInternal::BodyData& data = btPliantInternal::dataOf(*bar);
    RagdollData& d = *data.ragdoll();
    const Vector3 normal = Vector3(0.3, -0.5, 0.8).normalized();
    const auto& segments = data.deformed->model().skeleton().segments;
    const double e = 1e-5;
    ASSERT_GT(segments.cols(), 0);
    for (int s = 0; s < segments.cols(); s += 1 + static_cast<int>(segments.cols()) / 12) {
        const float share = 0.3f;
        Vector3 at = Vector3::Zero();
        for (int end = 0; end < 2; ++end) {
            const Vector3 bent = data.deformed->unskinned(segments(end, s));
            Vector3 place = Vector3::Zero();
            double whole = 0.0;
            data.deformed->skin()->spheres().forBones(segments(end, s), [&](int bone, double weight) {
                const AffineMap& map = data.character->bones[static_cast<std::size_t>(bone)];
                place += weight * (map.leftCols<3>() * bent + map.col(3));
                whole += weight;
            });
            at += (end == 0 ? 0.7 : 0.3) * place / whole;
        }
        VectorX J(d.size());
        btPliantInternal::projectOnLimbs(data, s, share, at, normal, J.data());
        Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
        for (int i = 0; i < d.model().limbCount(); ++i) {
            const Vector3 p = J.segment<3>(6 * i);
            linear += p;
            angular += Vector3(J.segment<3>(6 * i + 3)) + d.system.centre(i).cross(p);
        }
        EXPECT_LT((linear - normal).norm(), 1e-12);
        EXPECT_LT((angular - at.cross(normal)).norm(), 1e-12);
        for (int k = 0; k < d.size(); ++k) {
            std::vector<AffineMap> ahead, behind;
            advance(d.model(), data.character->bones, VectorX::Unit(d.size(), k), e, ahead);
            advance(d.model(), data.character->bones, VectorX::Unit(d.size(), k), -e, behind);
            const Vector3 way = skinnedPointMotion(*data.deformed, s, share, at, ahead.data()) -
                                skinnedPointMotion(*data.deformed, s, share, at, behind.data());
            EXPECT_NEAR(J[k], normal.dot(way) / (2.0 * e), 1e-6) << s << " " << k;
        }
    }
}

struct RagdollFall {
    double gain = 0.0, depth = 0.0, kinetic = 0.0;
    bool sleeps = false;
    int contacts = 0;
};

double lowestPoint(const btPliantCharacter& character) {
    return drawnVertices(character).row(1).minCoeff();
}

/// From 0.5 m onto the plane. @param seconds of the fall
RagdollFall fallen(double h, int iterations, double damping, double seconds, double friction = 0.5) {
    RagdollWorld w;
    w.addGround()->setFriction(static_cast<btScalar>(friction));
    w.world.getSolverInfo().m_numIterations = iterations;
    btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.7), 0), 0.4, damping);
    EXPECT_EQ(bar->startRagdoll(), "");
    RagdollFall f;
    double last = RagdollWorld::energy(*bar);
    for (int i = 0; i < std::lround(seconds / h); ++i) {
        const Vector3 before = momentaOf(*bar).linear;
        w.step(1, h);
        const double now = RagdollWorld::energy(*bar);
        const double work = -0.5 * h * kPull * (before.y() + momentaOf(*bar).linear.y());
        if (bar->isActive()) f.gain = std::max(f.gain, now - last - work);
        last = now;
        f.contacts = std::max(f.contacts, w.system->getStats().m_contacts);
        f.depth = std::max(f.depth, -lowestPoint(*bar));
    }
    f.kinetic = bar->getKineticEnergy();
    f.sleeps = !bar->isActive();
    return f;
}

/// How deep flesh that comes at v into contact can get. Between points that are held it goes on until a wave has come
/// from them: at v for d / c, with d from the core to the surface and c = sqrt(G / rho), the slowest wave. And a point
/// that a row has brought to the surface at the velocity of the end of a step is within by what q does of second order:
/// h |J (q'1 - q'0)| / 2 <= h v / 2 (docs/internals/ragdolls.md).
double deepest(double v, double h) {
    const double shearModulus = 2e4 / (2.0 * 1.3), density = 1000.0, core = 0.05;
    return v * ((halfWidth - core) / std::sqrt(shearModulus / density) + 0.5 * h);
}

// 196 J to begin with; what rows, joints and flesh do to the energy, gravity's work taken off, is a loss in every step.
// Measured are 0.094 m in steps of 1/30 s, and 0.059 m in shorter ones.
TEST(Ragdoll, AFallGainsNothing) {
    const double start = kBarMass * kPull * 0.5, speed = std::sqrt(2.0 * kPull * 0.5);
    for (const double h : {1.0 / 30.0, 1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0})
        for (const int iterations : {10, 400})
            for (const double damping : {0.0, 0.003}) {
                const RagdollFall f = fallen(h, iterations, damping, 1.5);
                const auto where = testing::Message() << 1.0 / h << " " << iterations << " " << damping;
                EXPECT_GT(f.contacts, 0) << where;
                EXPECT_LT(f.gain, (doublePrecision ? 1e-10 : 1e-4) * start) << where;
                EXPECT_LT(f.depth, deepest(speed, h)) << where;
            }
}

TEST(Ragdoll, ComesToRestAndSleeps) {
    for (const double h : {1.0 / 60.0, 1.0 / 240.0}) {
        const RagdollFall f = fallen(h, 10, 0.003, 8.0);
        EXPECT_TRUE(f.sleeps) << h;
        EXPECT_LT(f.gain, (doublePrecision ? 1e-10 : 1e-4) * 196.0) << h;
        EXPECT_EQ(f.kinetic, 0.0) << h;
    }
}

// What touches it gets what it loses.
TEST(Ragdoll, ABallKeepsTheMomentaOfBoth) {
    RagdollWorld w;
    w.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacter* bar = w.addNodding(btVector3(0, 0, 0), 0.4);
    w.step(5);
    ASSERT_EQ(bar->startRagdoll(), "");
    const Vector3 middle = btPliantInternal::centreOfRagdoll(btPliantInternal::dataOf(*bar));
    btRigidBody* ball = w.addBall(0.1, 5.0, btPliantInternal::toBullet(Vector3(middle + Vector3(0.3, 0.35, 0.02))));
    ball->setLinearVelocity(btVector3(0, -6, 0));
    ball->setFriction(btScalar(0.8));
    const auto sum = [&] {
        const Momenta a = momentaOf(*bar), b = momentaOf(*ball);
        return Momenta{a.linear + b.linear, a.angular + b.angular};
    };
    const Momenta before = sum();
    const double start = RagdollWorld::energy(*bar) + 0.5 * 5.0 * 36.0;
    w.step(60);
    const Momenta after = sum();
    EXPECT_GT(momentaOf(*bar).linear.norm(), 5.0);
    EXPECT_LT((after.linear - before.linear).norm(), kRagdollRounding * 30.0);
    EXPECT_LT((after.angular - before.angular).norm(), kRagdollRounding * 30.0);
    EXPECT_LT(RagdollWorld::energy(*bar) + 0.5 * 5.0 * static_cast<double>(ball->getLinearVelocity().length2()), start);
}

// A driven character, a soft bar and another ragdoll push it; those that move freely keep momentum together.
TEST(Ragdoll, TouchesOtherBodiesOfOurs) {
    RagdollWorld w;
    w.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacter* one = w.addNodding(btVector3(0, 0, 0));
    btPliantCharacter* two = w.addNodding(btVector3(btScalar(0.3), btScalar(0.5), btScalar(0.05)));
    w.step(2);
    ASSERT_EQ(one->startRagdoll(), "");
    ASSERT_EQ(two->startRagdoll(), "");
    two->applyImpulseAt(btVector3(btScalar(0.5), 0, 0), btVector3(0, -120, 0));
    const Vector3 before = momentaOf(*one).linear + momentaOf(*two).linear;
    const Vector3 own = momentaOf(*one).linear;
    const Vector3 turn = momentaOf(*one).angular + momentaOf(*two).angular;
    w.step(60);
    EXPECT_GT((momentaOf(*one).linear - own).norm(), 20.0);
    EXPECT_LT((momentaOf(*one).linear + momentaOf(*two).linear - before).norm(), kRagdollRounding * 120.0);
    EXPECT_LT((momentaOf(*one).angular + momentaOf(*two).angular - turn).norm(), kRagdollRounding * 120.0);
}

// The clip bends the joint about one axis: the others are locked, and it stays within its range and what is added.
TEST(Ragdoll, JointsHoldAndKeepTheirRange) {
    RagdollWorld w;
    w.addGround();
    btPliantCharacter* bar = w.addNodding(btVector3(0, btScalar(0.7), 0), 0.4, 0.003);
    ASSERT_EQ(bar->startRagdoll(), "");
    const RagdollData& d = *btPliantInternal::dataOf(*bar).ragdoll();
    const JointRange& range = d.holds[1].range;
    ASSERT_EQ(range.lower[1], range.upper[1]);  // a hinge
    double widest = 0.0, off = 0.0, gap = 0.0;
    for (int i = 0; i < 360; ++i) {
        w.step(1, 1.0 / 120.0);
        std::vector<AffineMap> bones;
        bar->getBones(bones);
        const Matrix3 turn =
            range.middle.transpose() * bones[0].leftCols<3>().transpose() * bones[1].leftCols<3>() * range.axes;
        const Vector3 angles = jointAngles(turn);
        widest = std::max({widest, angles[0] - range.upper[0], range.lower[0] - angles[0]});
        off = std::max(off, angles.tail<2>().cwiseAbs().maxCoeff());
        const Vector3 head = barCharacter()->skeleton.bones[1].head();
        gap = std::max(gap, ((bones[0] - bones[1]).leftCols<3>() * head + (bones[0] - bones[1]).col(3)).norm());
    }
    // Rows in single precision turn limbs of some rad/s by 1e-7 of what they should.
    const double rounding = doublePrecision ? 1e-9 : 1e-7;
    EXPECT_LT(widest, rounding);
    EXPECT_LT(off, rounding);
    EXPECT_LT(gap, rounding);
}

// Held at one end by a joint to the world it swings: the joint holds, and the swing gains nothing.
TEST(Ragdoll, HangsFromAJoint) {
    RagdollWorld w;
    btPliantCharacter* bar = w.addNodding(btVector3(0, 3, 0));
    ASSERT_EQ(bar->startRagdoll(), "");
    btRigidBody* hook = w.addRigid(new btSphereShape(btScalar(0.01)), 0, bar->getPointPosition(btVector3(0, 0, 0)));
    btPliantPoint2PointConstraint joint(*bar, *hook, btVector3(0, 0, 0), btVector3(0, 0, 0));
    w.world.addConstraint(&joint, true);
    const auto height = [&] { return btPliantInternal::centreOfRagdoll(btPliantInternal::dataOf(*bar)).y(); };
    const double start = RagdollWorld::energy(*bar) + kBarMass * kPull * height();
    double gap = 0.0, highest = 0.0, lowest = 1e30;
    for (int i = 0; i < 480; ++i) {
        w.step(1, 1.0 / 240.0);
        gap =
            std::max(gap, static_cast<double>(
                              (bar->getPointPosition(btVector3(0, 0, 0)) - hook->getCenterOfMassPosition()).length()));
        highest = std::max(highest, RagdollWorld::energy(*bar) + kBarMass * kPull * height());
        lowest = std::min(lowest, height());
    }
    EXPECT_LT(lowest, 2.7);  // of a middle that hangs 0.5 m below the hook
    EXPECT_LT(gap, 0.02);
    // The mass centre goes by the velocity of the end of a step: m g h v / 2 at 3 m/s.
    EXPECT_LT(highest - start, 0.5 * kBarMass * kPull * 3.0 / 240.0);
    w.world.removeConstraint(&joint);
}

}  // namespace
