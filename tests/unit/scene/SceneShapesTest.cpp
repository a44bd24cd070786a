// SPDX-License-Identifier: Zlib
// Cones, hulls and moving meshes of a scene, among rigid and reduced bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "SceneInWorld.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

/// A box along the axes as an .obj, triangles outwards. @param first number of its first vertex
std::string boxText(const Vector3& least, const Vector3& most, int first = 1) {
    std::string text;
    for (int i = 0; i < 8; ++i)
        text += "v " + std::to_string(i & 1 ? most.x() : least.x()) + " " +
                std::to_string(i & 2 ? most.y() : least.y()) + " " + std::to_string(i & 4 ? most.z() : least.z()) +
                "\n";
    for (const auto& f :
         {std::array<int, 4>{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}) {
        text += "f";
        for (const int v : f) text += " " + std::to_string(first + v);
        text += "\n";
    }
    return text;
}

class SceneShapes : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder = ::testing::TempDir() + "pliant_shapes_" +
                   ::testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
        std::filesystem::create_directories(m_folder);
        // Off the origin, so that its centre of mass has to be found.
        std::ofstream(m_folder + "slab.obj") << boxText({1, 1, 1}, {2, 1.4, 1.2});
        // Two posts with a gap of 0.6 between them: a table without a top, which holds nothing in between.
        std::ofstream(m_folder + "posts.obj")
            << boxText({-0.5, -0.5, 0}, {-0.3, 0.5, 0.4}) << boxText({0.3, -0.5, 0}, {0.5, 0.5, 0.4}, 9);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    std::string m_folder;
};

TEST_F(SceneShapes, AHullWithAMassFallsOntoItsFace) {
    SceneInWorld world("ground: {}\nrigid: [{shape: hull, file: " + m_folder +
                       "slab.obj, mass: 3, position: [0, 0, 0.3], friction: 1}]\n");
    const btVector3 inverse = world.rigid(0).getInvInertiaDiagLocal();
    EXPECT_NEAR(1.0 / static_cast<double>(inverse.x()), 3.0 / 12.0 * (0.4 * 0.4 + 0.2 * 0.2), 1e-4);
    EXPECT_NEAR(1.0 / static_cast<double>(inverse.z()), 3.0 / 12.0 * (1.0 + 0.4 * 0.4), 1e-4);
    world.step(1.5);
    EXPECT_NEAR(world.place().z(), 0.1, 2e-3) << "the position is that of the centre of mass";
    EXPECT_NEAR(world.place().x(), 0.0, 0.01);
}

TEST_F(SceneShapes, PiecesOfAHullLeaveWhatIsBetweenThemFree) {
    const std::string ball = "  - {shape: sphere, radius: 0.2, mass: 1, position: [0, 0, 0.9]}\n";
    const auto heightOfBall = [&](const std::string& more) {
        SceneInWorld world("ground: {}\nrigid:\n" + ball + "  - {shape: hull, file: " + m_folder +
                           "posts.obj, mass: 50, position: [0, 0, 0.2]" + more + "}\n");
        world.step(1.5);
        EXPECT_NEAR(world.place(1).z(), 0.2, 3e-3) << "it stands on the ground";
        return world.place(0).z();
    };
    EXPECT_NEAR(heightOfBall(""), 0.6, 5e-3) << "one hull is a block";
    EXPECT_NEAR(heightOfBall(", pieces: true"), 0.2, 5e-3) << "between the posts it lies on the ground";
}

// The middle of the bar is (0.3, -0.2, 0.1) from the origin of its mesh.
TEST_F(SceneShapes, ReducedBodiesRestOnHullsAndAreCarriedByMeshesThatMove) {
    for (const std::string shape : {"box, size: [1, 0.4, 0.2]", "hull", "mesh"}) {
        const bool isBox = shape[0] == 'b';
        SceneInWorld world(
            "models: {bar: {file: " + m_folder + "slab.obj}}\nbodies: [{model: bar, position: [1.2, 1.4, 1.4]}]\n" +
            "rigid: [{kinematic: true, friction: 4, shape: " + shape +
            (isBox ? ", position: [\"= 1.5 + 0.2*smooth(t, 0.5, 1.5)\", 1.2, 1.1]"
                   : ", file: " + m_folder + "slab.obj, position: [\"= 0.2*smooth(t, 0.5, 1.5)\", 0, 0]") +
            "}]\n");
        const double start = fromBullet(world.soft(0).getCenterOfMassPosition()).x();
        world.step(2.0);
        const Vector3 place = fromBullet(world.soft(0).getCenterOfMassPosition());
        EXPECT_NEAR(place.z(), 1.25, 0.02) << shape;
        EXPECT_NEAR(place.x(), start + 0.2, 0.03) << shape;
    }
}

TEST_F(SceneShapes, ConesStandOnTheirBase) {
    SceneInWorld world(
        "ground: {}\nrigid: [{shape: cone, radius: 0.3, height: 0.6, mass: 1, position: [0, 0, 0.5]}]\n");
    world.step(1.5);
    EXPECT_NEAR(world.place().z(), 0.3, 5e-3);
}

TEST_F(SceneShapes, Mistakes) {
    std::ofstream(m_folder + "open.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const auto complaint = [&](const std::string& text) {
        try {
            SceneInWorld world("rigid: [{" + text + "}]\n");
        } catch (const Error& problem) {
            return std::string(problem.what());
        }
        return std::string("none");
    };
    EXPECT_THAT(complaint("shape: mesh, file: " + m_folder + "slab.obj, mass: 1"), HasSubstr("write shape: hull"));
    EXPECT_THAT(complaint("shape: hull, file: " + m_folder + "open.obj, mass: 1"), HasSubstr("no inside"));
    EXPECT_THAT(complaint("shape: hull, file: " + m_folder + "open.obj"), HasSubstr("no hull"));
    EXPECT_THAT(complaint("shape: mesh, file: " + m_folder + "slab.obj, pieces: true"),
                HasSubstr("\"pieces\" means nothing"));
    std::ofstream(m_folder + "a.ply") << "ply\n";
    EXPECT_THAT(complaint("shape: mesh, file: " + m_folder + "a.ply"), HasSubstr("SceneOptions::surfaceReader"));
}

}  // namespace
}  // namespace pliant::test
