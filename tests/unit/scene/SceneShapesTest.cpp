// SPDX-License-Identifier: Zlib
// Cones, hulls and moving meshes of a scene, among rigid and reduced bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <filesystem>
#include <fstream>

#include "SceneInWorld.h"
#include "btPliantScene/RigidShapes.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
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

/// A rod of 1 x 0.1 x 0.1 m along `axis`, as an .obj with eight vertices.
std::string rodText(const Matrix3& turn) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
        const Vector3 x = turn * Vector3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.05 : -0.05, i & 4 ? 0.05 : -0.05);
        for (int k = 0; k < 3; ++k) text += (k == 0 ? "v " : " ") + std::to_string(x[k]);
        text += "\n";
    }
    return text + "f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
}

/// As a kilogram of it: along the rod and across.
constexpr double kAlong = (0.01 + 0.01) / 12.0, kAcross = (1.0 + 0.01) / 12.0;

// A dumb-bell of two balls and a rod: its inertia by the theorem of parallel axes, and a seat in a socket.
TEST_F(SceneShapes, ACompoundIsWeighedAndHasHollows) {
    const std::string dumbbell =
        "{shape: compound, mass: 4, position: [0, 0, 1], parts: [{shape: sphere, radius: 0.1, position: [1, 0, 0]}, "
        "{shape: sphere, radius: 0.1, position: [2, 0, 0]}]}";
    SceneInWorld world("gravity: [0, 0, 0]\nrigid: [" + dumbbell + "]\n");
    const btVector3 inverse = world.rigid(0).getInvInertiaDiagLocal();
    const double along = 0.4 * 4 * 0.01, across = along + 4 * 0.25;
    EXPECT_NEAR(1.0 / static_cast<double>(inverse.x()), along, 1e-6);
    EXPECT_NEAR(1.0 / static_cast<double>(inverse.y()), across, 1e-5);
    EXPECT_NEAR(1.0 / static_cast<double>(inverse.z()), across, 1e-5);
    EXPECT_NEAR(world.place().x(), 0.0, 1e-6) << "the position is that of the centre of mass";
    // A table without a top holds nothing between its posts.
    SceneInWorld table(
        "ground: {}\nrigid:\n  - {shape: sphere, radius: 0.2, mass: 1, position: [0, 0, 0.9]}\n"
        "  - {shape: compound, mass: 50, position: [0, 0, 0.2], parts: [{shape: box, size: [0.2, 1, 0.4], position: "
        "[-0.4, 0, 0]}, {shape: box, size: [0.2, 1, 0.4], position: [0.4, 0, 0]}]}\n");
    table.step(1.5);
    EXPECT_NEAR(table.place(0).z(), 0.2, 5e-3);
    EXPECT_NEAR(table.place(1).z(), 0.2, 3e-3);
}

// Moments of the handbook against those of a finely cut surface.
TEST_F(SceneShapes, PartsHaveTheMomentsOfTheirSolids) {
    const auto inertia = [&](const std::string& part) {
        const auto scene =
            scene::parseScene("rigid: [{shape: compound, mass: 1, parts: [{" + part + "}]}]\n", "a.yaml", anyModel());
        return Vector3(scene.rigid[0].inertiaOfKilogram.diagonal());
    };
    /// About x and z of a solid of revolution about z, by slices. @param radiusAt of a slice
    const auto bySlices = [](double from, double to, const auto& radiusAt) {
        constexpr int kSlices = 20000;
        double volume = 0, first = 0, second = 0, radial = 0;
        for (int i = 0; i < kSlices; ++i) {
            const double dz = (to - from) / kSlices, z = from + (i + 0.5) * dz, r = radiusAt(z), v = M_PI * r * r * dz;
            volume += v, first += v * z, second += v * z * z, radial += v * r * r;
        }
        const double centre = first / volume, along = 0.5 * radial / volume;
        return Vector3(0.5 * along + second / volume - centre * centre, 0, along);
    };
    const Vector3 cone = inertia("shape: cone, radius: 0.3, height: 0.8");
    const Vector3 expectedCone = bySlices(-0.4, 0.4, [](double z) { return 0.3 * (0.4 - z) / 0.8; });
    const Vector3 capsule = inertia("shape: capsule, radius: 0.3, height: 0.8");
    const Vector3 expectedCapsule = bySlices(-0.7, 0.7, [](double z) {
        const double beyond = std::max(0.0, std::abs(z) - 0.4);
        return std::sqrt(std::max(0.0, 0.09 - beyond * beyond));
    });
    const Vector3 cylinder = inertia("shape: cylinder, radius: 0.3, height: 0.8");
    const Vector3 expectedCylinder = bySlices(-0.4, 0.4, [](double) { return 0.3; });
    for (const auto& [found, expected] :
         {std::pair(cone, expectedCone), {capsule, expectedCapsule}, {cylinder, expectedCylinder}}) {
        EXPECT_NEAR(found.x(), expected.x(), 1e-6);
        EXPECT_NEAR(found.y(), expected.x(), 1e-6);
        EXPECT_NEAR(found.z(), expected.z(), 1e-6);
    }
}

