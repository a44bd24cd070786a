// SPDX-License-Identifier: Zlib
// Characters with everything else that there is: strands, solids, meshes, motors, sensors, and nonlinear flesh.
#include <gtest/gtest.h>

#include "CharacterWorld.h"
#include "CubeModel.h"
#include "btPliant/btPliantContactSensor.h"
#include "btPliant/btPliantPointMotor.h"

namespace {

using namespace pliant::test;
using pliant::VectorX;

constexpr double kSecondsAStep = 1.0 / 120.0;

/// The bar with St. Venant and Kirchhoff's law.
std::shared_ptr<const pliant::CharacterModel> nonlinearBar() {
    static const auto made = [] {
        const pliant::VolumeMesh mesh = barMesh();
        pliant::CharacterOptions options = barOptions();
        options.modes = options.dimension = 10;
        options.linear = false;
        return makeCharacter(barRig(mesh), mesh, options, "bar");
    }();
    return made;
}

/// A character that stands, and what lies on it.
struct Bed {
    explicit Bed(bool linear) {
        btPliantCharacterInfo info = standing();
        info.m_damping.mass = 10.0;
        info.m_friction = 1;
        bar = scene.system->createCharacter(linear ? barCharacter() : nonlinearBar(), info);
        scene.world.addRigidBody(bar, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
        btPliantContactSensorInfo of;
        of.m_of = {bar};
        sensor = scene.system->createContactSensor(of);
    }

    /// N, upwards positive, that the bones bear on average over the last two seconds of five; the sensor has to agree.
    double bornByBones() {
        scene.step(360);
        btVector3 sum(0, 0, 0);
        double sensed = 0.0;
        for (int i = 0; i < 240; ++i) {
            scene.step();
            for (int bone = 0; bone < bar->getCharacter().skeleton.boneCount(); ++bone)
                sum += bar->getBoneImpulse(bone);
            sensed += static_cast<double>(sensor->getForce().y()) / 240.0;
        }
        const double force = static_cast<double>(sum.y()) / (240.0 * kSecondsAStep);
        EXPECT_NEAR(sensed, force, 1e-3 * std::abs(force));
        return force;
    }

    CharacterWorld scene;
    btPliantCharacter* bar = nullptr;
    btPliantContactSensor* sensor = nullptr;
};

class CharacterCompany : public testing::TestWithParam<bool> {};

TEST_P(CharacterCompany, BearsAStrand) {
    Bed bed(GetParam());
    BarOptions light;
    light.density = 100;
    btPliantBodyInfo info = dampedCube();
    info.m_rollingFriction = btScalar(0.05);
    btPliantBody* strand = bed.scene.addBar(makeBar(light), btVector3(btScalar(0.5), btScalar(0.155), 0), info);
    strand->setActivationState(DISABLE_DEACTIVATION);
    const double weight = 9.81 * strand->getModel().totalMass();
    EXPECT_NEAR(bed.bornByBones(), -weight, 0.02 * weight);
}

TEST_P(CharacterCompany, BearsASolid) {
    Bed bed(GetParam());
    btPliantBodyInfo info = dampedCube();
    info.m_friction = 1;
    btPliantBody* solid = bed.scene.addBar(cube(), btVector3(btScalar(0.5), btScalar(0.205), 0), info);
    solid->setActivationState(DISABLE_DEACTIVATION);
    const double weight = 9.81 * solid->getModel().totalMass();
    EXPECT_NEAR(bed.bornByBones(), -weight, 0.02 * weight);
}

TEST_P(CharacterCompany, BearsABox) {
    Bed bed(GetParam());
    const btVector3 half(btScalar(0.2), btScalar(0.05), btScalar(0.08));
    btRigidBody* box = bed.scene.addRigid(new btBoxShape(half), 1.0, btVector3(btScalar(0.5), btScalar(0.155), 0));
    box->setActivationState(DISABLE_DEACTIVATION);
    EXPECT_NEAR(bed.bornByBones(), -9.81, 0.02 * 9.81);
}

INSTANTIATE_TEST_SUITE_P(Flesh, CharacterCompany, testing::Bool(),
                         [](const auto& flesh) { return flesh.param ? "Linear" : "Nonlinear"; });

/// What a floor of two triangles or a plane does to the flesh, into which bones lead it by 1 cm in half a second.
struct Pressed {
    double force = 0.0;  ///< N, upwards
    double depth = 0.0;  ///< of the lowest drawn vertex below the floor, m
};

Pressed pressedBy(bool isMesh) {
    btTriangleMesh triangles;
    const auto floor = btScalar(-0.105);
    const btVector3 a(-2, floor, -2), b(-2, floor, 2), c(3, floor, 2), d(3, floor, -2);
    triangles.addTriangle(a, b, c);
    triangles.addTriangle(a, c, d);
    Bed bed(true);
    if (isMesh)
        bed.scene.addRigid(new btBvhTriangleMeshShape(&triangles, true), 0, btVector3(0, 0, 0));
    else
        bed.scene.addRigid(new btStaticPlaneShape(btVector3(0, 1, 0), floor), 0, btVector3(0, 0, 0));
    for (int i = 1; i <= 60; ++i) {
        const btVector3 place(0, static_cast<btScalar>(-0.015 * i / 60.0), 0);
        bed.bar->setMeshTransform(btTransform(btQuaternion::getIdentity(), place));
        bed.scene.step();
    }
    Pressed pressed;
    pressed.force = bed.bornByBones();
    pressed.depth = static_cast<double>(floor) - drawnVertices(*bed.bar).row(1).minCoeff();
    return pressed;
}

// The flesh gives way by most of the centimetre, as it does where a clip leads it into a plane (CharacterContactTest).
// Forces are not compared: how stiff the flesh is to the floor depends on which points of the patch are held.
TEST(CharacterOnMeshes, TwoTrianglesHoldFleshAsTheirPlane) {
    const Pressed plane = pressedBy(false), mesh = pressedBy(true);
    for (const Pressed& one : {plane, mesh}) {
        EXPECT_GT(one.force, 1.0);
        EXPECT_LT(one.depth, 0.006);
    }
    EXPECT_NEAR(mesh.depth, plane.depth, 0.002);
}

TEST(CharacterMotor, MovesAPointOfTheFleshAndHoldsItThere) {
    CharacterWorld scene;
    btPliantCharacterInfo info = standing(noddedPose(0.4));
    info.m_damping.mass = 5.0;
    btPliantCharacter* bar = scene.add(info);
    const btVector3 rest(btScalar(0.98), btScalar(-0.1), 0);
    scene.step(60);
    btPliantPointMotor hand(*bar, rest);
    scene.world.addConstraint(&hand);
    const btVector3 wanted = bar->getPointPosition(rest) + btVector3(btScalar(0.005), btScalar(-0.01), 0);
    hand.setTargetPosition(wanted);
    scene.step(240);
    EXPECT_LT((bar->getPointPosition(rest) - wanted).length(), 1e-3);
    EXPECT_LT(bar->getPointVelocity(rest).length(), 1e-3);
    scene.world.removeConstraint(&hand);
}

}  // namespace
