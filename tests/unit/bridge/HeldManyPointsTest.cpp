// SPDX-License-Identifier: Zlib
// More points than a body has coordinates: near each other, told what contradicts, in contact, on a body that moves.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "BarPoints.h"
#include "btPliant/btPliantHeldPoints.h"

namespace pliant::test {
namespace {

/// Along the whole bar, end to end.
void addLine(btPliantHeldPoints& hands, int count) {
    for (int i = 0; i < count; ++i) hands.addPoint(onBar(static_cast<double>(i) / (count - 1) - 0.5));
}

int numDirections(const btPliantHeldPoints& hands) {
    int sum = 0;
    for (int i = 0; i < hands.getNumPoints(); ++i) sum += hands.getHeldDirections(i);
    return sum;
}

double farthest(const btPliantHeldPoints& hands) {
    double most = 0;
    for (int i = 0; i < hands.getNumPoints(); ++i)
        most = std::max(most, static_cast<double>(hands.getPosition(i).distance(hands.getTarget(i))));
    return most;
}

double wholeEnergy(const btPliantBody& bar) {
    return bar.getKineticEnergy() + bar.getStrainEnergy();
}

// Three shapes and a frame that cannot tell its turn about the line: eight directions, however many points. Neighbours
// that are 5 mm apart leave each other little of their mobility, and rounding must not pass for it.
TEST(HeldManyPoints, InALineStayWhereTheyAre) {
    for (const int count : {20, 100, 200})
        for (const double angle : {0.0, 0.7}) {
            TestWorld scene;
            btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), btPliantBodyInfo(),
                                             btQuaternion(btVector3(1, 2, 3).normalized(), btScalar(angle)));
            btPliantHeldPoints hands(*bar);
            addLine(hands, count);
            scene.world.addConstraint(&hands);
            double worst = 0;
            for (int i = 0; i < 240; ++i) {
                if (i == 120) bar->setDetail(2);
                if (i == 180) bar->setDetail(3);
                scene.step();
                worst = std::max(worst, farthest(hands));
                ASSERT_LE(numDirections(hands), 8) << count << " points, step " << i;
            }
            EXPECT_LT(worst, doublePrecision ? 1e-9 : 2e-5) << count << " points";
            EXPECT_LT(wholeEnergy(*bar), doublePrecision ? 1e-12 : 1e-6) << count << " points";
            EXPECT_EQ(hands.getNumGivenUp(), 0) << hands.getStatus();
            scene.world.removeConstraint(&hands);
        }
}

// Ten points that are told to be up to 0.35 m from where they are, each elsewhere. What moves the easiest point ten
// times as far at the fastest shape's 200 rad/s has (3.5 x 200)^2 / 2 = 245 kJ for each kilogramme of effective mass,
// of which the bar has less than one.
TEST(HeldManyPoints, ThatContradictAreGivenUpAndGainNoMoreThanTheirGaps) {
    for (const unsigned seed : {1u, 2u, 3u})
        for (const bool anchored : {false, true}) {
            std::mt19937 random(seed);
            const auto offset = [&random] {
                return static_cast<btScalar>(0.4 * (static_cast<double>(random()) / 4294967296.0 - 0.5));
            };
            BarOptions options;
            options.anchored = anchored;
            options.frequencies = {60, 60, 200, 150};
            TestWorld scene;
            btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 1, 0));
            btPliantHeldPoints hands(*bar);
            addLine(hands, 10);
            for (int i = 0; i < 10; ++i) {
                const btScalar x = offset(), y = offset(), z = offset();
                hands.setTarget(i, hands.getTarget(i) + btVector3(x, y, z));
            }
            scene.world.addConstraint(&hands);
            double most = 0;
            for (int i = 0; i < 480; ++i) {
                scene.step();
                most = std::max(most, wholeEnergy(*bar));
            }
            EXPECT_LT(most, 2.45e5) << "seed " << seed << ", anchored " << anchored;
            EXPECT_GT(most, 0.0) << "nothing has moved";
            EXPECT_LT(bar->getCenterOfMassPosition().distance(btVector3(0, 1, 0)), 1) << "seed " << seed;
            EXPECT_GT(hands.getNumGivenUp(), 4);
            EXPECT_FALSE(hands.getStatus().empty());
            scene.world.removeConstraint(&hands);
        }
}

// A body is turned by no more than half a radian for its gaps in a step, which takes several steps of a point at its
// end: no point before it asks for anything else.
TEST(HeldManyPoints, OnItsWayIsNotGivenUp) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0));
    btPliantHeldPoints hand(*bar);
    hand.addPoint(onBar(0.5));
    hand.setTarget(0, hand.getTarget(0) + btVector3(0, btScalar(0.8), 0));
    scene.world.addConstraint(&hand);
    for (int i = 0; i < 20; ++i) {
        scene.step();
        EXPECT_EQ(hand.getNumGivenUp(), 0) << "step " << i << ": " << hand.getStatus();
    }
    EXPECT_LT(farthest(hand), 0.8);
    scene.world.removeConstraint(&hand);
}

