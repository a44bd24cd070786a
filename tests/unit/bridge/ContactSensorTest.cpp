// SPDX-License-Identifier: Zlib
// Contact sensors against known answers: weights, sums of a stack, friction on a slope, impacts, equal and opposite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "WatchedWorld.h"

namespace pliant::test {
namespace {

TEST(ContactSensor, ABodyInTheAirFeelsNothing) {
    TestWorld scene;
    const btPliantContactSensor* sensor = watch(scene, {scene.addBar(makeBar(), btVector3(0, 5, 0))});
    EXPECT_EQ(sensor->getForce(), btVector3(0, 0, 0)) << "before the first step";
    scene.step(3);
    EXPECT_TRUE(sensor->getContacts().empty());
    EXPECT_EQ(sensor->getCount(), 0);
    EXPECT_EQ(sensor->getForce(), btVector3(0, 0, 0));
    EXPECT_NEAR(sensor->getAccumulatedSeconds(), 3 * kStep, 1e-7);
}

// Strand on plane, on one of Bullet's boxes that lies on a plane; strand on strand; and Bullet's own box, which no
// reduced body touches.
TEST(ContactSensor, EveryPairOfAStackCarriesWhatIsAbove) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btRigidBody* table =
        scene.addRigid(new btBoxShape(btVector3(1, btScalar(0.1), 1)), 20, btVector3(0, btScalar(0.1), 0));
    btPliantBodyInfo info = damped();
    info.m_rollingFriction = btScalar(0.1);
    btPliantBody* lower = scene.addBar(makeBar(), btVector3(0, btScalar(0.26), 0), info);
    btPliantBody* upper =
        scene.addBar(makeBar(), btVector3(0, btScalar(0.37), 0), info, btQuaternion(btVector3(0, 1, 0), SIMD_HALF_PI));
    for (btRigidBody* body : {static_cast<btRigidBody*>(lower), static_cast<btRigidBody*>(upper), table})
        body->setActivationState(DISABLE_DEACTIVATION);
    const double bar = weight(*lower), box = 20 * kGravity;
    const btPliantContactSensor *onUpper = watch(scene, {upper}), *onLower = watch(scene, {lower}, {upper}),
                                *underLower = watch(scene, {lower}, {table}),
                                *underTable = watch(scene, {table}, {ground}), *onGround = watch(scene, {ground}),
                                *all = watch(scene, {upper, lower, table});
    scene.step(720);
    EXPECT_NEAR(onUpper->getFilteredForce().y(), bar, 1e-3 * bar);
    EXPECT_NEAR(onLower->getFilteredForce().y(), -bar, 1e-3 * bar);
    EXPECT_NEAR(underLower->getFilteredForce().y(), 2 * bar, 2e-3 * bar);
    EXPECT_NEAR(underTable->getFilteredForce().y(), 2 * bar + box, 1e-3 * box);
    EXPECT_NEAR(onGround->getFilteredForce().y(), -2 * bar - box, 1e-3 * box);
    EXPECT_NEAR(all->getFilteredForce().y(), 2 * bar + box, 1e-3 * box) << "what they do to each other cancels";
    EXPECT_NEAR(all->getFilteredNormalForce(), bar + 2 * bar + (2 * bar + box), 4e-3 * box) << "but counts as pressure";
    EXPECT_GT(onUpper->getCount(), 0);
    EXPECT_LE(onUpper->getCount(), static_cast<int>(onUpper->getContacts().size()));
    EXPECT_LT(onUpper->getFilteredTorque().length(), 2e-3 * bar);
}

// Filtered forces come 63 % of the way in one time constant.
TEST(ContactSensor, TheFilterIsOfFirstOrder) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0), damped());
    body->setActivationState(DISABLE_DEACTIVATION);
    scene.step(240);
    const btPliantContactSensor *slow = watch(scene, {body}, {}, 0.5), *raw = watch(scene, {body}, {}, 0);
    scene.step(60);
    EXPECT_NEAR(slow->getFilteredForce().y(), (1 - std::exp(-1.0)) * weight(*body), 1e-3 * weight(*body));
    EXPECT_EQ(raw->getFilteredForce(), raw->getForce());
}

// What sleeps goes on pressing.
TEST(ContactSensor, ASleepingBodyKeepsItsWeight) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0), damped());
    const btPliantContactSensor* sensor = watch(scene, {body});
    scene.step(600);
    ASSERT_FALSE(body->isActive());
    EXPECT_NEAR(sensor->getForce().y(), weight(*body), 1e-3 * weight(*body));
    EXPECT_NEAR(sensor->getFilteredForce().y(), weight(*body), 1e-3 * weight(*body));
}

