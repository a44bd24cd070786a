// SPDX-License-Identifier: Zlib
// Contact sensors and patches of distributed contact: regions of a face carry their shares of the weight, and bodies
// get the momentum that they tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

// Two cubes, each with points in the other's field: sensors of each sum both roles, as the patch does, and both say the
// same of it. Places and forces are told in Bullet's scalars, sums of some hundred of them are in double precision.
TEST(TouchSensor, BothRolesAddUpToThePatch) {
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantBodyInfo fast;
    fast.m_linearVelocity = btVector3(1, btScalar(0.5), 0);
    fast.m_angularVelocity = btVector3(0, 1, 2);
    btPliantBody* a = scene.addBar(cubeOfTwoMaterials(), btVector3(btScalar(-0.21), 0, 0), fast);
    btPliantBody* b = scene.addBar(cubeOfTwoMaterials(), btVector3(0, btScalar(0.05), 0));
    btPliantTouchSettings settings;
    settings.m_stiffness = 1e7;
    settings.m_damping = 0.02;
    settings.m_points = 2000;
    settings.m_twoWay = true;
    scene.system->setTouch(*a, b, settings);
    scene.system->setTouch(*b, a, settings);
    const btPliantContactSensor *ofA = watch(scene, {a}), *ofB = watch(scene, {b});
    int touching = 0;
    for (int i = 0; i < 60; ++i) {
        scene.step(1, 1e-3);
        btPliantContactPatch patch;
        if (!scene.system->getContactPatch(*a, *b, patch) || patch.m_points.empty()) continue;
        ++touching;
        const double precision = 1e-5 * static_cast<double>(patch.m_force.length());
        EXPECT_EQ(ofA->getContacts().size(), patch.m_points.size());
        EXPECT_LT(static_cast<double>((ofA->getForce() - patch.m_force).length()), precision);
        EXPECT_LT(static_cast<double>((ofB->getForce() + patch.m_force).length()), precision);
        EXPECT_LT(static_cast<double>((ofA->getTorque() - patch.m_torque).length()), precision * kCube);
    }
    EXPECT_GT(touching, 10);
}

/// kg m/s and kg m^2/s of a body's frame, about its centre of mass.
struct Momenta {
    explicit Momenta(const btPliantBody& body) : linear(linearMomentum(body)), angular(body.getAngularMomentum()) {}
    btVector3 linear, angular;
};

/// Whether what a body's momenta have changed by in a step is what the patch did to it. What is stored in Bullet's
/// scalars is rounded to half of epsilon: the velocity when gravity, solver and step set it, before and after, the
/// patch's force and both products of this comparison, eight times in all. n points are summed in double precision and
/// in two orders, which may differ by n epsilon of these.
void expectChangedBy(const btPliantContactPatch& patch, double h, const btPliantBody& body, const Momenta& before) {
    const Momenta after(body);
    const auto step = static_cast<btScalar>(h);
    const double arm = 0.2;  // m, no point is farther from its centre
    const double impulse = h * static_cast<double>(patch.m_force.length());
    const double largest = static_cast<double>(std::max(before.linear.length(), after.linear.length()));
    const double rounding = 4.0 * static_cast<double>(SIMD_EPSILON) * (largest + impulse) +
                            static_cast<double>(patch.m_points.size()) * 2.3e-16 * impulse;
    EXPECT_LE((after.linear - before.linear - step * patch.m_force).length(), rounding);
    const double turning = static_cast<double>(std::max(before.angular.length(), after.angular.length()));
    EXPECT_LE((after.angular - before.angular - step * patch.m_torque).length(),
              4.0 * static_cast<double>(SIMD_EPSILON) * turning + arm * rounding);
}

// Patches of b on a and of a on b are made of the same numbers, so that their sum tells nothing: what each body has got
// is asked of its own momenta, of soft ones that bend in the impact.
TEST(TouchPatch, SoftSolidsGetWhatItTells) {
    SolidMaterial soft;
    soft.young = 2e5;
    const auto model = solidBox({0.3, 0.1, 0.1}, soft, 0.05);
    for (const bool twoWay : {false, true}) {
        TestWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo above, below;
        above.m_linearVelocity = btVector3(btScalar(0.3), -2, 0);
        above.m_angularVelocity = btVector3(1, 0, 2);
        btPliantBody* a = scene.addBar(model, btVector3(btScalar(0.1), btScalar(0.16), 0), above,
                                       btQuaternion(btVector3(0, 0, 1), btScalar(0.3)));
        btPliantBody* b = scene.addBar(model, btVector3(0, 0, 0), below);
        btPliantTouchSettings settings;
        settings.m_stiffness = 1e7;
        settings.m_damping = 0.01;
        settings.m_points = 2000;
        settings.m_twoWay = twoWay;
        scene.system->setTouch(*a, b, settings);
        scene.system->setTouch(*b, a, settings);
        int touching = 0;
        double bent = 0;
        for (int i = 0; i < 150; ++i) {
            const Momenta ofA(*a), ofB(*b);
            scene.step(1, 1e-3);
            btPliantContactPatch onA, onB;
            if (!scene.system->getContactPatch(*a, *b, onA)) continue;
            ASSERT_TRUE(scene.system->getContactPatch(*b, *a, onB));
            touching += onA.m_force.length() > 1 ? 1 : 0;
            for (const btPliantBody* body : {a, b}) bent = std::max(bent, body->getReducedCoordinates().norm());
            expectChangedBy(onA, 1e-3, *a, ofA);
            expectChangedBy(onB, 1e-3, *b, ofB);
            if (HasFailure()) FAIL() << "step " << i << ", two-way " << twoWay;
        }
        EXPECT_GT(touching, 20);
        EXPECT_GT(bent / std::sqrt(model->totalMass()), 5e-3) << "m, the root of their mean square displacement";
    }
}

