// SPDX-License-Identifier: Zlib
// What users do to a world: platforms that move, masses of a thousand to one, long steps, bodies that come and go,
// settings that change. No NaN, no blow-up, and trouble is told by a status.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "TestWorld.h"
#include "btPliant/btPliantDetail.h"
#include "pliant/math/Error.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

btPliantBodyInfo lightlyDamped(double mass = 1.0) {
    btPliantBodyInfo info;
    info.m_damping.mass = mass;
    info.m_damping.stiffness = 1e-3;
    return info;
}

/// Finite, slower than `speed`, energy below `energy`.
void expectSane(TestWorld& scene, double speed, double energy, int step) {
    const btPliantStats& stats = scene.system->getStats();
    ASSERT_TRUE(std::isfinite(stats.totalEnergy())) << step;
    ASSERT_LT(stats.totalEnergy(), energy) << step;
    ASSERT_EQ(stats.m_restoredBodies, 0) << step;
    for (int i = 0; i < scene.system->getNumBodies(); ++i) {
        const btPliantBody& body = *scene.system->getBody(i);
        ASSERT_TRUE(body.getReducedCoordinates().allFinite()) << step;
        ASSERT_LT(body.getLinearVelocity().length(), speed) << "body " << i << ", step " << step;
    }
}

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

// Numbers that cannot be: the body says so, stands where it stood, and what lies on it does not notice.
TEST(Robust, ABodyThatIsGivenNonsenseIsPutBack) {
    TestWorld scene;
    btPliantBody* held = scene.addBar(makeBar(pliant::test::anchoredBar()), btVector3(0, 0, 0), lightlyDamped(10));
    btPliantBody* other = scene.addBar(makeBar(), btVector3(btScalar(-0.2), btScalar(0.12), 0), lightlyDamped(),
                                       btQuaternion(btVector3(0, 1, 0), btScalar(1.5)));
    scene.step(60);
    const pliant::VectorX q = held->getReducedCoordinates();
    pliant::VectorX nonsense = q;
    nonsense[1] = std::nan("");
    held->setReducedCoordinates(nonsense);
    held->setReducedVelocities(nonsense);
    EXPECT_TRUE(held->getReducedCoordinates() == q) << "not taken";
    const btScalar infinite = std::numeric_limits<btScalar>::infinity();
    held->applyForceAt(btVector3(btScalar(0.7), btScalar(-0.2), btScalar(0.1)), btVector3(0, infinite, 0));
    int restored = 0;
    for (int i = 0; i < 60; ++i) {
        scene.step();
        restored += scene.system->getStats().m_restoredBodies;
        ASSERT_TRUE(held->getReducedCoordinates().allFinite()) << i;
        ASSERT_TRUE(other->getReducedCoordinates().allFinite()) << i;
        ASSERT_TRUE(std::isfinite(other->getCenterOfMassPosition().y())) << i;
        ASSERT_LT(other->getLinearVelocity().length(), 10) << i;
    }
    EXPECT_EQ(restored, 1);
    EXPECT_EQ(held->getStatus(), pliant::BodyStatus::Ok);
}

/// Bars in a heap, resting.
void heap(TestWorld& scene, int count) {
    scene.addGround();
    const auto model = makeBar();
    for (int i = 0; i < count; ++i)
        scene.addBar(model, btVector3(btScalar(0.05 * (i % 3)), btScalar(0.06 + 0.105 * i), 0), lightlyDamped(),
                     btQuaternion(btVector3(0, 1, 0), btScalar(i % 2 ? 1.5 : 0.1)));
}

struct Seen {
    int restored = 0;
    double fastest = 0;
};

Seen watch(TestWorld& scene, int steps) {
    Seen seen;
    for (int i = 0; i < steps; ++i) {
        scene.step();
        seen.restored += scene.system->getStats().m_restoredBodies;
        for (int b = 0; b < scene.system->getNumBodies(); ++b) {
            const btPliantBody& body = *scene.system->getBody(b);
            EXPECT_TRUE(body.getReducedCoordinates().allFinite()) << i;
            EXPECT_TRUE(body.getReducedVelocities().allFinite()) << i;
            EXPECT_TRUE(std::isfinite(body.getCenterOfMassPosition().length2())) << i;
            EXPECT_TRUE(std::isfinite(body.getAngularVelocity().length2())) << i;
            seen.fastest = std::max(seen.fastest, static_cast<double>(body.getLinearVelocity().length()));
        }
    }
    return seen;
}

