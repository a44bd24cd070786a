// SPDX-License-Identifier: Zlib
// What driven bones start with, what they throw, what they do to flesh that cannot give way, and jumps.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <utility>

#include "CharacterWorld.h"
#include "pliant/runtime/DefaultDamping.h"

namespace {

using namespace pliant::test;
using btPliantInternal::toEigen;
using pliant::Vector3;
using pliant::VectorX;

constexpr double kStep = 1.0 / 120.0;

/// The bar of another material or law.
std::shared_ptr<const pliant::CharacterModel> otherBar(double young, bool linear, int dimension) {
    const pliant::VolumeMesh plain = barMesh();
    pliant::VolumeMesh mesh = plain;
    mesh.materials[0].youngsModulus = young;
    pliant::CharacterOptions options = barOptions();
    options.modes = options.dimension = dimension;
    options.linear = linear;
    return makeCharacter(barRig(mesh), mesh, options, "bar");
}

TEST(CharacterDrive, WhatHasBeenWalkingFeelsNoJolt) {
    for (const btPliantDrive drive : {btPliantDrive::Pose, btPliantDrive::Clip}) {
        CharacterWorld scene;
        btPliantCharacterInfo info = standing();
        info.m_drive = drive;
        info.m_speed = 0.0;
        const btVector3 velocity(3, 0, 1);
        info.m_linearVelocity = velocity;
        btPliantCharacter* bar = scene.add(info);
        const VectorX before = bar->getReducedCoordinates();
        for (int i = 1; i <= 10; ++i) {
            bar->setMeshTransform(btTransform(btQuaternion::getIdentity(), velocity * btScalar(i * kStep)));
            scene.step();
        }
        // A jolt of 3 m/s in a step would be q' of |U'(rho v)|, metres a second.
        EXPECT_LT((bar->getReducedCoordinates() - before).norm(), 1e-4) << static_cast<int>(drive);
    }
}

/// The lower bone turns at 4 rad/s into a ball that lies beside its end; what leaves.
double thrownAt(btScalar restitution) {
    CharacterWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    static const auto stiff = otherBar(1e10, true, 12);
    btPliantCharacter* bar = scene.system->createCharacter(stiff, standing());
    scene.world.addRigidBody(bar, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    bar->setRestitution(restitution);
    btRigidBody* ball = scene.addBall(0.05, 0.01, btVector3(btScalar(0.9), btScalar(0.17), 0));
    ball->setRestitution(1);
    ball->setActivationState(DISABLE_DEACTIVATION);
    for (int i = 1; i <= 24; ++i) {
        bar->setPose(noddedPose(4.0 * kStep * i));
        scene.step();
    }
    return static_cast<double>(ball->getLinearVelocity().length());
}

TEST(CharacterDrive, WhatBonesThrowLeavesWithTheirRestitution) {
    // The skin is at 0.4 m from the joint and 0.1 from the bone: 4 x 0.41 m/s; what is all but weightless leaves by
    // twice that. Without restitution what the flesh gives back is all that it gets beyond the skin's own velocity.
    const double skin = 4.0 * std::hypot(0.4, 0.1);
    EXPECT_NEAR(thrownAt(1), 2.0 * skin, 0.3 * skin);
    EXPECT_GT(thrownAt(1), thrownAt(0) + 0.2 * skin);
}

TEST(CharacterDrive, AJumpOfNonlinearFleshIsItsStaticAnswer) {
    static const auto stvk = otherBar(2e4, false, 8);
    CharacterWorld scene;
    btPliantCharacter* bar = scene.system->createCharacter(stvk, standing(noddedPose(0.3)));
    scene.world.addRigidBody(bar, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    scene.world.setGravity(btVector3(0, btScalar(-60), 0));
    bar->setMeshTransform(btTransform(btQuaternion::getIdentity(), btVector3(50, 0, 0)));
    scene.step();
    const VectorX q = bar->getReducedCoordinates(), force = btPliantInternal::dataOf(*bar).character->lastForce;
    const VectorX linear = pliant::MatrixX(stvk->flesh->energy.linearStiffness).ldlt().solve(force);
    ASSERT_GT((linear - q).norm(), 0.02 * q.norm());  // there is something to be told
    // A free step goes on from there: what balances stays.
    EXPECT_LT((stvk->flesh->energy.force(q) - force).norm(), 1e-3 * force.norm());
    const VectorX start = q;
    scene.step(30);
    EXPECT_LT((bar->getReducedCoordinates() - start).norm(), 1e-3 * start.norm());
}

/// What a quadruped that runs on the spot for a second meets.
struct RunOnTheSpot {
    double most = 0.0;  ///< J, the largest kinetic energy of the flesh.
    int contacts = 0;
};

std::shared_ptr<const pliant::CharacterModel> quadruped() {
    static const auto made = [] {
        pliant::CharacterOptions options;
        options.dimension = 24;
        return pliant::makeCharacterOf(PLIANT_MEDIA_DIR "/characters/quadruped.glb", options);
    }();
    return made;
}

btPliantCharacter* addQuadruped(TestWorld& scene, double speed) {
    scene.world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    btPliantCharacterInfo info;
    info.m_clip = "run";
    info.m_speed = speed;
    info.m_damping = pliant::defaultDamping(*quadruped()->flesh);
    btPliantCharacter* made = scene.system->createCharacter(quadruped(), info);
    scene.world.addRigidBody(made, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    return made;
}

/// @param board mass of a board of 40 mm that lies below the hooves, kg; 0: they tread on the ground
RunOnTheSpot runOnTheSpot(double board, int iterations) {
    TestWorld scene;
    scene.world.getSolverInfo().m_numIterations = iterations;
    btPliantCharacter* made = addQuadruped(scene, 1.0);
    const btScalar ground = board > 0.0 ? btScalar(-0.04) : btScalar(0);
    scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), ground), 0, btVector3(0, 0, 0));
    if (board > 0.0)
        scene.addRigid(new btBoxShape(btVector3(btScalar(1.5), btScalar(1), btScalar(0.02))), board,
                       btVector3(0, 0, btScalar(-0.02)));
    RunOnTheSpot run;
    for (int i = 0; i < 120; ++i) {
        scene.step();
        run.most = std::max(run.most, static_cast<double>(made->getKineticEnergy()));
        run.contacts += scene.system->getStats().m_contacts;
    }
    return run;
}

// The mass of a shin with its hoof is below 1 kg: 2 m v^2 at 3 m/s is 18 J a hoof at the very most. Where bones do not
// yield it is 92 kJ on the ground, and with 200 iterations 1,580 and 1,700 J on boards of 20 and 100 kg, which move
// freely and hardly more than the ground does, and 329 J on one of 1 kg, which is trapped between hooves and ground.
TEST(CharacterDrive, HoovesThrowNoFleshAbout) {
    EXPECT_LT(runOnTheSpot(0.0, 10).most, 18.0);
    for (const double board : {0.0, 1.0, 20.0, 100.0}) {
        const RunOnTheSpot run = runOnTheSpot(board, 200);
        EXPECT_GT(run.contacts, 30) << board;
        EXPECT_LT(run.most, board == 1.0 ? 4.0 * 18.0 : 18.0) << board;  // the first step of each hoof is not bounded
    }
}

/// Where a ball of 6 cm that falls onto a quadruped at rest is after two and after four seconds, m above the ground.
std::pair<double, double> heightsOnQuadruped(double mass, double x) {
    TestWorld scene;
    addQuadruped(scene, 0.0);
    btRigidBody* ball =
        scene.addRigid(new btSphereShape(btScalar(0.06)), mass, btVector3(btScalar(x), 0, btScalar(1.2)));
    ball->setLinearFactor(btVector3(0, 0, 1));
    ball->setAngularFactor(0);
    ball->setActivationState(DISABLE_DEACTIVATION);
    const auto heightAfter = [&](int steps) {
        scene.step(steps);
        return static_cast<double>(ball->getCenterOfMassPosition().z());
    };
    const double first = heightAfter(240);
    return {first, heightAfter(240)};
}

// Bones yield to what they go into, and carry what lies on them: on the croup, the neck and the head, where flesh is
// thin, heavy balls lie where a light one does, but for what flesh gives way by.
TEST(CharacterDrive, BonesAtRestCarryWhatFallsOnThem) {
    for (const double x : {-0.35, 0.35, 0.55}) {
        const double light = heightsOnQuadruped(1.0, x).second;
        for (const double mass : {20.0, 100.0}) {
            const auto [first, last] = heightsOnQuadruped(mass, x);
            EXPECT_GT(last, light - 0.02) << mass << " kg at " << x;
            EXPECT_LT(std::abs(last - first), 5e-3) << mass << " kg at " << x;
        }
    }
}

TEST(CharacterDrive, ImpulsesOfAJumpAreNone) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing());
    btRigidBody* ball = scene.addBall(0.05, 1.0, btVector3(btScalar(0.3), btScalar(0.15), 0));
    ball->setActivationState(DISABLE_DEACTIVATION);
    scene.step(20);
    ASSERT_GT(bar->getBoneImpulse(0).length(), 1e-3);
    bar->setMeshTransform(btTransform(btQuaternion::getIdentity(), btVector3(50, 0, 0)));
    scene.step();
    EXPECT_EQ(bar->getBoneImpulse(0), btVector3(0, 0, 0));
    EXPECT_LT(bar->getPointVelocity(btVector3(btScalar(0.9), 0, 0)).length(), 0.05);
}

}  // namespace
