// SPDX-License-Identifier: Zlib
// Solids of any stiffness, with the damping that a scene gives them, laid on the ground: they come to rest there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "TestWorld.h"
#include "pliant/runtime/DefaultDamping.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kLaidSize = 0.2;       // m
constexpr double kLaidFrom = 2e-4;      // m
constexpr double kLaidGravity = 9.81;   // m/s^2
constexpr double kLaidDensity = 500.0;  // kg/m^3

/// Reduced once a stiffness.
std::shared_ptr<const ReducedModel> cubeOf(double young) {
    static std::map<double, std::shared_ptr<const ReducedModel>> cubes;
    auto& model = cubes[young];
    if (model) return model;
    SolidMaterial material;
    material.young = young;
    material.density = kLaidDensity;
    return model = solidBox({kLaidSize, kLaidSize, kLaidSize}, material);
}

/// A cube a little above the ground.
struct LaidCube {
    LaidCube(const std::shared_ptr<const ReducedModel>& model, const btPliantBodyInfo& info)
        : ground(scene.addGround()),
          body(scene.addBar(model, btVector3(0, btScalar(0.5 * kLaidSize + kLaidFrom), 0), info)) {}

    TestWorld scene;
    btRigidBody* ground;
    btPliantBody* body;
};

class Rest : public testing::TestWithParam<double> {};  // steps a second

// Semi-implicit Euler conserves E - (m g h / 2) v in free flight (BodyBatch.h). Without damping and friction nothing
// but the ground acts besides, and it must not give anything: not a thousandth of what the fall of 0.2 mm had.
TEST_P(Rest, TheGroundGivesNoEnergy) {
    const double h = 1.0 / GetParam();
    for (const double young : {1e6, 1e7}) {
        const auto model = cubeOf(young);
        btPliantBodyInfo info;
        info.m_friction = 0;
        LaidCube laid(model, info);
        laid.body->setActivationState(DISABLE_DEACTIVATION);
        const double weight = model->totalMass() * kLaidGravity;
        const auto energy = [&] {
            return laid.scene.system->getStats().totalEnergy() -
                   0.5 * weight * h * static_cast<double>(laid.body->getLinearVelocity().y());
        };
        laid.scene.step(1, h);
        const double start = energy();
        double highest = start, lowest = start;
        for (int i = 0; i < 480; ++i) {
            laid.scene.step(1, h);
            highest = std::max(highest, energy());
            lowest = std::min(lowest, energy());
        }
        EXPECT_LT(highest - start, 1e-3 * weight * kLaidFrom) << "E = " << young;
        EXPECT_LT(lowest - start, -0.1 * weight * kLaidFrom) << "it has not touched the ground; E = " << young;
    }
}

TEST_P(Rest, CubesOfAnyStiffnessLieStillAndSleep) {
    const double h = 1.0 / GetParam();
    for (const double young : {1e5, 1e6, 1e7, 1e9}) {
        const auto model = cubeOf(young);
        btPliantBodyInfo info;
        info.m_damping = defaultDamping(*model);
        LaidCube laid(model, info);
        const auto place = [&] { return laid.body->getMeshTransform().getOrigin(); };
        const btVector3 start = place();
        laid.scene.step(static_cast<int>(1.0 / h), h);
        double lowest = 1.0, highest = -1.0;
        for (int i = 0; i < static_cast<int>(0.5 / h); ++i) {
            laid.scene.step(1, h);
            lowest = std::min(lowest, static_cast<double>(place().y()));
            highest = std::max(highest, static_cast<double>(place().y()));
        }
        EXPECT_LT(highest - lowest, 1e-3 * kLaidSize) << "E = " << young;
        laid.scene.step(static_cast<int>(1.5 / h), h);
        EXPECT_FALSE(laid.body->isActive()) << "E = " << young;
        btVector3 way = place() - start;
        way.setY(0);
        EXPECT_LT(static_cast<double>(way.length()), 0.01 * kLaidSize) << "E = " << young;
    }
}