// A softness below zero turns the effective masses of the rows round: the iterations diverge, as they do where rows
// answer each other unsymmetrically. What they found is dropped, the bodies say so and go on from where they stood.
TEST(Robust, DivergedIterationsAreRejected) {
    TestWorld scene;
    heap(scene, 6);
    EXPECT_EQ(watch(scene, 240).restored, 0);
    ASSERT_GT(scene.system->getStats().m_contacts, 15);
    const double before = scene.system->getStats().totalEnergy();
    scene.world.getSolverInfo().m_numIterations = 40;
    scene.world.getSolverInfo().m_globalCfm = btScalar(-0.6 / 120.0);
    const Seen wild = watch(scene, 30);
    EXPECT_GT(wild.restored, 0) << "nothing has run away, so nothing was tested";
    EXPECT_LT(wild.fastest, 3.0);
    EXPECT_LT(scene.system->getStats().totalEnergy(), 1.5 * before);
    scene.world.getSolverInfo().m_globalCfm = 0;
    scene.world.getSolverInfo().m_numIterations = 10;
    watch(scene, 480);
    EXPECT_EQ(watch(scene, 60).restored, 0);
    for (int i = 0; i < 6; ++i) {
        EXPECT_GT(scene.system->getBody(i)->getCenterOfMassPosition().y(), 0.02);
        EXPECT_LT(scene.system->getBody(i)->getLinearVelocity().length(), 2.0) << "some roll";
    }
    EXPECT_LT(scene.system->getStats().totalEnergy(), 1.01 * before);
}

// Forces that are no numbers reach the frame, and by contact everything that touches it.
TEST(Robust, AFrameThatIsGivenNonsenseIsPutBack) {
    const btScalar infinite = std::numeric_limits<btScalar>::infinity();
    for (const bool torque : {false, true}) {
        TestWorld scene;
        heap(scene, 4);
        watch(scene, 120);
        btPliantBody* body = scene.system->getBody(1);
        const btVector3 place = body->getCenterOfMassPosition();
        if (torque)
            body->applyTorque(btVector3(0, infinite, 0));
        else
            body->applyCentralForce(btVector3(0, infinite, 0));
        const Seen struck = watch(scene, 1);
        EXPECT_GE(struck.restored, 1);
        EXPECT_EQ(body->getStatus(), pliant::BodyStatus::RestoredLastState);
        EXPECT_LT((body->getCenterOfMassPosition() - place).length(), 1e-3);
        const Seen later = watch(scene, 240);
        EXPECT_EQ(later.restored, 0);
        EXPECT_LT(later.fastest, 2.0);
        EXPECT_EQ(body->getStatus(), pliant::BodyStatus::Ok);
    }
}

// Impulses, places and points that are no numbers are not taken, and the system says so.
TEST(Robust, NonsenseIsNotTaken) {
    TestWorld scene;
    btPliantBody* body = scene.addBar(makeBar(), btVector3(0, 1, 0), lightlyDamped());
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    const btVector3 point(btScalar(0.7), btScalar(-0.2), btScalar(0.1)), nowhere(0, nan, 0);
    EXPECT_EQ(scene.system->getStatus(), "");
    body->applyImpulseAt(point, nowhere);
    EXPECT_NE(scene.system->getStatus().find("was not taken"), std::string::npos);
    body->applyImpulseAt(nowhere, btVector3(0, 1, 0));
    body->applyForceAt(nowhere, btVector3(0, 1, 0));
    btTransform place = body->getMeshTransform();
    const btTransform before = place;
    place.setOrigin(nowhere);
    body->setMeshTransform(place);
    place = before;
    place.getBasis()[1] = nowhere;
    body->setMeshTransform(place);
    EXPECT_TRUE(body->getMeshTransform() == before);
    EXPECT_EQ(body->getReducedVelocities().norm(), 0.0);
    EXPECT_EQ(body->getLinearVelocity().length(), 0);
    EXPECT_TRUE(std::isfinite(body->getPointPosition(nowhere).length()));
    btPliantBodyInfo info;
    info.m_linearVelocity = nowhere;
    EXPECT_THROW(scene.system->createBody(makeBar(), info), pliant::Error);
    EXPECT_EQ(watch(scene, 10).restored, 0);
}

