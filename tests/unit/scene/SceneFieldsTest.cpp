// SPDX-License-Identifier: Zlib
// Fields of a scene, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>

#include "SceneInWorld.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

constexpr double kFine = 1.0 / 480.0;
constexpr double kAir = 1.2;  // kg/m^3

const std::string kFloating = "gravity: [0, 0, 0]\n";

std::string ball(const std::string& more) {
    return "rigid:\n  - {name: ball, shape: sphere, radius: 0.5, mass: 0.4, " + more + "}\n";
}

struct Blown : SceneInWorld {
    explicit Blown(const std::string& text) : SceneInWorld(text, 480) {}
};

/// density / 2 * drag * pi r^2 / mass of the ball, 1/m.
double ballRate(double drag) {
    return 0.5 * kAir * drag * M_PI * 0.25 / 0.4;
}

TEST(SceneFields, WindTakesABallAlong) {
    Blown blown(kFloating + ball("position: [0, 0, 0]") + "fields: [{kind: wind, velocity: [6, 0, 0], drag: 0.5}]\n");
    const double k = ballRate(0.5);
    for (int i = 0; i < 4; ++i) {
        blown.step(0.5);
        const double t = 0.5 * (i + 1);
        EXPECT_NEAR(blown.velocity().x(), 6 * k * 6 * t / (1 + k * 6 * t), 0.02) << "dv/dt = k (w - v)^2";
    }
    EXPECT_NEAR(blown.velocity().y(), 0.0, 1e-6);
}

TEST(SceneFields, FallsEndAtTheirTerminalSpeed) {
    Blown blown(ball("position: [0, 0, 100]") + "fields: [{kind: drag, drag: 0.5}]\n");
    blown.step(8);
    EXPECT_NEAR(blown.velocity().z(), -std::sqrt(9.81 / ballRate(0.5)), 1e-2);
}

TEST(SceneFields, BoxesShowTheirSilhouette) {
    Blown blown(kFloating +
                "rigid: [{name: box, shape: box, size: [0.2, 0.4, 1], mass: 1, rotation: [0, 0, 90]}]\n"
                "fields: [{kind: wind, velocity: [3, 0, 0]}]\n");
    blown.step(kFine);
    EXPECT_NEAR(blown.velocity().x(), 0.5 * kAir * 0.2 * 1 * 9 * kFine, 1e-6) << "turned: 0.2 m wide, 1 m high";
}

// Of a cone from the side a triangle, from above a disc, to the polygon's 0.2 %.
TEST(SceneFields, ConesShowTheirSilhouette) {
    for (const auto& [rotation, area] :
         {std::pair{"[0, 0, 0]", 0.3 * 0.8}, std::pair{"[0, 90, 0]", M_PI * 0.3 * 0.3}}) {
        Blown blown(kFloating + "rigid: [{name: cone, shape: cone, radius: 0.3, height: 0.8, mass: 1, rotation: " +
                    rotation + "}]\nfields: [{kind: wind, velocity: [3, 0, 0]}]\n");
        blown.step(kFine);
        const double change = 0.5 * kAir * area * 9 * kFine;
        EXPECT_NEAR(blown.velocity().x(), change, 2e-3 * change) << rotation;
    }
}

// The convex hull of a box of 0.4 x 0.3 x 0.1 m in the wind along its shortest edge; and in pieces, of which it has
// one.
TEST(SceneFields, HullsShowTheirSilhouette) {
    const std::string path = testing::TempDir() + "pliant_box.obj";
    std::ofstream file(path);
    for (int i = 0; i < 8; ++i)
        file << "v " << (i & 1 ? 0.2 : -0.2) << ' ' << (i & 2 ? 0.15 : -0.15) << ' ' << (i & 4 ? 0.05 : -0.05) << '\n';
    file << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    file.close();
    for (const char* pieces : {"", "pieces: true, "}) {
        Blown blown(kFloating + "rigid: [{name: box, shape: hull, " + pieces + "file: " + path +
                    ", mass: 1}]\nfields: [{kind: wind, velocity: [0, 0, 3]}]\n");
        blown.step(kFine);
        const double change = 0.5 * kAir * 0.4 * 0.3 * 9 * kFine;
        EXPECT_NEAR(blown.velocity().z(), change, 1e-3 * change) << pieces;
    }
    std::remove(path.c_str());
}

