// SPDX-License-Identifier: Zlib
// Points held together: least change of energy, what contradicts, more points than coordinates, moving ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "BarPoints.h"
#include "btPliant/btPliantHeldPoints.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

Vector3 eigen(const btVector3& v) {
    return {static_cast<double>(v.x()), static_cast<double>(v.y()), static_cast<double>(v.z())};
}

btVector3 bullet(const Vector3& v) {
    return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z()));
}

/// U_s of a corner of the bar's section i, 3 x r.
MatrixX basisAt(const ReducedModel& model, int vertex) {
    return model.basis.middleRows<3>(3 * vertex);
}

btVector3 restPlace(const ReducedModel& model, int vertex) {
    return bullet(model.mesh.positions.col(vertex));
}

BarOptions fourShapes(bool anchored) {
    BarOptions options;
    options.anchored = anchored;
    options.frequencies = {60, 60, 200, 150};
    return options;
}

/// Corners of sections 8, 8, 4 and 6 of a bar of eight.
constexpr int kCorners[] = {32, 34, 17, 26, 22, 9, 35, 13, 30, 5};

// A step so short that elasticity does nothing: what changes is the kinetic energy alone, whose least is known.
TEST(HeldPoints, VelocitiesChangeByTheLeastEnergy) {
    const auto model = makeBar(fourShapes(false));
    const double h = 1e-6;
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0));
    btPliantHeldPoints hands(*bar);
    hands.setParam(BT_CONSTRAINT_ERP, 0);  // single precision has no such small gaps
    const Vector3 wanted[] = {{0.1, 0.02, -0.03}, {0.05, -0.1, 0.04}};
    const Eigen::Index r = model->dimension();
    MatrixX J = MatrixX::Zero(6, 6 + r);
    VectorX t(6);
    for (int i = 0; i < 2; ++i) {
        const int vertex = kCorners[i == 0 ? 0 : 2];
        const int point = hands.addPoint(restPlace(*model, vertex));
        ASSERT_TRUE(hands.setTarget(point, hands.getTarget(point) + bullet(h * wanted[i]), bullet(wanted[i])));
        const Vector3 arm = model->mesh.positions.col(vertex) - model->meshFromBody.translation;
        J.block<3, 3>(3 * i, 0).setIdentity();
        J.block<3, 3>(3 * i, 3) = -crossMatrix(arm);
        J.block(3 * i, 6, 3, r) = basisAt(*model, vertex);
        t.segment<3>(3 * i) = wanted[i];
    }
    VectorX inverse(6 + r);
    inverse << Vector3::Constant(1.0 / model->totalMass()), model->inertia.principalInertia.cwiseInverse(),
        VectorX::Ones(r);
    const MatrixX W = J * inverse.asDiagonal() * J.transpose();
    const VectorX least = inverse.asDiagonal() * J.transpose() * W.ldlt().solve(t);
    scene.world.addConstraint(&hands);
    scene.step(1, h);
    VectorX found(6 + r);
    found << eigen(bar->getLinearVelocity()), eigen(bar->getAngularVelocity()), bar->getReducedVelocities();
    EXPECT_LT((found - least).norm(), (doublePrecision ? 1e-6 : 1e-4) * least.norm());
    EXPECT_EQ(hands.getHeldDirections(0) + hands.getHeldDirections(1), 6);
    scene.world.removeConstraint(&hands);
}

/// Lets the bar come to rest.
void settle(TestWorld& scene) {
    scene.step(1500, 1.0 / 240.0);
}

// The constrained minimum of q'Kq/2, by a dense solve of the optimality system.
TEST(HeldPoints, RestShapeHasTheLeastElasticEnergy) {
    const auto model = makeBar(fourShapes(true));
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), dampedBar(40));
    btPliantHeldPoints hands(*bar);
    const Vector3 move(0.004, 0.03, -0.05);
    const int vertex = kCorners[2];
    const int point = hands.addPoint(restPlace(*model, vertex));
    hands.setTarget(point, hands.getTarget(point) + bullet(move));
    scene.world.addConstraint(&hands);
    settle(scene);
    const Eigen::Index r = model->dimension();
    MatrixX system = MatrixX::Zero(r + 3, r + 3);
    system.topLeftCorner(r, r) = model->energy.linearStiffness;
    system.topRightCorner(r, 3) = basisAt(*model, vertex).transpose();
    system.bottomLeftCorner(3, r) = basisAt(*model, vertex);
    VectorX right = VectorX::Zero(r + 3);
    right.tail<3>() = move;
    const VectorX least = system.fullPivLu().solve(right).head(r);
    EXPECT_LT((bar->getReducedCoordinates() - least).norm(), (doublePrecision ? 1e-6 : 1e-3) * least.norm());
    EXPECT_LT((hands.getPosition(point) - hands.getTarget(point)).length(), doublePrecision ? 1e-8 : 2e-5);
    EXPECT_EQ(hands.getHeldDirections(point), 3);
    EXPECT_TRUE(hands.getStatus().empty());
    scene.world.removeConstraint(&hands);
}