/// Whatever Bullet itself takes: a place, velocities, an impulse to the frame.
TEST(Robust, APlaceOrAVelocityThatCannotBeIsPutBack) {
    const btScalar nan = std::numeric_limits<btScalar>::quiet_NaN();
    for (const btScalar number : {nan, btScalar(1e30)})
        for (const std::string what : {"place", "basis", "velocity", "spin", "impulse", "coordinates"}) {
            TestWorld scene;
            heap(scene, 4);
            watch(scene, 120);
            btPliantBody* body = scene.system->getBody(1);
            const btVector3 before = body->getCenterOfMassPosition(), far(0, number, 0);
            btTransform place = body->getWorldTransform();
            if (what == "place") place.setOrigin(far);
            if (what == "basis") place.getBasis()[1] = far;
            body->setWorldTransform(place);
            if (what == "velocity") body->setLinearVelocity(far);
            if (what == "spin") body->setAngularVelocity(far);
            if (what == "impulse") body->applyImpulseAt(btVector3(btScalar(0.7), btScalar(-0.2), btScalar(0.1)), far);
            if (what == "coordinates")
                body->setReducedVelocities(
                    pliant::VectorX::Constant(body->getModel().dimension(), static_cast<double>(number)));
            const bool isTaken =
                std::isfinite(number) || what == "place" || what == "basis" || what == "velocity" || what == "spin";
            const Seen struck = watch(scene, 1);
            EXPECT_EQ(struck.restored >= 1, isTaken) << what << ' ' << number;
            EXPECT_EQ(body->getStatus() == pliant::BodyStatus::RestoredLastState, isTaken) << what << ' ' << number;
            EXPECT_LT((body->getCenterOfMassPosition() - before).length(), 2e-3) << what << ' ' << number;
            EXPECT_TRUE(std::isfinite(scene.system->getStats().totalEnergy())) << what << ' ' << number;
            const Seen later = watch(scene, 240);
            EXPECT_EQ(later.restored, 0) << what << ' ' << number;
            EXPECT_LT(later.fastest, 2.0) << what << ' ' << number;
            EXPECT_TRUE(std::isfinite(scene.system->getStats().totalEnergy())) << what << ' ' << number;
        }
}

TEST(Robust, AStepThatIsNoNumberMovesNoBody) {
    const double nan = std::nan(""), infinite = std::numeric_limits<double>::infinity();
    for (const double step : {nan, infinite, -infinite}) {
        TestWorld scene;
        heap(scene, 4);
        watch(scene, 120);
        const btVector3 before = scene.system->getBody(1)->getCenterOfMassPosition();
        scene.step(1, step);
        EXPECT_NE(scene.system->getStatus().find("a length that cannot be"), std::string::npos);
        EXPECT_LT((scene.system->getBody(1)->getCenterOfMassPosition() - before).length(), 2e-3);
        EXPECT_LT(watch(scene, 240).fastest, 2.0);
        EXPECT_TRUE(std::isfinite(scene.system->getStats().totalEnergy()));
        EXPECT_GT(scene.system->getBody(3)->getCenterOfMassPosition().y(), 0.02);
    }
}

// Finite numbers of any size: energies stay numbers, or the body says that it was put back.
TEST(Robust, NumbersOfAnySizeAreBorne) {
    for (double size = 1.0; size < 1e300; size *= 1e7) {
        TestWorld scene;
        scene.addGround();
        btPliantBody* body = scene.addBar(makeBar(), btVector3(0, 1, 0), lightlyDamped());
        scene.step(2);
        body->setReducedCoordinates(pliant::VectorX::Constant(body->getModel().dimension(), size));
        for (int i = 0; i < 20; ++i) {
            scene.step();
            ASSERT_TRUE(body->getReducedCoordinates().allFinite()) << size;
            ASSERT_TRUE(std::isfinite(scene.system->getStats().totalEnergy())) << size << " step " << i;
        }
    }
}