TEST_F(SceneShapes, AMultisphereIsTheHullOfItsBalls) {
    SceneInWorld world(
        "ground: {}\nrigid: [{shape: multisphere, mass: 2, position: [0, 0, 0.6], spheres: [{position: [-0.3, 0, 0], "
        "radius: "
        "0.2}, {position: [0.3, 0, 0], radius: 0.2}]}]\n");
    world.step(1.5);
    EXPECT_NEAR(world.place().z(), 0.2, 3e-3);
    // On a ridge below the middle, where there is no ball, the hull holds it as high as a ball would.
    SceneInWorld ridge(
        "rigid:\n  - {shape: multisphere, mass: 2, position: [0, 0, 0.81], spheres: [{position: [-0.3, 0, 0], radius: "
        "0.2}, "
        "{position: [0.3, 0, 0], radius: 0.2}]}\n  - {shape: box, size: [0.05, 1, 0.6], position: [0, 0, 0.3]}\n");
    ridge.step(0.3);
    EXPECT_NEAR(ridge.place().z(), 0.8, 3e-3);
}

TEST_F(SceneShapes, BodiesOfBothKindsLieOnAHeightField) {
    // A valley along y: 1 m up at either side, 0.25 m at its bottom, which is 1 m wide.
    std::ofstream(m_folder + "valley.csv") << "# heights, m\n1, 0.25, 0.25, 1\n1; 0.25; 0.25; 1\n\n1 0.25 0.25 1\n";
    const std::string field = "{shape: heightfield, file: " + m_folder + "valley.csv, spacing: 1}";
    SceneInWorld world(
        "models: {bar: {file: " + m_folder +
        "slab.obj}}\nrigid:\n  - {shape: sphere, radius: 0.1, mass: 1, position: [0.2, 0.3, 0.6]}\n  - " + field +
        "\nbodies: [{model: bar, position: [-0.3, 0.2, 0.6]}]\n");
    world.step(2.0);
    EXPECT_NEAR(world.place(0).z(), 0.35, 3e-3);
    EXPECT_NEAR(fromBullet(world.soft(0).getCenterOfMassPosition()).z(), 0.3, 0.02) << "half of a thickness above";
    SceneInWorld slope("rigid:\n  - {shape: sphere, radius: 0.1, mass: 1, position: [1, 0, 1.2]}\n  - " + field + "\n");
    slope.step(1.0);
    EXPECT_LT(slope.place(0).x(), 0.9) << "it rolls down the side";
    const auto told = [&](const std::string& text) -> std::string {
        std::ofstream(m_folder + "wrong.csv") << text;
        try {
            SceneInWorld scene("rigid: [{shape: heightfield, file: " + m_folder + "wrong.csv, spacing: 1}]\n");
        } catch (const Error& problem) {
            return problem.what();
        }
        return "nothing";
    };
    EXPECT_THAT(told("1 2\n3\n"), HasSubstr("wrong.csv:2: this row has 1 heights, the first one 2"));
    EXPECT_THAT(told("1 2\n3 x\n"), HasSubstr("wrong.csv:2: number 2 of this line is no finite number"));
    EXPECT_THAT(told("1 2\n3 inf\n"), HasSubstr("no finite number"));
    EXPECT_THAT(told("1 2\n"), HasSubstr("at least two of both"));
    EXPECT_THAT(told("1 2\n3 1e9\n"), HasSubstr("more than 100 km"));
}

