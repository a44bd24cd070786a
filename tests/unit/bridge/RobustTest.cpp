// SPDX-License-Identifier: Zlib
// What users do to a world: platforms that move, masses of a thousand to one, long steps, bodies that come and go,
// settings that change. No NaN, no blow-up, and trouble is told by a status.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "RobustWorld.h"
#include "pliant/math/Error.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::expectSane;
using pliant::test::lightlyDamped;
using pliant::test::makeBar;
using pliant::test::TestWorld;

// Settings that would feed energy are refused: with an exception where a body is made, else with a sentence.
TEST(Robust, SettingsThatGainEnergyAreNotTaken) {
    TestWorld scene;
    btPliantBodyInfo info = lightlyDamped(-1.0);
    EXPECT_THROW(scene.system->createBody(makeBar(), info), pliant::Error);
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), lightlyDamped());
    const pliant::BatchSettings before = bar->getSettings();
    pliant::NewmarkSettings newmark;
    newmark.gamma = 0.4;
    bar->setNewmark(newmark);
    EXPECT_TRUE(bar->getSettings() == before);
    EXPECT_NE(scene.system->getStatus().find("gamma"), std::string::npos) << scene.system->getStatus();
    pliant::DampingSettings damping;
    damping.stiffness = -1e-3;
    bar->setDamping(damping);
    EXPECT_TRUE(bar->getSettings() == before);
    EXPECT_NE(scene.system->getStatus().find("damping"), std::string::npos) << scene.system->getStatus();
}

TEST(Robust, BarsRideOnAMovingPlatform) {
    TestWorld scene;
    btRigidBody* platform =
        scene.addRigid(new btBoxShape(btVector3(1, btScalar(0.1), 1)), 0, btVector3(0, btScalar(-0.1), 0));
    platform->setCollisionFlags(platform->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
    platform->setActivationState(DISABLE_DEACTIVATION);
    platform->setFriction(1);
    const auto model = makeBar();
    for (int i = 0; i < 4; ++i) {
        btPliantBodyInfo info = lightlyDamped();
        info.m_friction = 1;
        info.m_rollingFriction = btScalar(0.02);
        scene.addBar(model, btVector3(0, btScalar(0.06 + 0.11 * i), 0), info,
                     btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 ? 1.5 : 0)));
    }
    for (int i = 0; i < 600; ++i) {
        const double t = i / 120.0;
        btTransform place = platform->getWorldTransform();
        place.setOrigin(btVector3(btScalar(0.3 * std::sin(2.0 * t)), btScalar(-0.1 + 0.05 * std::sin(3.0 * t)), 0));
        platform->setWorldTransform(place);
        scene.step();
        expectSane(scene, 4.0, 100.0, i);
    }
    for (int i = 0; i < 4; ++i) {
        const btVector3 away =
            scene.system->getBody(i)->getCenterOfMassPosition() - platform->getWorldTransform().getOrigin();
        EXPECT_LT(std::abs(static_cast<double>(away.x())), 1.0) << "it has fallen off";
        EXPECT_GT(away.y(), 0.1);
    }
}

TEST(Robust, AThousandToOne) {
    for (const bool heavyOnTop : {true, false}) {
        TestWorld scene;
        scene.addGround();
        BarOptions heavy, light;
        heavy.density = 4e5;
        light.density = 4e2;
        light.frequencies = heavy.frequencies = {200, 200, 600};
        const auto model = makeBar(light), other = makeBar(heavy);
        scene.addBar(heavyOnTop ? model : other, btVector3(0, btScalar(0.051), 0), lightlyDamped());
        btPliantBody* top = scene.addBar(heavyOnTop ? other : model, btVector3(0, btScalar(0.16), 0), lightlyDamped(),
                                         btQuaternion(btVector3(0, 1, 0), btScalar(0.6)));
        const double start = 9.81 * 4000.0 * 0.2;
        for (int i = 0; i < 480; ++i) {
            scene.step();
            expectSane(scene, 8.0, start, i);
        }
        EXPECT_GT(top->getCenterOfMassPosition().y(), 0.02);
        EXPECT_LT(top->getCenterOfMassPosition().y(), 0.2);
    }
}

