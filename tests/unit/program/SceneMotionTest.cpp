// SPDX-License-Identifier: Zlib
// Bodies that the scene moves along expressions of time, and what they carry.
#include <gtest/gtest.h>

#include <cmath>

#include "../bridge/BarModel.h"
#include "btPliantScene/btPliantConversions.h"
#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"
#include "world/SceneWorld.h"

namespace pliant::program {
namespace {

struct MovingScene {
    explicit MovingScene(const std::string& text)
        : scene(
              scene::parseScene("time: {frames_per_second: 60, substeps: 2}\n" + text, "moving.yaml", sceneOptions())) {
        if (!scene.models.empty()) scene.models[0].damping = DampingSettings{10.0};
        world = std::make_unique<SceneWorld>(scene, Models(scene.models.size(), test::makeBar()), 1);
    }
    void step(double seconds) {
        for (int i = 0; i < std::lround(seconds / scene.time.step()); ++i) world->step();
    }
    const btRigidBody& rigid(int i) const { return *world->rigids()[static_cast<std::size_t>(i)].m_body; }
    scene::SceneDescription scene;
    std::unique_ptr<SceneWorld> world;
};

TEST(SceneMotion, FollowsItsExpressions) {
    MovingScene moving(
        "rigid:\n  - {shape: box, size: [1, 1, 1], kinematic: true, position: [= 2*cos(90*t), = 2*sin(90*t), 1],"
        " rotation: [0, 0, = 90*t]}\n");
    moving.step(0.5);
    const Vector3 place = fromBullet(moving.rigid(0).getWorldTransform().getOrigin());
    EXPECT_NEAR(place.x(), 2 * std::cos(M_PI / 4), 1e-6);
    EXPECT_NEAR(place.y(), 2 * std::sin(M_PI / 4), 1e-6);
    EXPECT_NEAR(static_cast<double>(moving.rigid(0).getWorldTransform().getBasis()[1][0]), std::sin(M_PI / 4), 1e-6);
    // Bullet knows the speed, which contacts feel: pi/2 rad/s at a radius of 2 m.
    EXPECT_NEAR(static_cast<double>(moving.rigid(0).getLinearVelocity().length()), M_PI, 1e-3);
    EXPECT_NEAR(static_cast<double>(moving.rigid(0).getAngularVelocity().z()), M_PI / 2,
                0.01);  // Bullet takes it from an arc cosine near 1, in single precision
}

TEST(SceneMotion, EveryCopyOfAGroupMoves) {
    MovingScene moving(
        "rigid:\n  - {shape: sphere, radius: 0.1, kinematic: true, position: [0, 0, = t],"
        " grid: {count: [2, 1, 1], spacing: 1}, velocity: [0, 3, 0]}\n");
    moving.step(1);
    for (const int i : {0, 1}) {
        const Vector3 place = fromBullet(moving.rigid(i).getWorldTransform().getOrigin());
        EXPECT_LT((place - Vector3(i - 0.5, 3, 1)).norm(), 1e-5);
    }
}

TEST(SceneMotion, ALiftCarriesBodies) {
    MovingScene moving(
        "rigid:\n  - {shape: box, size: [4, 4, 0.2], kinematic: true, position: [0, 0, \"= 0.3*smooth(t, 1, 2) - "
        "0.1\"]}\n"
        "  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [-1.5, 0, 0.1]}\n");
    moving.step(3);
    EXPECT_NEAR(static_cast<double>(moving.rigid(1).getWorldTransform().getOrigin().z()), 0.4, 0.01);
}

TEST(SceneMotion, AReducedBodyRidesOnALift) {
    // The bar's radius is found by letting it lie on a floor that stands still.
    const auto height = [](const char* rise) {
        MovingScene moving(std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
                           "/solids/jelly.obj}}\nbodies:\n  - {model: bar, position: [0, 0, 0.3]}\n"
                           "rigid:\n  - {shape: box, size: [9, 9, 0.2], kinematic: true, position: [0, 0, \"= " +
                           rise + "\"]}\n");
        moving.step(4);
        return static_cast<double>(moving.world->deformables()[0].m_body->getCenterOfMassPosition().z());
    };
    EXPECT_NEAR(height("0.25*smooth(t, 1.5, 3)") - height("0"), 0.25, 0.01);
}

TEST(SceneMotion, ADeformableFrameFollowsToo) {
    MovingScene moving(std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
                       "/solids/jelly.obj}}\nbodies:\n  - {model: bar, motion: kinematic, position: [= t^2, 0, 0]}\n");
    moving.step(2);
    EXPECT_NEAR(static_cast<double>(moving.world->deformables()[0].m_body->getMeshTransform().getOrigin().x()), 4.0,
                1e-5);
}

TEST(SceneMotion, NothingThatIsNoNumberMovesABody) {
    MovingScene moving(
        "rigid:\n  - {shape: box, size: [1, 1, 1], kinematic: true, position: [= sqrt(1 - t), = 1/(2 - t), 0]}\n");
    moving.step(2.5);
    const Vector3 place = fromBullet(moving.rigid(0).getWorldTransform().getOrigin());
    EXPECT_TRUE(place.allFinite());
    EXPECT_LT(place.x(), 0.1);
}

TEST(SceneMotion, IsToldWhereItDoesNotBelong) {
    const auto told = [](const std::string& text) -> std::string {
        try {
            scene::parseScene("rigid:\n  - " + text + "\n", "moving.yaml");
        } catch (const Error& problem) {
            return problem.what();
        }
        return "no error";
    };
    EXPECT_NE(told("{shape: sphere, radius: 1, position: [0, 0, = t]}").find("nothing changes with time here"),
              std::string::npos);
    EXPECT_NE(told("{shape: sphere, radius: = t, kinematic: true}").find("nothing changes with time here"),
              std::string::npos);
    EXPECT_NE(told("{shape: sphere, radius: 1, kinematic: true, mass: 2}").find("has no mass"), std::string::npos);
    EXPECT_NE(told("{shape: sphere, radius: 1, kinematic: true, position: [0, 0, = t + u]}").find("here are: pi, t"),
              std::string::npos);
    EXPECT_NE(told("{shape: sphere, radius: 1, velocity: [1, 0, 0]}").find("kinematic: true"), std::string::npos);
}

}  // namespace
}  // namespace pliant::program