// What the targets' own velocities ask of a free body as a whole bends nothing, however many coordinates it has and
// however far it turns in a step: 0.17 rad at 20 rad/s, by which an arc is 7 mm beside its tangent at the bar's ends.
TEST(HeldManyPoints, ThatMoveAndTurnTogetherFollow) {
    for (const double rate : {1.4, 20.0}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        const btVector3 speed(1, 2, -3), axis = btVector3(0, 1, 1).normalized(),
                                         spin = static_cast<btScalar>(rate) * axis;
        btPliantBodyInfo info;
        info.m_linearVelocity = speed;
        info.m_angularVelocity = spin;
        btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), info);
        btPliantHeldPoints hands(*bar);
        addLine(hands, 10);
        std::vector<btVector3> start;
        for (int i = 0; i < 10; ++i) start.push_back(hands.getTarget(i));
        scene.world.addConstraint(&hands);
        const btVector3 middle = bar->getCenterOfMassPosition();
        double worst = 0, strain = 0;
        for (int k = 1; k <= 240; ++k) {
            const auto t = static_cast<btScalar>(k / 120.0);
            const btQuaternion turned(axis, static_cast<btScalar>(rate) * t);
            for (int i = 0; i < 10; ++i) {
                const btVector3 arm = quatRotate(turned, start[static_cast<std::size_t>(i)] - middle);
                hands.setTarget(i, middle + speed * t + arm, speed + spin.cross(arm));
            }
            scene.step();
            worst = std::max(worst, farthest(hands));
            strain = std::max(strain, bar->getStrainEnergy());
        }
        EXPECT_LT(worst, rate < 2 ? 2e-5 : 0.004) << rate;
        EXPECT_LT(strain, (rate < 2 ? 1e-6 : 5e-3) * bar->getKineticEnergy()) << rate;
        scene.world.removeConstraint(&hands);
    }
}

/// What a free bar does whose points, near one of its ends, are told these velocities and move by them. It starts with
/// their mean, and nothing else acts on it.
struct Told {
    double fastest = 0;  ///< m/s, of the frame
    double strain = 0;   ///< largest energy, J
};

/// @param places m along the bar from its middle
Told told(const std::vector<double>& places, const std::vector<btVector3>& velocities, int steps) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    for (const btVector3& each : velocities) info.m_linearVelocity += each / static_cast<btScalar>(velocities.size());
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), info);
    btPliantHeldPoints hands(*bar);
    std::vector<btVector3> start;
    for (const double x : places) start.push_back(hands.getTarget(hands.addPoint(onBar(x))));
    scene.world.addConstraint(&hands);
    Told most;
    for (int k = 1; k <= steps; ++k) {
        for (int i = 0; i < hands.getNumPoints(); ++i) {
            const auto n = static_cast<std::size_t>(i);
            hands.setTarget(i, start[n] + static_cast<btScalar>(k / 120.0) * velocities[n], velocities[n]);
        }
        scene.step();
        most.fastest = std::max(most.fastest, static_cast<double>(bar->getLinearVelocity().length()));
        most.strain = std::max(most.strain, bar->getStrainEnergy());
    }
    scene.world.removeConstraint(&hands);
    return most;
}

// Points at one place tell no rotation: between them lies rounding, which had sent the bar off at 2e7 m/s.
TEST(HeldManyPoints, AtOnePlaceTellNoTurn) {
    const btVector3 speed(1, 2, -3);
    for (const std::size_t count : {6u, 7u, 8u, 11u}) {
        const Told one = told(std::vector<double>(count, 0.5), std::vector<btVector3>(count, speed), 60);
        EXPECT_LT(one.fastest, 1.001 * static_cast<double>(speed.length())) << count;
        EXPECT_LT(one.strain, doublePrecision ? 1e-12 : 1e-6) << count;
    }
}

// Two points a centimetre apart whose velocities differ as those of a body that turns at 50 and 100 rad/s: what that
// would have the bar do at its other end is not known from them so well that it could be told an arc, which had put
// 4.5 and 14 J into it in a step.
TEST(HeldManyPoints, NearEachOtherTellNoArcOfWhatIsFarOff) {
    for (const double difference : {0.5, 1.0}) {
        const auto half = static_cast<btScalar>(difference / 2);
        const Told one = told({0.395, 0.405}, {btVector3(0, half, 0), btVector3(0, -half, 0)}, 1);
        EXPECT_LT(one.strain, 6 * difference) << difference;
        EXPECT_GT(one.strain, 0.0) << "nothing was told";
    }
}