// What sleeps goes on with what it fell asleep with, after a state is restored as well.
TEST(TouchSensor, ASleepingCubeOfARestoredWorldPressesAsBefore) {
    PressingCube cube;
    const btPliantContactSensor* middle = cube.watchBox(-0.05, 0.05);
    cube.scene.step(1500, 1.0 / 240.0);
    ASSERT_FALSE(cube.body->isActive());
    const btVector3 force = middle->getForce(), torque = middle->getTorque();
    double depth = 0.0;
    for (const btPliantContactReading& reading : middle->getContacts())
        if (reading.m_normalImpulse > 0) depth = std::max(depth, -static_cast<double>(reading.m_distance));
    EXPECT_GT(depth, 0.0);
    EXPECT_EQ(middle->getDepth(), depth);
    std::vector<std::byte> blob;
    cube.scene.system->saveState(blob);
    PressingCube other;
    const btPliantContactSensor* again = other.watchBox(-0.05, 0.05);
    ASSERT_EQ(other.scene.system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    EXPECT_EQ(again->getDepth(), depth) << "as the other numbers, before a step has been made";
    other.scene.step(1, 1.0 / 240.0);
    ASSERT_FALSE(other.body->isActive());
    EXPECT_NEAR(static_cast<double>(force.y()), weight(*cube.body) / 2, weight(*cube.body) / 41);
    EXPECT_EQ(again->getForce(), force);
    EXPECT_EQ(again->getTorque(), torque);
}

bool isSamePoint(const btPliantContactPatch::Point& a, const btPliantContactPatch::Point& b) {
    return a.m_position == b.m_position && a.m_normal == b.m_normal && a.m_depth == b.m_depth && a.m_area == b.m_area &&
           a.m_pressure == b.m_pressure;
}

void expectSame(const btPliantContactPatch& a, const btPliantContactPatch& b) {
    EXPECT_EQ(a.m_force, b.m_force);
    EXPECT_EQ(a.m_torque, b.m_torque);
    EXPECT_EQ(a.m_centroid, b.m_centroid);
    EXPECT_EQ(a.m_area, b.m_area);
    EXPECT_EQ(a.m_depth, b.m_depth);
    EXPECT_TRUE(std::equal(a.m_points.begin(), a.m_points.end(), b.m_points.begin(), b.m_points.end(), isSamePoint));
}

/// The patch of a cube that sleeps on another thing, as each of both has it.
struct BothPatches {
    btPliantContactPatch ofCube, ofOther;
    explicit BothPatches(const TestWorld& scene, const btPliantBody& cube, const btCollisionObject& other) {
        EXPECT_TRUE(scene.system->getContactPatch(cube, other, ofCube));
        if (const btPliantBody* body = btPliantBody::upcast(&other)) {
            EXPECT_TRUE(scene.system->getContactPatch(*body, cube, ofOther));
        }
    }
};

/// Two cubes on each other on the ground.
struct Stack {
    TestWorld scene;
    btPliantBody *lower = nullptr, *upper = nullptr;
    Stack() {
        scene.addGround();
        btPliantTouchSettings settings;
        settings.m_points = 600;
        settings.m_stiffness = 1e7;
        lower = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0), damped());
        upper = scene.addBar(cube(), btVector3(0, btScalar(0.3), 0), damped());
        scene.system->setTouch(*upper, lower, settings);
        scene.system->setTouch(*lower, nullptr, settings);
    }
};

// Of a pair that sleeps nothing is solved: its patch is what it fell asleep with, before and after.
TEST(TouchSensor, PatchesOfSleepingPairsAreRestored) {
    Stack stack;
    stack.scene.step(700, 1.0 / 240.0);
    ASSERT_FALSE(stack.upper->isActive());
    const BothPatches before(stack.scene, *stack.upper, *stack.lower);
    EXPECT_NEAR(static_cast<double>(before.ofCube.m_force.y()), weight(*stack.upper), 0.01 * weight(*stack.upper));
    EXPECT_GT(before.ofCube.m_points.size(), 10u);
    EXPECT_EQ(before.ofOther.m_force, -before.ofCube.m_force);
    std::vector<std::byte> blob;
    stack.scene.system->saveState(blob);
    Stack other;
    ASSERT_EQ(other.scene.system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    const auto check = [&](const Stack& restored) {
        const BothPatches after(restored.scene, *restored.upper, *restored.lower);
        expectSame(after.ofCube, before.ofCube);
        expectSame(after.ofOther, before.ofOther);
    };
    check(other);
    other.scene.step(1, 1.0 / 240.0);
    ASSERT_FALSE(other.upper->isActive());
    check(other);
    // In its own world, after it has been waken up and pushed.
    stack.upper->activate();
    stack.upper->setLinearVelocity(btVector3(0, 1, 0));
    stack.scene.step(20, 1.0 / 240.0);
    ASSERT_EQ(stack.scene.system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    check(stack);
}

}  // namespace
}  // namespace pliant::test