TEST(Robust, StepsOfAThirtiethOfASecond) {
    for (const pliant::Coupling coupling : {pliant::Coupling::Inertia, pliant::Coupling::Full}) {
        TestWorld scene;
        scene.addGround();
        const auto model = makeBar();
        double start = 0;
        for (int i = 0; i < 6; ++i) {
            btPliantBodyInfo info = lightlyDamped(0.2);
            info.m_coupling = coupling;
            info.m_angularVelocity = btVector3(btScalar(i), 2, btScalar(-i));
            scene.addBar(model, btVector3(btScalar(0.1 * (i % 2)), btScalar(0.5 + 0.3 * i), 0), info,
                         btQuaternion(btVector3(0, 0, 1), btScalar(0.5 * i)));
            start += scene.system->getBody(i)->getKineticEnergy() + 9.81 * 4.0 * (0.5 + 0.3 * i);
        }
        for (int i = 0; i < 300; ++i) {
            scene.step(1, 1.0 / 30.0);
            expectSane(scene, 20.0, 1.01 * start, i);
        }
        for (int i = 0; i < 6; ++i) EXPECT_GT(scene.system->getBody(i)->getCenterOfMassPosition().y(), 0.0);
    }
}

TEST(Robust, BodiesComeAndGoWhileInContact) {
    TestWorld scene;
    scene.addGround();
    const auto model = makeBar();
    BarOptions options;
    options.frequencies = {100, 90, 300, 250};
    const auto other = makeBar(options);
    unsigned chance = 1;
    const auto draw = [&chance](unsigned below) {
        chance = chance * 1664525u + 1013904223u;
        return (chance >> 8) % below;
    };
    for (int i = 0; i < 600; ++i) {
        if (i % 6 == 0 && scene.system->getNumBodies() < 14)
            scene.addBar(
                draw(2) ? model : other,
                btVector3(btScalar(0.05) * btScalar(draw(5)), btScalar(0.8), btScalar(0.02) * btScalar(draw(7))),
                lightlyDamped(), btQuaternion(btVector3(0, 1, 0), btScalar(draw(30)) / 10));
        if (i % 10 == 3 && scene.system->getNumBodies() > 3)
            scene.system->destroyBody(scene.system->getBody(static_cast<int>(draw(3))));
        scene.step();
        expectSane(scene, 12.0, 1000.0, i);
    }
    while (scene.system->getNumBodies() > 0) {
        scene.system->destroyBody(scene.system->getBody(0));
        scene.step();
    }
    EXPECT_EQ(scene.dispatcher.getNumManifolds(), 0);
}

TEST(Robust, SettingsChangeWhileItRuns) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    BarOptions options;
    options.frequencies = {60, 60, 200, 150};
    const auto model = makeBar(options);
    for (int i = 0; i < 5; ++i)
        scene.addBar(model, btVector3(0, btScalar(0.1 + 0.13 * i), 0), lightlyDamped(),
                     btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 ? 1.5 : 0.1)));
    double highest = 0;
    for (int i = 0; i < 900; ++i) {
        btPliantBody& body = *scene.system->getBody(i % 5);
        switch (i % 90) {
            case 5:
                body.setDamping({0.5 * (i % 7), 1e-3, pliant::DampingForm::CurrentStiffness});
                break;
            case 15: {
                pliant::NewmarkSettings newmark;
                newmark.gamma = i % 2 ? 0.5 : 0.8;
                newmark.iterations = 1 + i % 3;
                body.setNewmark(newmark);
                break;
            }
            case 25:
                body.setCoupling(static_cast<pliant::Coupling>(i % 3));
                break;
            case 35:
                body.setIntegrator(static_cast<pliant::Integrator>((i / 90) % 3));
                break;
            case 45:
                body.setDetail(1 + i % 4);
                break;
            case 55:
                body.setFriction(btScalar(0.1) * btScalar(i % 10));
                body.setRestitution(btScalar(0.1) * btScalar(i % 3));
                break;
            case 65:
                scene.world.setGravity(btVector3(btScalar(0.5), i % 4 ? btScalar(-9.81) : btScalar(-5), 0));
                ground->setFriction(btScalar(0.5 + 0.1 * (i % 5)));
                break;
            case 75:
                scene.world.getSolverInfo().m_numIterations = 4 + i % 20;
                scene.world.getSolverInfo().m_splitImpulse = i % 2;
                break;
            default:
                break;
        }
        scene.step(1, i % 200 < 100 ? 1.0 / 120.0 : 1.0 / 60.0);
        expectSane(scene, 10.0, 500.0, i);
        EXPECT_EQ(body.getReducedCoordinates().size(), 4) << "whatever the level of detail is";
        highest = std::max(highest, static_cast<double>(body.getCenterOfMassPosition().y()));
    }
    EXPECT_LT(highest, 1.0);
}

}  // namespace