// Velocities by chance, of up to 1.7 m/s, are those of no rigid body: along the arc of one the bar had got 8 to 96 J in
// a step.
TEST(HeldManyPoints, WithVelocitiesByChanceTellNoTurn) {
    for (const unsigned seed : {1u, 2u, 3u}) {
        std::mt19937 random(seed);
        std::vector<double> places;
        std::vector<btVector3> velocities;
        for (int i = 0; i < 5; ++i) {
            places.push_back(0.4 + 0.01 * i);
            btVector3 one;
            for (int k = 0; k < 3; ++k)
                one[k] = static_cast<btScalar>(static_cast<double>(random()) / 2147483648.0 - 1);
            velocities.push_back(one);
        }
        const Told one = told(places, velocities, 1);
        EXPECT_LT(one.strain, 2.0) << seed;
        EXPECT_LT(one.fastest, 3.0) << seed;
    }
}

/// Largest strain energy, J, of a free bar that moves as its ten points do, whose targets contradict each other by
/// centimetres. @param speed m/s
double strainOfContradiction(const btVector3& speed) {
    std::mt19937 random(4);
    BarOptions options;
    options.frequencies = {60, 60, 200, 150};
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_linearVelocity = speed;
    btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 1, 0), info);
    btPliantHeldPoints hands(*bar);
    addLine(hands, 10);
    std::vector<btVector3> places;
    for (int i = 0; i < 10; ++i) {
        btVector3 wrong;
        for (int k = 0; k < 3; ++k) wrong[k] = static_cast<btScalar>(2e-12 * static_cast<double>(random()));
        places.push_back(hands.getTarget(i) + wrong);
    }
    scene.world.addConstraint(&hands);
    double most = 0;
    for (int k = 1; k <= 20; ++k) {
        for (int i = 0; i < 10; ++i)
            hands.setTarget(i, places[static_cast<std::size_t>(i)] + static_cast<btScalar>(k / 120.0) * speed, speed);
        scene.step();
        most = std::max(most, bar->getStrainEnergy());
    }
    scene.world.removeConstraint(&hands);
    return most;
}

// Whoever moves along with targets sees the same contradiction: what they ask of the body as a whole is no gap that a
// deformation might be paid for.
TEST(HeldManyPoints, ThatContradictGainNoMoreWhereTheyMoveTogether) {
    const double still = strainOfContradiction(btVector3(0, 0, 0));
    ASSERT_GT(still, 1e-3);
    EXPECT_LT(strainOfContradiction(btVector3(10, 20, -30)), 1.1 * still);
}

// A ball of half the bar's mass falls on it, and lies there or rolls off; the points stay.
TEST(HeldManyPoints, StayWhereSomethingFallsOnThem) {
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), dampedBar(5));
    btPliantHeldPoints hands(*bar);
    addLine(hands, 20);
    scene.world.addConstraint(&hands);
    scene.addRigid(new btSphereShape(btScalar(0.1)), 2, btVector3(btScalar(0.02), btScalar(1.4), 0));
    double worst = 0;
    bool hasTouched = false;
    for (int i = 0; i < 480; ++i) {
        scene.step();
        worst = std::max(worst, farthest(hands));
        for (int k = 0; k < scene.dispatcher.getNumManifolds(); ++k)
            hasTouched |= scene.dispatcher.getManifoldByIndexInternal(k)->getNumContacts() > 0;
    }
    EXPECT_TRUE(hasTouched);
    EXPECT_LT(worst, 5e-3);
    EXPECT_LT(farthest(hands), doublePrecision ? 1e-4 : 1e-3);
    EXPECT_EQ(hands.getNumGivenUp(), 0) << hands.getStatus();
    scene.world.removeConstraint(&hands);
}

// Twenty points on a box that turns and flies: both keep their momentum, and the bar goes with it.
TEST(HeldManyPoints, OnABodyThatMovesGoWithIt) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo info = dampedBar(5);
    info.m_linearVelocity = btVector3(btScalar(0.3), 0, btScalar(0.2));
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), info);
    btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(btScalar(0.5), btScalar(0.1), btScalar(0.2))), 20,
                                      btVector3(0, btScalar(0.8), 0));
    box->setLinearVelocity(info.m_linearVelocity);
    box->setAngularVelocity(btVector3(0, 1, btScalar(0.5)));
    bar->setActivationState(DISABLE_DEACTIVATION);
    box->setActivationState(DISABLE_DEACTIVATION);
    btPliantHeldPoints seam(*bar, *box);
    addLine(seam, 20);
    scene.world.addConstraint(&seam, true);
    const btVector3 before = linearMomentum(*bar) + box->getLinearVelocity() / box->getInvMass();
    double worst = 0;
    for (int i = 0; i < 480; ++i) {
        scene.step();
        if (i >= 60) worst = std::max(worst, farthest(seam));
    }
    const btVector3 after = linearMomentum(*bar) + box->getLinearVelocity() / box->getInvMass();
    EXPECT_LT((after - before).length(), (doublePrecision ? 1e-9 : 1e-4) * before.length());
    EXPECT_LT(worst, 1e-3);
    EXPECT_GT(box->getAngularVelocity().length(), 0.3);
    scene.world.removeConstraint(&seam);
}

}  // namespace
}  // namespace pliant::test