TEST(SceneFields, AirActsOnTheSurfaceOfAReducedBody) {
    Blown blown(kFloating + "models: {bar: {file: " + PLIANT_MEDIA_DIR +
                "/solids/jelly.obj}}\nbodies: [{name: bar, model: bar}]\n"
                "fields: [{kind: wind, velocity: [0, 0, 4]}]\n");
    const btPliantBody& body = blown.soft(0);
    const SurfaceMesh& surface = body.getModel().surface;
    double seen = 0.0;  // of the surface at rest, from above
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const auto x = [&](int c) {
            const Vector3 corner = surface.positions.col(surface.triangles(c, t));
            return Vector3(body.getModel().meshFromBody.rotation * corner);
        };
        seen += 0.25 * std::abs((x(1) - x(0)).cross(x(2) - x(0)).z());
    }
    blown.step(4 * kFine);
    const double impulse = 0.5 * kAir * seen * 16 * 4 * kFine;
    EXPECT_NEAR(static_cast<double>(body.getLinearMomentum().z()), impulse, 0.05 * impulse);
    EXPECT_GT(body.getReducedVelocities().norm(), 0.0);
}

TEST(SceneFields, AnAttractorHoldsAnOrbit) {
    Blown blown(kFloating + ball("position: [2, 0, 0], velocity: [0, 1, 0]") +
                "fields: [{kind: attractor, at: [0, 0, 0], strength: 2, core: 0.001}]\n");  // v^2 = strength / r
    for (int i = 0; i < 12; ++i) {
        blown.step(1);
        EXPECT_NEAR(blown.place().norm(), 2.0, 0.02);
    }
    EXPECT_NEAR(std::atan2(blown.place().y(), blown.place().x()), std::remainder(6.0, 2 * M_PI), 0.05) << "0.5 rad/s";
}

TEST(SceneFields, GravityOfAGroupsOwn) {
    Blown blown(kFloating + ball("position: [0, 0, 0]") +
                "fields: [{kind: gravity, of: ball, acceleration: [0, = t, \"= min(x, 0) - 2\"]}]\n");
    blown.step(1);
    EXPECT_NEAR(blown.velocity().y(), 0.5, 2e-3);
    EXPECT_NEAR(blown.velocity().z(), -2.0, 1e-4);
}

TEST(SceneFields, AVortexTurnsAsAWholeInsideItsCore) {
    for (const double radius : {0.5, 1.0, 3.0}) {
        Blown blown(kFloating + ball("position: [" + std::to_string(radius + 1) + ", 0, 0]") +
                    "fields: [{kind: vortex, at: [1, 0, 5], axis: [0, 0, 2], strength: 3, core: 1, drag: 0.5}]\n");
        blown.step(kFine);
        const double speed = radius <= 1 ? 3 * radius : 3 / radius;
        EXPECT_NEAR(blown.velocity().y(), ballRate(0.5) * speed * speed * kFine, 1e-5) << radius;
        EXPECT_NEAR(blown.velocity().x(), 0.0, 1e-6);
    }
}

TEST(SceneFields, WindWakesWhatSleeps) {
    Blown blown("ground: {}\n" + ball("position: [0, 0, 0.5]") +
                "fields: [{kind: wind, velocity: [\"= t > 6 ? 9 : 0\", 0, 0]}]\n");
    blown.step(5.9);
    EXPECT_FALSE(blown.rigid(0).isActive());
    blown.step(1);
    EXPECT_GT(blown.velocity().x(), 0.5);
}

TEST(SceneFields, MistakesAreToldWithTheirPlace) {
    const auto told = [](const std::string& field) -> std::string {
        try {
            scene::parseScene(ball("position: [0, 0, 0]") + "fields:\n  - " + field + "\n", "wrong.yaml");
        } catch (const Error& problem) {
            return problem.what();
        }
        return "nothing";
    };
    EXPECT_THAT(told("{kind: wnd, velocity: [0, 0, 0]}"), HasSubstr("wrong.yaml:4:12: kind cannot be \"wnd\""));
    EXPECT_THAT(told("{kind: wind}"), HasSubstr("needs the key \"velocity\""));
    EXPECT_THAT(told("{kind: drag, velocity: [0, 0, 0]}"), HasSubstr("\"velocity\" means nothing for this field"));
    EXPECT_THAT(told("{kind: wind, of: bal, velocity: [0, 0, 0]}"), HasSubstr("did you mean \"ball\"?"));
    EXPECT_THAT(told("{kind: wind, velocity: [= u, 0, 0]}"), HasSubstr("\"u\" is not defined"));
    EXPECT_THAT(told("{kind: vortex, strength: 1, axis: [0, 0, 0]}"), HasSubstr("axis has no length"));
    EXPECT_THAT(told("{kind: attractor}"), HasSubstr("needs the key \"strength\""));
    EXPECT_THAT(told("{kind: attractor, strength: = x}"), HasSubstr("\"x\" is not defined"));
}

}  // namespace
}  // namespace pliant::test