// All in one place: contacts by the square of their number, of which a world makes no more than it may.
TEST(Robust, ContactsOfAWorldAreBounded) {
    btPliantSystemInfo info = TestWorld::oneThread();
    const auto fill = [](TestWorld& scene) {
        scene.world.setGravity(btVector3(0, 0, 0));
        const auto model = makeBar();
        for (int i = 0; i < 30; ++i)
            scene.addBar(model, btVector3(0, 0, 0), lightlyDamped(), btQuaternion(btVector3(0, 1, 0), btScalar(i)));
    };
    int unbounded = 0;
    {
        TestWorld scene(info);
        fill(scene);
        scene.step();
        unbounded = scene.system->getStats().m_contacts;
        EXPECT_EQ(scene.system->getStats().m_contactsLeftOut, 0);
        EXPECT_EQ(scene.system->getStatus(), "");
    }
    ASSERT_GT(unbounded, 1000);
    for (const int most : {1000, 100}) {  // some of each of the 435 pairs, and not all of the pairs
        info.m_maxContacts = most;
        TestWorld scene(info);
        fill(scene);
        scene.step();
        EXPECT_LE(scene.system->getStats().m_contacts, most);
        EXPECT_GT(scene.system->getStats().m_contacts, most / 3);
        EXPECT_EQ(scene.system->getStats().m_contacts + scene.system->getStats().m_contactsLeftOut, unbounded);
        EXPECT_NE(scene.system->getStatus().find("m_maxContacts"), std::string::npos);
        for (int i = 0; i < 600; ++i) {
            scene.step();
            ASSERT_LE(scene.system->getStats().m_contacts, most);
            ASSERT_EQ(scene.system->getStats().m_restoredBodies, 0);
        }
        double farthest = 0;
        for (int i = 0; i < 30; ++i)
            farthest =
                std::max(farthest, static_cast<double>(scene.system->getBody(i)->getCenterOfMassPosition().length()));
        EXPECT_GT(farthest, 0.3) << "they come out of each other by turns";
    }
}

// A floor that is a box is found after the pairs of bodies, which would use up all contacts, and everything would fall
// through it.
TEST(Robust, AFloorHasItsShareOfBoundedContacts) {
    btPliantSystemInfo info = TestWorld::oneThread();
    info.m_maxContacts = 200;
    TestWorld scene(info);
    scene.addRigid(new btBoxShape(btVector3(5, btScalar(0.5), 5)), 0, btVector3(0, btScalar(-0.5), 0));
    const auto model = makeBar();
    for (int i = 0; i < 20; ++i)
        scene.addBar(model, btVector3(0, btScalar(0.2), 0), lightlyDamped(5.0),
                     btQuaternion(btVector3(0, 1, 0), btScalar(i)));
    for (int i = 0; i < 240; ++i) {
        scene.step();
        ASSERT_LE(scene.system->getStats().m_contacts, info.m_maxContacts);
    }
    EXPECT_NE(scene.system->getStatus().find("m_maxContacts"), std::string::npos);
    for (int i = 0; i < 20; ++i) EXPECT_GT(scene.system->getBody(i)->getCenterOfMassPosition().y(), 0) << i;
}

TEST(Detail, PolicyFollowsSizeOnTheScreen) {
    BarOptions options;
    options.frequencies = {60, 60, 200, 150};
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 0, 0));
    btPliantViewer viewer;
    btPliantDetailPolicy policy;
    policy.m_least = 1;
    policy.m_step = 1;
    int last = 4;
    for (const double distance : {1.0, 10.0, 30.0, 100.0, 1000.0}) {
        viewer.m_eye = btVector3(0, 0, static_cast<btScalar>(distance));
        const int detail = btPliantChooseDetail(*bar, viewer, policy);
        EXPECT_LE(detail, last);
        last = detail;
        if (distance == 1.0) {
            EXPECT_EQ(detail, 4);
        }
    }
    EXPECT_LE(last, 2);
    btPliantSetLevelOfDetail(*scene.system, viewer, policy);
    EXPECT_EQ(bar->getDetail(), last);
    policy.m_quietEnergy = 1.0;
    viewer.m_eye = btVector3(0, 0, 1);
    EXPECT_EQ(btPliantChooseDetail(*bar, viewer, policy), 1) << "it does not move";
}

}  // namespace