// A sheet of 2 mm that sags by a metre where nothing holds it, dropped on a corner. Held at 24 points it rattled for
// ever in steps of 1/60 s, up to 7 mm deep.
TEST_P(Rest, AFloppyPlateLiesFlatAndSleeps) {
    const double h = 1.0 / GetParam(), thickness = 2e-3;
    SolidMaterial material;
    material.young = 1e7;
    material.density = 1000;
    material.modes = 20;
    material.dimension = 30;
    static const auto plate = solidBox({0.4, thickness, 0.3}, material, 0.01);
    btPliantBodyInfo info;
    info.m_damping = defaultDamping(*plate);
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(plate, btVector3(0, btScalar(0.8), 0), info,
                                      btQuaternion(btVector3(1, 0, btScalar(0.6)).normalized(), btScalar(0.5)));
    scene.step(static_cast<int>(4.0 / h), h);
    EXPECT_FALSE(body->isActive());
    const btTransform place = body->getMeshTransform();
    const VectorX q = body->getReducedCoordinates();
    const VectorX bent = plate->surfaceBasis.cast<double>() * q;
    double lowest = 1.0, highest = -1.0;
    for (int v = 0; v < plate->surfaceVertexCount(); ++v) {
        const Vector3 rest =
            plate->meshFromBody.rotation * plate->surface.positions.col(v) + plate->meshFromBody.translation;
        const Vector3 now = rest + plate->meshFromBody.rotation * bent.segment<3>(3 * v);
        const auto y =
            static_cast<double>((place * btVector3(btScalar(now.x()), btScalar(now.y()), btScalar(now.z()))).y());
        lowest = std::min(lowest, y);
        highest = std::max(highest, y);
    }
    EXPECT_GT(lowest, -0.1 * thickness);
    EXPECT_LT(highest, 1.2 * thickness);
}

// Rulers of rubber, a metre by 5 cm. Their contacts were chosen as if one long edge covered the other: they rattled for
// ever with 5 cm/s, 1 to 3 mm deep. Now they are a two thousandth of their thickness deep.
TEST(RestOfPlanks, LieStillAndSleep) {
    constexpr double h = 1.0 / 240.0;
    SolidMaterial rubber;
    rubber.young = 8e6;
    rubber.density = 1000;
    rubber.modes = 20;
    rubber.dimension = 30;
    for (const double thickness : {0.01, 0.005}) {
        const auto plank = solidBox({1.0, thickness, 0.05}, rubber, 0.05);
        btPliantBodyInfo info;
        info.m_damping = defaultDamping(*plank, h);
        TestWorld scene;
        scene.addGround();
        const btPliantBody* body =
            scene.addBar(plank, btVector3(0, btScalar(0.2), 0), info,
                         btQuaternion(btVector3(1, 0, btScalar(0.1)).normalized(), btScalar(1.4)));
        scene.step(static_cast<int>(4.0 / h), h);
        EXPECT_FALSE(body->isActive()) << thickness;
        EXPECT_GT(scene.dispatcher.getNumManifolds(), 0) << thickness;
        EXPECT_LT(scene.deepestContact(), 0.01 * thickness) << thickness;
    }
}

/// Height of the lowest vertex of the drawn surface, m.
double lowestVertex(const btPliantBody& body) {
    double lowest = 1e30;
    for (const MaterialPoint& vertex : body.getModel().surfaceEmbedding)
        lowest = std::min(lowest, static_cast<double>(body.getPointPosition(vertex).y()));
    return lowest;
}

// The same sheet hits the ground at 2.5 m/s, tilted: all of its coordinates move in the step of the impact. Held at 38
// points it was 23 mm in the ground after it in steps of 1/60 s, and 17 in steps of 1/120 s.
TEST_P(Rest, AFloppyPlateIsHeldInAnImpact) {
    const double h = 1.0 / GetParam(), thickness = 2e-3;
    SolidMaterial material;
    material.young = 1e7;
    material.density = 1000;
    material.modes = 20;
    material.dimension = 30;
    static const auto plate = solidBox({0.4, thickness, 0.3}, material);
    btPliantBodyInfo info;
    info.m_damping = defaultDamping(*plate);
    for (int way = 0; way < 12; ++way) {
        TestWorld scene;
        scene.addGround();
        const double angle = 0.5 * way;  // rad, of the axis of the tilt
        const btPliantBody* body =
            scene.addBar(plate, btVector3(0, btScalar(0.3), 0), info,
                         btQuaternion(btVector3(btScalar(std::cos(angle)), 0, btScalar(std::sin(angle))),
                                      btScalar(0.01 + 0.008 * way)));
        double lowest = 1e30;
        for (int i = 0; i < static_cast<int>(0.5 / h); ++i) {
            scene.step(1, h);
            lowest = std::min(lowest, lowestVertex(*body));
        }
        EXPECT_GT(lowest, -2.0 * thickness) << "way " << way;
        EXPECT_LT(lowest, thickness) << "it has touched, way " << way;
    }
}

INSTANTIATE_TEST_SUITE_P(Steps, Rest, testing::Values(60.0, 120.0, 240.0, 480.0));

}  // namespace
}  // namespace pliant::test