// Ten points of a body with four coordinates: where the body can be so, all are there; what is added beyond the rank
// has no directions of its own.
TEST(HeldPoints, MorePointsThanCoordinates) {
    const auto model = makeBar(fourShapes(true));
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(model, btVector3(0, 0, 0), dampedBar(40));
    btPliantHeldPoints hands(*bar);
    VectorX q(4);
    q << 0.02, -0.03, 0.002, 0.01;
    for (const int vertex : kCorners) {
        const int point = hands.addPoint(restPlace(*model, vertex));
        hands.setTarget(point, hands.getTarget(point) + bullet(basisAt(*model, vertex) * q));
    }
    scene.world.addConstraint(&hands);
    settle(scene);
    int directions = 0;
    for (int i = 0; i < hands.getNumPoints(); ++i) {
        directions += hands.getHeldDirections(i);
        EXPECT_LT((hands.getPosition(i) - hands.getTarget(i)).length(), doublePrecision ? 1e-7 : 1e-4) << i;
    }
    EXPECT_EQ(directions, 4);
    EXPECT_LT((bar->getReducedCoordinates() - q).norm(), (doublePrecision ? 1e-5 : 1e-2) * q.norm());
    EXPECT_EQ(hands.getNumGivenUp(), 0) << hands.getStatus();
    scene.world.removeConstraint(&hands);
}

// A stiff bar cannot be longer than it is: the first point is held, the second comes as near as it can, in its line.
TEST(HeldPoints, WhatContradictsIsGivenUpAndNamed) {
    for (const bool swapped : {false, true}) {
        BarOptions rigid;
        rigid.frequencies = {1e7, 1e7, 1e7};
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBody* bar = scene.addBar(makeBar(rigid), btVector3(0, 0, 0), dampedBar(5),
                                         btQuaternion(btVector3(1, 2, 3).normalized(), btScalar(0.7)));
        bar->btRigidBody::setDamping(btScalar(0.9), btScalar(0.9));
        btPliantHeldPoints hands(*bar);
        const int left = hands.addPoint(onBar(swapped ? 0.5 : -0.5)),
                  right = hands.addPoint(onBar(swapped ? -0.5 : 0.5));
        const btVector3 start = hands.getTarget(left);
        const btVector3 along = (hands.getTarget(right) - start).normalized();
        hands.setTarget(right, start + along * btScalar(1.2));
        scene.world.addConstraint(&hands);
        settle(scene);
        EXPECT_LT(hands.getPosition(left).distance(start), doublePrecision ? 1e-6 : 1e-4);
        EXPECT_LT(hands.getPosition(right).distance(start + along), doublePrecision ? 1e-6 : 1e-3);
        EXPECT_EQ(hands.getHeldDirections(left), 3);
        EXPECT_EQ(hands.getHeldDirections(right), 2);
        EXPECT_FALSE(hands.isGivenUp(left));
        EXPECT_TRUE(hands.isGivenUp(right));
        EXPECT_THAT(hands.getStatus(), ::testing::HasSubstr("point 1 (0.2 m off) cannot be where it should be"));
        scene.world.removeConstraint(&hands);
    }
}

// Two that ask for the same point: the earlier one has it.
TEST(HeldPoints, TheSamePointTwice) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(anchoredBar()), btVector3(0, 0, 0), dampedBar(40));
    btPliantHeldPoints hands(*bar);
    const int first = hands.addPoint(onBar(0.5)), second = hands.addPoint(onBar(0.5));
    hands.setTarget(second, hands.getTarget(second) + btVector3(0, btScalar(0.1), 0));
    scene.world.addConstraint(&hands);
    settle(scene);
    EXPECT_LT(hands.getPosition(first).distance(hands.getTarget(first)), doublePrecision ? 1e-7 : 1e-4);
    EXPECT_EQ(hands.getHeldDirections(second), 0);
    EXPECT_EQ(hands.getNumGivenUp(), 1);
    EXPECT_TRUE(hands.isGivenUp(second));
    scene.world.removeConstraint(&hands);
}