// A box without friction slides down a plane of 30 degrees with g / 2; a reduced body rests on one, and is lifted by
// one that the scene moves.
TEST_F(SceneShapes, PlanesLieWhereTheirFramesSay) {
    SceneInWorld slope(
        "rigid:\n  - {shape: box, size: [0.2, 0.2, 0.2], mass: 1, position: [0, 0, 2.11547], rotation: [0, 30, 0], "
        "friction: 0}\n  - {shape: plane, position: [0, 0, 2], rotation: [0, 30, 0]}\n");
    slope.step(0.5);
    const double way = 0.5 * 0.5 * 9.81 * 0.25;  // g sin(30 degrees) t^2 / 2
    EXPECT_NEAR(slope.place(0).x(), way * std::cos(M_PI / 6), 0.01);
    EXPECT_NEAR(slope.place(0).z(), 2.11547 - way * std::sin(M_PI / 6), 0.01);
    const std::string bar =
        "models: {bar: {file: " + m_folder + "slab.obj}}\nbodies: [{model: bar, position: [0, 0, 1]}]\n";
    SceneInWorld floor(bar + "rigid: [{shape: plane, position: [7, 7, 0.5]}]\n");
    floor.step(2.0);
    const double above = fromBullet(floor.soft(0).getCenterOfMassPosition()).z() - 0.5;
    EXPECT_NEAR(above, 0.05, 0.02) << "half of a thickness above, however far the frame's origin is";
    SceneInWorld lift(bar + "rigid: [{shape: plane, kinematic: true, position: [0, 0, = 0.5 + 0.25*t]}]\n");
    lift.step(3.0);
    EXPECT_NEAR(fromBullet(lift.soft(0).getCenterOfMassPosition()).z(), 1.25 + above, 0.02);
    EXPECT_LT(lift.scene().getBounds().radius(), 3.0) << "what has no end is not in the bounds";
}

// A ball of 2 cm at 60 m/s goes 50 cm in a step, through a wall of 1 cm, unless its flight is tested.
TEST_F(SceneShapes, AFastBallStopsAtAThinWallWhereItsFlightIsTested) {
    const auto end = [&](const std::string& more) {
        SceneInWorld world(
            "gravity: [0, 0, 0]\nrigid:\n  - {shape: sphere, radius: 0.02, mass: 1, position: [-1.2, 0, 0], velocity: "
            "[60, 0, 0]" +
            more + "}\n  - {shape: box, size: [0.01, 2, 2]}\n");
        world.step(0.5);
        return world.place(0).x();
    };
    EXPECT_GT(end(""), 10.0);
    EXPECT_LT(end(", continuous: true"), 0.0);
}

TEST_F(SceneShapes, MistakesOfNewShapes) {
    const auto told = [&](const std::string& rigid) -> std::string {
        try {
            scene::parseScene("rigid: [{" + rigid + "}]\n", "a.yaml", anyModel());
        } catch (const Error& problem) {
            return problem.what();
        }
        return "nothing";
    };
    EXPECT_THAT(told("shape: compound"), HasSubstr("needs the key \"parts\""));
    EXPECT_THAT(told("shape: compound, parts: []"), HasSubstr("there are no parts"));
    EXPECT_THAT(told("shape: compound, parts: [{shape: box, radius: 1}]"),
                HasSubstr("\"radius\" means nothing for this shape"));
    EXPECT_THAT(told("shape: compound, parts: [{shape: mesh}]"), HasSubstr("cannot be \"mesh\""));
    EXPECT_THAT(told("shape: multisphere"), HasSubstr("needs the key \"spheres\""));
    EXPECT_THAT(told("shape: multisphere, spheres: [{radius: -1}]"), HasSubstr("it must be at least"));
    EXPECT_THAT(told("shape: box, spheres: []"), HasSubstr("\"spheres\" means nothing for this shape"));
    EXPECT_THAT(told("shape: heightfield, mass: 1, file: a.csv, spacing: 1"), HasSubstr("a height field has no mass"));
    EXPECT_THAT(told("shape: plane, mass: 1"), HasSubstr("a plane has no mass: it has no end"));
    EXPECT_THAT(told("shape: plane, size: [1, 1, 1]"), HasSubstr("\"size\" means nothing for this shape"));
    EXPECT_THAT(told("shape: box, continuous: true"), HasSubstr("what has no mass flies nowhere"));
}

// A slanting rod is the same body as one that lies along an axis and is turned by the scene.
TEST_F(SceneShapes, ProductsOfInertiaCount) {
    const Matrix3 slant = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    std::ofstream(m_folder + "rod.obj") << rodText(slant);
    SceneInWorld world("gravity: [0, 0, 0]\nrigid: [{name: rod, shape: hull, file: " + m_folder +
                       "rod.obj, mass: 2, rotation: [20, 30, 40]}]\n");
    const Matrix3 turn = world.scene().getPoses().rigid[0].rotation * slant;
    const Matrix3 expected = 2.0 * turn * Vector3(kAlong, kAcross, kAcross).asDiagonal() * turn.transpose();
    Matrix3 inverse;
    for (int i = 0; i < 3; ++i) inverse.row(i) = fromBullet(world.rigid(0).getInvInertiaTensorWorld()[i]).transpose();
    EXPECT_LT((inverse * expected - Matrix3::Identity()).norm(), 1e-4);
    btVector3 least, most;
    world.rigid(0).getAabb(least, most);
    const Vector3 half = turn.cwiseAbs() * Vector3(0.5, 0.05, 0.05);
    EXPECT_LT((fromBullet(most - least) - 2.0 * half).norm(), 0.05) << "what touches is turned with it";
}