TEST(ContactSensor, FrictionHoldsOnASlope) {
    TestWorld scene;
    const double angle = 0.3;
    scene.world.setGravity(btVector3(static_cast<btScalar>(kGravity * std::sin(angle)),
                                     static_cast<btScalar>(-kGravity * std::cos(angle)), 0));
    scene.addGround()->setFriction(1);
    btPliantBodyInfo info = damped();
    info.m_friction = 1;
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0), info);
    body->setActivationState(DISABLE_DEACTIVATION);
    const btPliantContactSensor* sensor = watch(scene, {body});
    btVector3 friction(0, 0, 0);
    scene.step(480);
    for (int i = 0; i < 60; ++i) {
        scene.step();
        friction += sensor->getFrictionImpulse();
    }
    EXPECT_NEAR(sensor->getFilteredForce().x(), -weight(*body) * std::sin(angle), 1e-3 * weight(*body));
    EXPECT_NEAR(sensor->getFilteredForce().y(), weight(*body) * std::cos(angle), 1e-3 * weight(*body));
    EXPECT_NEAR(friction.x() / 60 / kStep, -weight(*body) * std::sin(angle), 1e-3 * weight(*body));
    EXPECT_NEAR(sensor->getFilteredNormalForce(), weight(*body) * std::cos(angle), 1e-3 * weight(*body));
}

// A hard throw at a wall, found on its way (continuous contacts): impulses of all substeps are the change of momentum.
TEST(ContactSensor, AnImpactIsTheChangeOfMomentum) {
    for (const double speed : {3.0, 60.0})
        for (const double restitution : {0.0, 0.6})
            for (const bool solid : {false, true}) {
                TestWorld scene;
                scene.world.setGravity(btVector3(0, 0, 0));
                scene.addGround()->setRestitution(1);
                btPliantBodyInfo info = thrown(btVector3(1, static_cast<btScalar>(-speed), 0));
                info.m_restitution = static_cast<btScalar>(restitution);
                btPliantBody* body = scene.addBar(solid ? cube() : makeBar(), btVector3(0, btScalar(0.6), 0), info,
                                                  btQuaternion(btVector3(0, 0, 1), btScalar(0.3)));
                btPliantContactSensor* sensor = watch(scene, {body});
                const btVector3 before = linearMomentum(*body);
                scene.world.stepSimulation(btScalar(60.5 * kStep), 60, static_cast<btScalar>(kStep));
                const btVector3 gained = linearMomentum(*body) - before;
                EXPECT_GT(gained.y(), 0.5 * speed * body->getModel().totalMass()) << "it did hit";
                EXPECT_LT((sensor->getAccumulatedImpulse() - gained).length(),
                          (doublePrecision ? 1e-12 : 1e-5) * gained.length())
                    << speed << " " << restitution << " " << solid;
                EXPECT_NEAR(sensor->getAccumulatedSeconds(), 60 * kStep, 1e-6) << "every substep counts";
                sensor->resetAccumulated();
                EXPECT_EQ(sensor->getAccumulatedImpulse(), btVector3(0, 0, 0));
            }
}

// A thrown body that tumbles against a wall: torques about its centre of mass are the change of its spin.
TEST(ContactSensor, TorquesAreTheChangeOfAngularMomentum) {
    btPliantSystemInfo settings = TestWorld::oneThread();
    settings.m_penetrationRecovery = 0;  // which turns frames between the reading and the end of the step
    TestWorld scene(settings);
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.4), 0), thrown(btVector3(1, -4, 0)),
                                      btQuaternion(btVector3(0, 0, 1), btScalar(0.3)));
    const btPliantContactSensor* sensor = watch(scene, {body});
    btVector3 turned(0, 0, 0);
    const btVector3 before = body->getAngularMomentum();
    for (int i = 0; i < 40; ++i) {
        scene.step();
        turned += sensor->getTorque() * static_cast<btScalar>(kStep);
    }
    const btVector3 gained = body->getAngularMomentum() - before;
    EXPECT_GT(gained.length(), 0.01);
    EXPECT_LT((turned - gained).length(), (doublePrecision ? 1e-9 : 1e-4) * gained.length());
}