// Three points of a free bar on a rigid way: it goes with them, and its own weight bends it no farther than it must.
TEST(HeldPoints, FollowAMovingTarget) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(20));
    btPliantHeldPoints hands(*bar);
    btVector3 start[3];
    const double places[] = {-0.5, 0.0, 0.5};
    for (int i = 0; i < 3; ++i) {
        hands.addPoint(onBar(places[i]));
        start[i] = hands.getTarget(i);
    }
    scene.world.addConstraint(&hands);
    const double h = 1.0 / 240.0, radius = 0.2, rate = 2.0;
    double worst = 0;
    for (int i = 1; i <= 960; ++i) {
        const double t = i * h, angle = rate * t;
        const btVector3 way(0, btScalar(radius * std::sin(angle)), btScalar(radius * (1 - std::cos(angle))));
        const btVector3 velocity(0, btScalar(radius * rate * std::cos(angle)),
                                 btScalar(radius * rate * std::sin(angle)));
        for (int k = 0; k < 3; ++k) hands.setTarget(k, start[k] + way, velocity);
        scene.step(1, h);
        if (i < 480) continue;
        for (int k = 0; k < 3; ++k)
            worst = std::max(worst, static_cast<double>(hands.getPosition(k).distance(start[k] + way)));
    }
    // A step moves the way by radius rate h = 1.7 mm; a quarter of its change of direction stays.
    EXPECT_LT(worst, 2e-4);
    EXPECT_EQ(hands.getNumGivenUp(), 0);
    scene.world.removeConstraint(&hands);
}

// Internal forces: two free bars that hold each other at three points keep what they have.
TEST(HeldPoints, PairsKeepTheirMomenta) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_linearVelocity = btVector3(btScalar(0.2), btScalar(-0.4), btScalar(0.3));
    info.m_angularVelocity = btVector3(btScalar(0.5), 1, btScalar(-0.7));
    btPliantBody* a = scene.addBar(makeBar(), btVector3(0, 0, 0), info);
    info.m_angularVelocity = btVector3(btScalar(-2), btScalar(0.3), btScalar(1.5));
    btPliantBody* b = scene.addBar(makeBar(), btVector3(0, btScalar(0.2), 0), info);
    btPliantHeldPoints seam(*a, *b);
    for (const double x : {-0.4, 0.0, 0.4}) seam.addPoint(onBar(x), onBar(x) - btVector3(0, btScalar(0.2), 0));
    scene.world.addConstraint(&seam, true);
    const btVector3 linear = linearMomentum(*a) + linearMomentum(*b), angular = totalAngularMomentum(scene);
    scene.step(240);
    const double tolerance = doublePrecision ? 1e-9 : 1e-4;
    EXPECT_LT((linearMomentum(*a) + linearMomentum(*b) - linear).length(), tolerance * linear.length());
    EXPECT_LT((totalAngularMomentum(scene) - angular).length(), tolerance * angular.length());
    for (int i = 0; i < 3; ++i) EXPECT_LT(seam.getPosition(i).distance(seam.getTarget(i)), 2e-3) << i;
    EXPECT_FALSE(seam.setTarget(0, btVector3(0, 0, 0))) << "points of a body have no place in the world";
    scene.world.removeConstraint(&seam);
}

// The law for a held mode (JointConstraints.h), with more points than it has coordinates.
TEST(HeldPoints, NeverGainEnergy) {
    for (const double omegaH : {0.1, 1.0, 3.0, 10.0}) {
        const double h = 1.0 / 120.0;
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBody* bar = scene.addBar(makeBar(anchoredBar({omegaH / h, omegaH / h})), btVector3(0, 0, 0));
        bar->setReducedVelocities(VectorX::Ones(2));
        scene.step(3, h);
        btPliantHeldPoints hands(*bar);
        for (const double x : {0.5, 0.0, -0.2}) hands.addPoint(onBar(x));
        hands.setParam(BT_CONSTRAINT_ERP, 0);  // to go back to a place may take energy; to stop does not
        scene.world.addConstraint(&hands);
        double last = bar->getKineticEnergy() + bar->getStrainEnergy();
        const double before = last;
        for (int i = 0; i < 240; ++i) {
            scene.step(1, h);
            const double energy = bar->getKineticEnergy() + bar->getStrainEnergy();
            ASSERT_LE(energy, last + (doublePrecision ? 1e-9 : 1e-5) * before) << "omega h = " << omegaH << ", " << i;
            last = energy;
        }
        EXPECT_LT(bar->getPointVelocity(onBar(0.5)).length(), 1e-3) << "omega h = " << omegaH;
        scene.world.removeConstraint(&hands);
    }
}

