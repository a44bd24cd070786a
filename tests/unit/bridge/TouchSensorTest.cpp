// SPDX-License-Identifier: Zlib
// Contact sensors of distributed contact: regions of a face carry their shares of the weight.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "WatchedWorld.h"

namespace pliant::test {
namespace {

constexpr double kCube = 0.2;  // m

std::shared_ptr<const ReducedModel> makeCubeOfTwoMaterials() {
    SolidMaterial material;
    material.young = 1e9;
    auto model = std::make_shared<ReducedModel>(*solidBox({kCube, kCube, kCube}, material, 0.1));
    model->mesh.materials.resize(2, model->mesh.materials[0]);
    model->mesh.materials[0].name = "left";
    model->mesh.materials[1].name = "right";
    for (int e = 0; e < model->mesh.elementCount(); ++e) {
        double x = 0;
        for (int c = 0; c < model->mesh.cornersPerElement(); ++c)
            x += model->mesh.positions(0, model->mesh.elements(c, e)) / model->mesh.cornersPerElement();
        model->mesh.elementMaterial[static_cast<std::size_t>(e)] = x < 0 ? 0 : 1;
    }
    return model;
}

std::shared_ptr<const ReducedModel> cubeOfTwoMaterials() {
    static const auto model = makeCubeOfTwoMaterials();
    return model;
}

/// A cube that lies on the ground and presses by its points.
struct PressingCube {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBody* body = nullptr;