// Two bodies, reduced or not, that meet in the air.
TEST(ContactSensor, WhatTwoDoToEachOtherIsEqualAndOpposite) {
    for (int kind = 0; kind < 3; ++kind) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBody* first =
            scene.addBar(kind == 1 ? cube() : makeBar(), btVector3(0, btScalar(0.4), 0),
                         thrown(btVector3(0, -3, btScalar(0.4))), btQuaternion(btVector3(0, 1, 0), btScalar(0.5)));
        btRigidBody* second = nullptr;
        if (kind < 2)
            second = scene.addBar(kind == 1 ? cube() : makeBar(), btVector3(btScalar(0.05), 0, 0));
        else
            second = scene.addRigid(new btSphereShape(btScalar(0.15)), 3, btVector3(btScalar(0.05), 0, 0));
        btPliantContactSensor *onFirst = watch(scene, {first}, {second}), *onSecond = watch(scene, {second}, {first});
        const btVector3 before = first->getLinearVelocity() / first->getInvMass();
        btVector3 largest(0, 0, 0);
        for (int i = 0; i < 60; ++i) {
            scene.step();
            const btVector3 P = onFirst->getImpulse();
            EXPECT_EQ((P + onSecond->getImpulse()).length(), 0) << "step " << i;
            ASSERT_EQ(onFirst->getContacts().size(), onSecond->getContacts().size());
            for (std::size_t c = 0; c < onFirst->getContacts().size(); ++c) {
                const btPliantContactReading &a = onFirst->getContacts()[c], &b = onSecond->getContacts()[c];
                EXPECT_EQ(a.m_body, b.m_other);
                EXPECT_EQ((a.getImpulse() + b.getImpulse()).length(), 0);
                EXPECT_NEAR(a.m_normal.dot(a.m_frictionImpulse), 0, 1e-5);
                EXPECT_GE(a.m_normalImpulse, 0);
            }
            if (P.length() > largest.length()) largest = P;
        }
        EXPECT_GT(largest.y(), 0.1) << "the upper one is pushed up";
        const btVector3 gained = first->getLinearVelocity() / first->getInvMass() - before;
        EXPECT_LT((onFirst->getAccumulatedImpulse() - gained).length(), 2e-2 * gained.length()) << kind;
    }
}

TEST(ContactSensor, TellsSplitImpulsesApart) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.09), 0));
    const btPliantContactSensor* sensor = watch(scene, {body});
    scene.step();
    EXPECT_GT(sensor->getSplitImpulse(), 0);
    EXPECT_LT(sensor->getNormalImpulse(), 1e-3 * sensor->getSplitImpulse()) << "it gets no velocity";
    scene.step(600);
    EXPECT_EQ(sensor->getSplitImpulse(), 0) << "it is out";
}

// A bar of two materials lies on two posts; each end carries half of it.
TEST(ContactSensor, ARegionFeelsItsOwnContacts) {
    BarOptions options;
    auto model = std::make_shared<ReducedModel>(*makeBar(options));
    model->mesh.materials.resize(2, model->mesh.materials[0]);
    model->mesh.materials[0].name = "left";
    model->mesh.materials[1].name = "right";
    for (int e = 0; e < model->mesh.elementCount(); ++e) {
        double x = 0;
        for (int c = 0; c < model->mesh.cornersPerElement(); ++c)
            x += model->mesh.positions(0, model->mesh.elements(c, e)) / model->mesh.cornersPerElement();
        model->mesh.elementMaterial[static_cast<std::size_t>(e)] = x < options.meshOffset.x() ? 0 : 1;
    }
    TestWorld scene;
    for (const double x : {-0.3, 0.4})
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.02), btScalar(0.1), 1)), 0,
                       btVector3(static_cast<btScalar>(x), 0, 0));
    btPliantBodyInfo info = damped();
    btPliantBody* bar = scene.addBar(model, btVector3(0, btScalar(0.151), 0), info);
    bar->setActivationState(DISABLE_DEACTIVATION);
    btPliantContactSensorInfo wanted = ofRegion(*bar, "left");
    const btPliantContactSensor* left = scene.system->createContactSensor(wanted);
    wanted.m_material = "right";
    const btPliantContactSensor* right = scene.system->createContactSensor(wanted);
    wanted.m_material.clear();
    wanted.m_lower = btVector3(btScalar(options.meshOffset.x()), -9, -9);
    wanted.m_upper = btVector3(9, 9, 9);
    const btPliantContactSensor *box = scene.system->createContactSensor(wanted), *all = watch(scene, {bar});
    scene.step(720);
    const double whole = weight(*bar);
    EXPECT_NEAR(all->getFilteredForce().y(), whole, 2e-3 * whole);
    EXPECT_GT(left->getFilteredForce().y(), 1.2 * right->getFilteredForce().y()) << "its post is nearer to the middle";
    EXPECT_LT(all->getFilteredTorque().length(), 2e-3 * whole) << "by the lever of the posts";
    for (const btPliantContactReading& reading : left->getContacts()) EXPECT_NEAR(reading.m_position.x(), -0.3, 0.05);
    for (const btPliantContactReading& reading : right->getContacts()) EXPECT_NEAR(reading.m_position.x(), 0.4, 0.05);
    EXPECT_EQ(box->getFilteredForce(), right->getFilteredForce());
    EXPECT_NEAR(left->getForce().y() + right->getForce().y(), all->getForce().y(), 1e-4 * whole);
}

}  // namespace
}  // namespace pliant::test
