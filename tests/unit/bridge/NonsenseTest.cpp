// SPDX-License-Identifier: Zlib
// Numbers that cannot be: they are not taken, or what they reach is put back, and a status tells.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "RobustWorld.h"
#include "btPliant/btPliantPointMotor.h"
#include "pliant/math/Error.h"

namespace {

using pliant::test::heap;
using pliant::test::lightlyDamped;
using pliant::test::makeBar;
using pliant::test::Seen;
using pliant::test::TestWorld;
using pliant::test::watch;

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

TEST(Robust, ChoicesThatThereAreNotAreNotTaken) {
    TestWorld scene;
    const auto model = makeBar();
    btPliantBody* bar = scene.addBar(model, btVector3(0, 1, 0));
    for (const int number : {-1, 44}) {
        EXPECT_NO_THROW(bar->setIntegrator(static_cast<pliant::Integrator>(number)));
        EXPECT_NO_THROW(bar->setCoupling(static_cast<pliant::Coupling>(number)));
        pliant::DampingSettings damping;
        damping.form = static_cast<pliant::DampingForm>(number);
        EXPECT_NO_THROW(bar->setDamping(damping));
        btPliantBodyInfo info;
        info.m_integrator = static_cast<pliant::Integrator>(number);
        EXPECT_THROW(scene.system->createBody(model, info), pliant::Error);
        info = btPliantBodyInfo();
        info.m_coupling = static_cast<pliant::Coupling>(number);
        EXPECT_THROW(scene.system->createBody(model, info), pliant::Error);
        info = btPliantBodyInfo();
        info.m_damping = damping;
        EXPECT_THROW(scene.system->createBody(model, info), pliant::Error);
        for (const std::string what : {"integrator", "coupling", "form of damping"})
            EXPECT_NE(scene.system->getStatus().find("no " + what + " of the number " + std::to_string(number)),
                      std::string::npos)
                << what << ' ' << number;
        pliant::BatchSettings settings;
        settings.coupling = static_cast<pliant::Coupling>(number);
        EXPECT_THROW(pliant::BodyBatch(model, settings), pliant::Error);
    }
    EXPECT_EQ(bar->getSettings().integrator, pliant::Integrator::Newmark);
    EXPECT_EQ(bar->getSettings().coupling, pliant::Coupling::Full);
    EXPECT_EQ(bar->getSettings().damping.form, pliant::DampingForm::RestStiffness);
    scene.step(2);
    EXPECT_EQ(bar->getStatus(), pliant::BodyStatus::Ok);
}

TEST(Robust, CoordinatesThatCannotBeAreNotTaken) {
    for (const bool isVelocity : {false, true})
        for (const bool isTooFew : {false, true}) {
            TestWorld scene;
            btPliantBody* body = scene.addBar(makeBar(), btVector3(0, 1, 0), lightlyDamped());
            pliant::VectorX q = pliant::VectorX::Zero(body->getModel().dimension() - (isTooFew ? 1 : 0));
            if (!isTooFew) q[0] = std::nan("");
            if (isVelocity)
                body->setReducedVelocities(q);
            else
                body->setReducedCoordinates(q);
            EXPECT_NE(scene.system->getStatus().find("were not taken"), std::string::npos);
            EXPECT_EQ(body->getReducedCoordinates().norm(), 0.0);
            EXPECT_EQ(body->getReducedVelocities().norm(), 0.0);
        }
}

TEST(Robust, TargetsThatCannotBeAreNotTaken) {
    TestWorld scene;
    btPliantBody* body = scene.addBar(makeBar(), btVector3(0, 1, 0), lightlyDamped());
    btPliantPointMotor motor(*body, btVector3(btScalar(0.5), 0, 0), btScalar(7));
    const btVector3 nowhere(0, std::numeric_limits<btScalar>::quiet_NaN(), 0), there(1, 2, 3);
    EXPECT_TRUE(motor.setTargetPosition(there));
    EXPECT_FALSE(motor.setTargetPosition(nowhere));
    EXPECT_FALSE(motor.setTargetPosition(btVector3(4, 5, 6), nowhere));
    EXPECT_FALSE(motor.setTargetVelocity(nowhere));
    EXPECT_TRUE(motor.getTargetPosition() == there);
    EXPECT_TRUE(motor.getTargetVelocity() == btVector3(0, 0, 0));
    EXPECT_FALSE(motor.setLargestForce(btScalar(-1)));
    EXPECT_FALSE(motor.setLargestForce(nowhere.y()));
    EXPECT_EQ(motor.getLargestForce(), btScalar(7));
    EXPECT_TRUE(motor.setLargestForce(SIMD_INFINITY));
    scene.world.addConstraint(&motor);
    EXPECT_EQ(watch(scene, 10).restored, 0);
    scene.world.removeConstraint(&motor);
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

}  // namespace