// Place, sensors, joints, tools and pushes mean the axes of the file.
TEST_F(SceneShapes, WhatASceneSaysMeansTheAxesOfTheFile) {
    std::ofstream(m_folder + "rod.obj") << rodText(Eigen::AngleAxisd(0.7, Vector3::UnitY()).toRotationMatrix());
    const double end = 0.5 * std::cos(0.7), low = -0.5 * std::sin(0.7);
    const std::string tip = "[" + std::to_string(end) + ", 0, " + std::to_string(low) + "]";
    SceneInWorld world("gravity: [0, 0, 0]\nrigid: [{name: rod, shape: hull, file: " + m_folder +
                       "rod.obj, mass: 2, position: [3, 0, 0], rotation: [0, 0, 90]}]\n"
                       "joints: [{name: pin, kind: point, between: [rod], point: " +
                       tip +
                       "}]\n"
                       "tool: [{name: hand, body: rod, grip: " +
                       tip +
                       ", device: still}]\n"
                       "sensors: [{name: tip, kind: point, of: rod, point: " +
                       tip + "}]\n");
    world.scene().beforeStep();
    const RigidTransform place = world.scene().getPoses().rigid[0];
    EXPECT_LT((place.rotation - Eigen::AngleAxisd(0.5 * SIMD_PI, Vector3::UnitZ()).toRotationMatrix()).norm(), 1e-6);
    const Vector3 expected(3, end, low);
    const Vector3 seen(world.number("tip.position.x"), world.number("tip.position.y"), world.number("tip.position.z"));
    EXPECT_LT((seen - expected).norm(), 1e-5);
    EXPECT_LT((fromBullet(world.scene().getJointPoints(0)[0].m_position) - expected).norm(), 1e-5);
    const ToolPose grip = world.scene().getTool(0).getGripPose();
    EXPECT_LT((grip.position - expected).norm(), 1e-5);
    EXPECT_LT(grip.rotation.angularDistance(Eigen::Quaterniond(place.rotation)), 1e-5);
    world.scene().setPoses(world.scene().getPoses());
    EXPECT_LT((world.scene().getPoses().rigid[0].rotation - place.rotation).norm(), 1e-5);
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
    // A slanting sheet beside a box: its hull would have four corners and no inside.
    std::ofstream(m_folder + "sheet.obj")
        << boxText({0, 0, 0}, {1, 1, 1}) << "v 3 0 0\nv 4 0 1\nv 4 1 1.5\nv 3 1 0.5\nf 9 10 11 12\n";
    EXPECT_THAT(
        complaint("shape: hull, file: " + m_folder + "sheet.obj, pieces: true"),
        AllOf(HasSubstr("piece 2 of 2 has no inside"), HasSubstr("number 9"), HasSubstr("give it a thickness")));
    EXPECT_EQ(complaint("shape: hull, file: " + m_folder + "sheet.obj"), "none");
    EXPECT_THAT(complaint("shape: mesh, file: " + m_folder + "slab.obj, pieces: true"),
                HasSubstr("\"pieces\" means nothing"));
    std::ofstream(m_folder + "a.ply") << "ply\n";
    EXPECT_THAT(complaint("shape: mesh, file: " + m_folder + "a.ply"), HasSubstr("SceneOptions::surfaceReader"));
}

TEST_F(SceneShapes, VerticesOfNoTriangleAreInNoHull) {
    std::ofstream(m_folder + "stray.obj") << boxText({0, 0, 0}, {1, 0.4, 0.2}) << "v 0 0 50\n";
    SceneInWorld world("ground: {}\nrigid: [{shape: hull, file: " + m_folder +
                       "stray.obj, mass: 1, position: [0, 0, 0.3]}]\n");
    btVector3 least, most;
    world.rigid(0).getAabb(least, most);
    EXPECT_LT((most - least).z(), 0.3);
}

TEST(RigidGroups, WithoutASurfaceAreAnError) {
    for (const scene::RigidShape shape : {scene::RigidShape::Mesh, scene::RigidShape::Hull}) {
        scene::RigidGroup group;
        group.name = "hand-made";
        group.shape = shape;
        try {
            btPliantInternal::makeRigidShape(group);
            FAIL() << "has to be refused";
        } catch (const Error& problem) {
            EXPECT_THAT(problem.what(), AllOf(HasSubstr("hand-made"), HasSubstr("RigidGroup::mesh")));
        }
    }
}

}  // namespace
}  // namespace pliant::test