    explicit PressingCube(int points = 10000) {
        btPliantBodyInfo info = damped();
        info.m_damping.stiffness = 1e-4;
        body = scene.addBar(cubeOfTwoMaterials(), btVector3(0, btScalar(kCube / 2), 0), info);
        btPliantTouchSettings settings;
        settings.m_stiffness = 2e6;
        settings.m_damping = 0.02;
        settings.m_points = points;
        scene.system->setTouch(*body, nullptr, settings);
    }
    btPliantContactSensor* watchBox(double from, double to, double above = -1) {
        btPliantContactSensorInfo info;
        info.m_of = {body};
        info.m_lower = btVector3(static_cast<btScalar>(from), static_cast<btScalar>(above), -1);
        info.m_upper = btVector3(static_cast<btScalar>(to), 1, 1);
        return scene.system->createContactSensor(info);
    }
    btPliantContactSensor* watchMaterial(const char* name) {
        btPliantContactSensorInfo info;
        info.m_of = {body};
        info.m_material = name;
        return scene.system->createContactSensor(info);
    }
};

// A point carries the force of its piece of the face, which is cut by no box: of 10,000 points a row along the face's
// edge holds 1/41 of it, and half of a row at each end of a box may be on the wrong side.
TEST(TouchSensor, ABoxFeelsItsShareOfTheFace) {
    PressingCube cube;
    const double whole = weight(*cube.body), row = whole / 41;
    const btPliantContactSensor *all = watch(cube.scene, {cube.body}), *quarter = cube.watchBox(-1, -0.05),
                                *rest = cube.watchBox(-0.05, 1), *middle = cube.watchBox(-0.05, 0.05),
                                *none = cube.watchBox(-1, 1, 0.05);
    cube.scene.step(400, 1.0 / 240.0);
    for (const bool filtered : {false, true}) {
        const auto force = [&](const btPliantContactSensor* s) {
            return static_cast<double>((filtered ? s->getFilteredForce() : s->getForce()).y());
        };
        EXPECT_NEAR(force(all), whole, 1e-3 * whole);
        EXPECT_NEAR(force(quarter), whole / 4, row / 2);
        EXPECT_NEAR(force(middle), whole / 2, row);
        EXPECT_NEAR(force(quarter) + force(rest), force(all), 1e-5 * whole);
        EXPECT_EQ(force(none), 0);
    }
    // The quarter's middle is 75 mm beside the centre: its force turns the cube about z.
    const double lever = -0.075 * whole / 4;
    EXPECT_NEAR(static_cast<double>(quarter->getTorque().z()), lever, 0.1 * row);
    EXPECT_NEAR(static_cast<double>(quarter->getFilteredTorque().z()), lever, 0.1 * row);
    EXPECT_NEAR(static_cast<double>(quarter->getTorque().z() + rest->getTorque().z()),
                static_cast<double>(all->getTorque().z()), 1e-4 * whole * kCube);
}

TEST(TouchSensor, TorqueIsThatOfThePatch) {
    PressingCube cube;
    const btPliantContactSensor* all = watch(cube.scene, {cube.body});
    cube.body->setAngularVelocity(btVector3(0, 0, btScalar(0.5)));
    for (int i = 0; i < 20; ++i) {
        cube.scene.step(1, 1.0 / 240.0);
        btPliantContactPatch patch;
        ASSERT_TRUE(cube.scene.system->getContactPatch(*cube.body, *cube.ground, patch));
        const double scale = static_cast<double>(patch.m_force.length()) + weight(*cube.body);
        EXPECT_LT(static_cast<double>((all->getForce() - patch.m_force).length()), 1e-5 * scale);
        EXPECT_LT(static_cast<double>((all->getTorque() - patch.m_torque).length()), 1e-5 * scale * kCube);
    }
}

// Each material has half of the face; a row of points may stand nearer to a sphere of the other one.
TEST(TouchSensor, AMaterialFeelsItsShareOfTheFace) {
    PressingCube cube;
    const double whole = weight(*cube.body);
    const btPliantContactSensor *left = cube.watchMaterial("left"), *right = cube.watchMaterial("right");
    cube.scene.step(400, 1.0 / 240.0);
    const auto onLeft = static_cast<double>(left->getForce().y()), onRight = static_cast<double>(right->getForce().y());
    EXPECT_NEAR(onLeft + onRight, whole, 1e-3 * whole);
    EXPECT_GT(onLeft, 0.3 * whole);
    EXPECT_GT(onRight, 0.3 * whole);
    for (const btPliantContactReading& reading : left->getContacts()) EXPECT_LT(reading.m_position.x(), 0.05);
    for (const btPliantContactReading& reading : right->getContacts()) EXPECT_GT(reading.m_position.x(), -0.05);
}

// The side of the field has regions, too: the upper cube's, whose lower face the points of the lower one press. It lies
// 20 mm to the side, on w = 180 mm, e = 10 mm beside their middle, so that the pressure rises by 12 e s / w^2 of its
// mean at s: from -90 mm to -40 mm is the quarter of the face and carries 0.05 / w - 12 e (0.09^2 - 0.04^2) / (2 w^3) =
// 0.211.
TEST(TouchSensor, ABoxOfTheFieldFeelsItsShareOfTheFace) {
    PressingCube cube(2000);
    btPliantBodyInfo info = damped();
    info.m_damping.stiffness = 1e-4;
    btPliantBody* upper =
        cube.scene.addBar(cubeOfTwoMaterials(), btVector3(btScalar(0.02), btScalar(1.5 * kCube), 0), info);
    btPliantContactSensorInfo wanted;
    wanted.m_of = {upper};
    const btPliantContactSensor* all = cube.scene.system->createContactSensor(wanted);
    wanted.m_lower = btVector3(-1, -1, -1);
    wanted.m_upper = btVector3(btScalar(-0.05), 1, 1);
    const btPliantContactSensor* quarter = cube.scene.system->createContactSensor(wanted);
    cube.scene.step(400, 1.0 / 240.0);
    const double whole = weight(*upper);
    EXPECT_NEAR(static_cast<double>(all->getForce().y()), whole, 2e-3 * whole);
    EXPECT_NEAR(static_cast<double>(quarter->getForce().y()), 0.211 * whole, whole / 18 / 2);  // half of a row
}

// What sleeps goes on with what it fell asleep with, after a state is restored as well.
TEST(TouchSensor, ASleepingCubeOfARestoredWorldPressesAsBefore) {
    PressingCube cube;
    const btPliantContactSensor* middle = cube.watchBox(-0.05, 0.05);
    cube.scene.step(1500, 1.0 / 240.0);
    ASSERT_FALSE(cube.body->isActive());
    const btVector3 force = middle->getForce(), torque = middle->getTorque();
    std::vector<std::byte> blob;
    cube.scene.system->saveState(blob);
    PressingCube other;
    const btPliantContactSensor* again = other.watchBox(-0.05, 0.05);
    ASSERT_EQ(other.scene.system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    other.scene.step(1, 1.0 / 240.0);
    ASSERT_FALSE(other.body->isActive());
    EXPECT_NEAR(static_cast<double>(force.y()), weight(*cube.body) / 2, weight(*cube.body) / 41);
    EXPECT_EQ(again->getForce(), force);
    EXPECT_EQ(again->getTorque(), torque);
}

}  // namespace
}  // namespace pliant::test
