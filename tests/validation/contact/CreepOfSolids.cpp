// SPDX-License-Identifier: Zlib
// Stacks that are not allowed to sleep stay where they are: friction holds places, not velocities alone.
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletDynamics/Dynamics/btRigidBody.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <vector>

#include "SolidBodies.h"
#include "pliant/runtime/DefaultDamping.h"
#include "unit/bridge/TestWorld.h"

namespace pliant::test {
namespace {

constexpr double kEdge = 0.2;           // m
constexpr int kSecond = 120;            // steps
constexpr int kMean = 2 * kSecond;      // steps over which places are averaged: a stack sways at 2 to 4 Hz
constexpr int kLanded = 5 * kSecond;    // when the first mean begins
constexpr int kWatched = 18 * kSecond;  // from one mean to the other

/// Metres that the mean place of any cube of a stack moves in 18 s. @param gap between the cubes at the start, m
double creepOfStack(int count, double gap) {
    static const auto model = solidBox({kEdge, kEdge, kEdge});
    TestWorld scene;
    scene.addGround();
    btPliantBodyInfo info;
    info.m_damping.stiffness = 0.002;
    std::vector<btPliantBody*> bodies;
    for (int i = 0; i < count; ++i) {
        const double height = kEdge / 2 + gap / 2 + (kEdge + gap) * i;
        bodies.push_back(scene.addBar(model, btVector3(0, static_cast<btScalar>(height), 0), info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    }
    const auto meanPlaces = [&] {
        std::vector<btVector3> mean(bodies.size(), btVector3(0, 0, 0));
        for (int n = 0; n < kMean; ++n) {
            scene.step();
            for (std::size_t i = 0; i < bodies.size(); ++i)
                mean[i] += bodies[i]->getMeshTransform().getOrigin() / kMean;
        }
        return mean;
    };
    scene.step(kLanded);
    const std::vector<btVector3> before = meanPlaces();
    scene.step(kWatched - kMean);
    const std::vector<btVector3> after = meanPlaces();
    double creep = 0;
    for (std::size_t i = 0; i < bodies.size(); ++i)
        creep = std::max(creep, static_cast<double>((after[i] - before[i]).length()));
    return creep;
}

// Without anchors 2 mm and 2 to 9 mm. Of seven stacks of two, with gaps of 0 to 3 mm, the farthest crept by 0.03 mm; of
// seven stacks of five by 0.18 to 0.71 mm.
TEST(CreepOfSolids, AStackOfTwoStaysWithoutSleep) {
    EXPECT_LT(creepOfStack(2, 0.001), 1e-4);
}

TEST(CreepOfSolids, StacksOfFiveStayWithoutSleep) {
    double mean = 0;
    for (const double gap : {0.0, 0.001, 0.002}) {
        const double creep = creepOfStack(5, gap);
        EXPECT_LT(creep, 2e-3) << gap;
        mean += creep / 3;
    }
    EXPECT_LT(mean, 1e-3);
}

/// A body that its user gives no other damping than what scenes do, let go with a turn, and never asleep.
struct LoneSolid {
    LoneSolid(const std::shared_ptr<const ReducedModel>& model, double height, const btQuaternion& turn,
              const btVector3& spin, bool damped = true) {
        scene.addGround();
        btPliantBodyInfo info;
        if (damped) info.m_damping = defaultDamping(*model);
        body = scene.addBar(model, btVector3(0, static_cast<btScalar>(height + 0.002), 0), info, turn);
        body->setAngularVelocity(spin);
        body->setActivationState(DISABLE_DEACTIVATION);
    }
    /// Fastest motion in a second, m/s: of the frame's points and, on average over the mass, of the deformation.
    /// @param size of the body, m. @param step s
    double fastest(double size, double step = 1.0 / kSecond) {
        double speed = 0;
        for (int i = 0; i < static_cast<int>(1.0 / step); ++i) {
            scene.step(1, step);
            speed = std::max(speed, static_cast<double>(body->getLinearVelocity().length()) +
                                        size / 2 * static_cast<double>(body->getAngularVelocity().length()) +
                                        body->getReducedVelocities().norm() / std::sqrt(body->getModel().totalMass()));
        }
        return speed;
    }
    TestWorld scene;
    btPliantBody* body;
};

// Modes of firm solids turn round within a step. Contacts that worked on their way out threw the body up by what
// gravity gives it in a step, g h = 82 mm/s, again and again: this plank trembled by 50 mm/s lying and by 10 on its
// end, for ever, and walked by 0.1 m in 20 s. Its slowest mode, 137 Hz with 2 % of critical damping, has lost all but
// exp(-0.02 2 pi 137 10) of its motion after 10 s. Asked for: less than 1 mm/s, and a tenth of a millimetre in 10 s.
TEST(CreepOfSolids, WhatStandsByItselfComesToRest) {
    constexpr double quiet = 1e-3, still = 1e-4;  // m/s, m
    const btQuaternion onEnd(btVector3(0, 0, 1), SIMD_HALF_PI), none = btQuaternion::getIdentity();
    const auto plank = solidBox({0.3, 0.06, 0.12}), cube = solidBox({kEdge, kEdge, kEdge});
    const struct {
        const char* name;
        std::shared_ptr<const ReducedModel> model;
        double height, size;  // m
        btQuaternion turn;
    } cases[] = {{"cube", cube, 0.1, 0.35, none},
                 {"plank", plank, 0.03, 0.33, none},
                 {"plank on end", plank, 0.15, 0.33, onEnd}};
    for (const auto& c : cases)
        for (const double yaw : {0.0, 0.3, 0.6, 0.9}) {
            const btQuaternion about(btVector3(0, 1, 0), static_cast<btScalar>(yaw));
            LoneSolid lone(c.model, c.height, about * c.turn, btVector3(btScalar(0.1), 0, btScalar(0.04)));
            lone.scene.step(10 * kSecond);
            const btVector3 before = lone.body->getCenterOfMassPosition();
            const double speed = lone.fastest(c.size);
            EXPECT_LT(speed, quiet) << c.name << ", " << yaw;
            lone.scene.step(9 * kSecond);
            const auto way = static_cast<double>((lone.body->getCenterOfMassPosition() - before).length());
            EXPECT_LT(way, still) << c.name << ", " << yaw;
            std::printf("%s, %.1f: %.3g mm/s, %.3g mm in 10 s\n", c.name, yaw, 1e3 * speed, 1e3 * way);
        }
}

// A column that is pushed sways on points that stick, and contacts only take from that: its centre of mass is never
// faster than all that the push has given would make it, v^2 = v_0^2 + w_0^2 L^2 (1 + (b / L)^2) / 12, with damping or
// without. Anchors that took back what its foot moves to and fro fed it (FrictionAnchors.cpp): at 1/120 s it swayed by
// 24 to 33 mm/s for ever, where the push had given 9.3.
TEST(CreepOfSolids, AColumnThatSwaysIsGivenNothing) {
    constexpr double length = 0.4, width = 0.1, turn = 0.04;  // m, rad/s
    SolidMaterial soft;
    soft.young = 1e6;
    soft.voxels = 16;
    const auto model = solidBox({width, length, width}, soft);
    const double pushed = turn * length / 2;  // about the middle of its foot
    const double given = std::sqrt(pushed * pushed + turn * turn * (length * length + width * width) / 12.0);
    for (const double step : {1.0 / 60.0, 1.0 / 120.0})
        for (const bool damped : {false, true}) {
            LoneSolid column(model, length / 2, btQuaternion::getIdentity(), btVector3(0, 0, 0), damped);
            column.scene.step(static_cast<int>(3.0 / step), step);
            column.body->setAngularVelocity(btVector3(0, 0, static_cast<btScalar>(-turn)));
            column.body->setLinearVelocity(btVector3(static_cast<btScalar>(pushed), 0, 0));
            double fastest = 0, last = 0;  // of all, and of the last second
            const int steps = static_cast<int>(6.0 / step);
            for (int i = 0; i < steps; ++i) {
                column.scene.step(1, step);
                const double speed = std::abs(static_cast<double>(column.body->getLinearVelocity().x()));
                fastest = std::max(fastest, speed);
                if (i > steps - static_cast<int>(1.0 / step)) last = std::max(last, speed);
            }
            EXPECT_LT(fastest, given) << step << (damped ? ", damped" : "");
            EXPECT_LT(last, damped ? 1e-3 : given) << step;
            std::printf("column, 1/%.0f s: %.3g of %.3g mm/s\n", 1 / step, 1e3 * fastest, 1e3 * given);
        }
}

// In the step in which friction stops a cube it takes up to mu g h of velocity. What the cube has slid in that step is
// no slip that an anchor may take back: counted by half of the velocity it pulled the cube back by half of mu g h^2
// / 2. Asked for: no more than a seventh.
TEST(CreepOfSolids, WhatSlidesToAStopIsNotPulledBack) {
    constexpr double mu = 0.25, g = 9.81;  // the product of both bodies' friction
    const auto model = solidBox({kEdge, kEdge, kEdge});
    for (const double step : {1.0 / 60.0, 1.0 / 120.0, 1.0 / 240.0})
        for (const double speed : {0.3, 0.5, 1.0}) {
            LoneSolid cube(model, kEdge / 2, btQuaternion::getIdentity(), btVector3(0, 0, 0));
            cube.scene.step(static_cast<int>(1.0 / step), step);
            cube.body->setLinearVelocity(btVector3(static_cast<btScalar>(speed), 0, 0));
            double farthest = 0, x = 0;
            for (int i = 0; i < static_cast<int>(3.0 / step); ++i) {
                cube.scene.step(1, step);
                x = static_cast<double>(cube.body->getCenterOfMassPosition().x());
                farthest = std::max(farthest, x);
            }
            EXPECT_GT(farthest, speed * speed / (2.0 * mu * g) / 2.0) << "it has not slid";
            EXPECT_LT(farthest - x, mu * g * step * step / 14.0) << speed << " m/s, " << step;
        }
}

// The same for boxes of any size and stiffness, laid on any face, at three lengths of a step. Which ones go on
// trembling is chance, and others on another processor: of 144, 112 did without what is taken from their vibration, 21
// to 27 while anchors fed it, and four do, by 2.1 to 5.7 mm/s. At that rate more than three of 16 tremble with a chance
// of 1 in 1,200; of these 16, nine did without what is taken.
TEST(CreepOfSolids, MostBoxesComeToRest) {
    constexpr int boxes = 16;
    std::mt19937 random(1);
    const auto draw = [&random](double from, double to) {
        return from + (to - from) * static_cast<double>(random()) / 4294967296.0;
    };
    int trembling = 0;
    for (int i = 0; i < boxes; ++i) {
        const Vector3 size(draw(0.08, 0.48), draw(0.04, 0.24), draw(0.04, 0.24));
        SolidMaterial material;
        material.young = std::pow(10.0, draw(5.3, 7.8));
        const auto model = solidBox({size[0], size[1], size[2]}, material);
        const btQuaternion faces[] = {btQuaternion::getIdentity(), btQuaternion(btVector3(0, 0, 1), SIMD_HALF_PI),
                                      btQuaternion(btVector3(1, 0, 0), SIMD_HALF_PI)};
        const double heights[] = {size[1] / 2, size[0] / 2, size[2] / 2};
        const double step = std::pow(2.0, -i % 3) / 60.0;
        const btQuaternion about(btVector3(0, 1, 0), static_cast<btScalar>(draw(0.0, 6.28)));
        LoneSolid lone(model, heights[i / 3 % 3], about * faces[i / 3 % 3],
                       btVector3(static_cast<btScalar>(draw(-0.1, 0.1)), 0, static_cast<btScalar>(draw(-0.1, 0.1))));
        lone.scene.step(static_cast<int>(7.0 / step), step);
        if (lone.fastest(size.maxCoeff(), step) > 2e-3) ++trembling;
    }
    std::printf("%d of %d boxes move by more than 2 mm/s\n", trembling, boxes);
    EXPECT_LE(trembling, 3);
}

/// Root of the mean square speed of thrown dice of 16 mm in the second after the third, m/s.
double speedOfDice(unsigned seed, bool dampedByStep) {
    constexpr double edge = 0.016, step = 1.0 / kSecond;
    constexpr int count = 16;
    SolidMaterial hard;
    hard.young = 1e9;
    static const auto die = solidBox({edge, edge, edge}, hard);
    TestWorld scene;
    scene.addGround();
    btBoxShape shape(btVector3(btScalar(0.01), btScalar(0.1), btScalar(0.3)));
    btRigidBody wall(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &shape));
    wall.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(btScalar(0.3), btScalar(0.1), 0)));
    scene.world.addRigidBody(&wall);
    btPliantBodyInfo info;
    info.m_damping = dampedByStep ? defaultDamping(*die, step) : defaultDamping(*die);
    info.m_linearVelocity = btVector3(2, 0, btScalar(0.4));
    info.m_angularVelocity = btVector3(30, 10, -20);
    std::mt19937 chance(seed);
    const auto turn = [&chance] { return static_cast<btScalar>(chance() % 2000) / 1000 - 1; };
    std::vector<btPliantBody*> dice;
    for (int i = 0; i < count; ++i) {
        const btVector3 place(btScalar(0.03 * (i % 4)), btScalar(0.1 + 0.03 * (i / 8)), btScalar(0.03 * (i / 4 % 2)));
        const btScalar x = turn(), y = turn(), z = turn();
        dice.push_back(scene.addBar(die, place, info, btQuaternion(x, y, z, btScalar(0.3)).normalized()));
        dice.back()->setActivationState(DISABLE_DEACTIVATION);
    }
    scene.step(3 * kSecond);
    double squared = 0;
    for (int i = 0; i < kSecond; ++i) {
        scene.step();
        for (const btPliantBody* one : dice)
            squared += static_cast<double>(one->getLinearVelocity().length2()) / (kSecond * count);
    }
    scene.world.removeRigidBody(&wall);
    return std::sqrt(squared);
}

// Vibrations of dice, at 17 kHz and more, ring down within a step; the trapezoidal rule keeps them for a minute, and
// they threw the dice about for ever. What is left is what ten iterations leave of the weight, g h = 82 mm/s. Which
// dice roll on is chance, and another one on another processor: of fourteen seeds the medians were 0.083 and 0.78 mm/s,
// one damped heap was above 0.25 and one of the others below 0.35. At twice these rates a median of five is on the
// wrong side of its bound with a chance of 2 in 100.
TEST(CreepOfSolids, DiceAreDampedByAShareOfTheStep) {
    std::vector<double> damped, ringing;
    for (unsigned seed = 1; seed <= 5; ++seed) {
        damped.push_back(speedOfDice(seed, true));
        ringing.push_back(speedOfDice(seed, false));
    }
    std::sort(damped.begin(), damped.end());
    std::sort(ringing.begin(), ringing.end());
    std::printf("dice: %.3g mm/s, without %.3g\n", 1e3 * damped[2], 1e3 * ringing[2]);
    EXPECT_LT(damped[2], 0.25e-3);
    EXPECT_GT(ringing[2], 0.35e-3);  // or these dice say nothing about damping
}

}  // namespace
}  // namespace pliant::test