TEST(HeldPoints, ASavedWorldGoesOnWithTheSameBits) {
    TestWorld scene;
    scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0), dampedBar(5));
    btPliantHeldPoints hands(*bar);
    for (const double x : {-0.5, 0.1, 0.5}) hands.addPoint(onBar(x));
    scene.world.addConstraint(&hands);
    hands.setTarget(2, hands.getTarget(2) + btVector3(0, btScalar(0.1), 0));
    scene.step(20);
    std::vector<std::byte> blob;
    scene.system->saveState(blob);
    scene.step(30);
    const VectorX q = bar->getReducedCoordinates();
    const btVector3 place = bar->getCenterOfMassPosition();
    hands.setTarget(2, btVector3(0, 0, 0));
    ASSERT_EQ(scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    scene.step(30);
    EXPECT_EQ((bar->getReducedCoordinates() - q).norm(), 0.0);
    EXPECT_EQ((bar->getCenterOfMassPosition() - place).length(), 0);
    scene.world.removeConstraint(&hands);
}

TEST(HeldPoints, TearBeyondTheirStrength) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    btPliantHeldPoints hands(*bar);
    for (const double x : {-0.4, 0.4}) hands.addPoint(onBar(x));
    const double weight = bar->getModel().totalMass() * standardGravity / 120;  // N s in a step
    scene.world.addConstraint(&hands);
    hands.setBreakingImpulseThreshold(static_cast<btScalar>(2 * weight));
    scene.step(60);
    EXPECT_TRUE(hands.isEnabled());
    EXPECT_NEAR(hands.getLinearImpulse().y(), weight, 0.5 * weight);
    hands.setBreakingImpulseThreshold(static_cast<btScalar>(0.2 * weight));
    scene.step(1);
    EXPECT_FALSE(hands.isEnabled());
    scene.world.removeConstraint(&hands);
}

// Without a tolerance directions that are rounding alone are not held either.
TEST(HeldPoints, NumbersStayFiniteWithoutATolerance) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0));
    btPliantHeldPoints hands(*bar);
    hands.setTolerance(0);
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 5; ++j) hands.addPoint(onBar(0.1 * j));
    scene.world.addConstraint(&hands);
    for (int i = 0; i < 60; ++i) {
        scene.step();
        ASSERT_TRUE(bar->getReducedCoordinates().allFinite()) << i;
        ASSERT_LT(bar->getLinearVelocity().length(), 1) << i;
    }
    int held = 0;
    for (int i = 0; i < hands.getNumPoints(); ++i) held += hands.getHeldDirections(i);
    EXPECT_LE(held, 6 + bar->getModel().dimension());
    scene.world.removeConstraint(&hands);
}

TEST(HeldPoints, BadInput) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 0, 0));
    btPliantHeldPoints hands(*bar);
    EXPECT_THROW(hands.addPoint(btVector3(NAN, 0, 0)), Error);
    EXPECT_FALSE(hands.setTarget(0, btVector3(0, 0, 0))) << "there is none";
    hands.addPoint(onBar(0));
    EXPECT_FALSE(hands.setTarget(0, btVector3(0, INFINITY, 0)));
    EXPECT_FALSE(hands.setTarget(-1, btVector3(0, 0, 0)));
    const btScalar tolerance = hands.getTolerance();
    hands.setTolerance(btScalar(NAN));
    EXPECT_EQ(hands.getTolerance(), tolerance);
    for (const int none : {-1, 1, 1000}) {
        EXPECT_EQ(hands.getHeldDirections(none), 0);
        EXPECT_FALSE(hands.isGivenUp(none));
        EXPECT_EQ(hands.getPosition(none), btVector3(0, 0, 0));
        EXPECT_EQ(hands.getPointImpulse(none), btVector3(0, 0, 0));
    }
}

}  // namespace
}  // namespace pliant::test
