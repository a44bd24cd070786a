// SPDX-License-Identifier: Zlib
// Solids on meshes of triangles that are far larger than the distance between the points of their surface.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "CubeModel.h"
#include "TestWorld.h"

namespace pliant::test {
namespace {

/// The lower edge of a cube in a valley of two triangles, of a part or of one each: both sides hold each point of it.
TEST(Triangles, OfAValleyBothTouchAPoint) {
    const btVector3 bottom[2] = {btVector3(0, 0, -1), btVector3(0, 0, 1)};
    const btVector3 left(btScalar(-1), btScalar(0.7), 0), right(btScalar(1), btScalar(0.7), 0);
    btTriangleMesh mesh;
    mesh.addTriangle(bottom[0], left, bottom[1]);
    mesh.addTriangle(bottom[0], bottom[1], right);
    TestWorld scene;
    scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
    const double height = kCubeSize / 2 * std::sqrt(2.0) + 1e-4;
    scene.addBar(cube(), btVector3(0, static_cast<btScalar>(height), 0), dampedCube(),
                 btQuaternion(btVector3(0, 0, 1), btScalar(SIMD_PI / 4)));
    scene.step();
    std::map<int, int> sides;  // bit 0: left, bit 1: right, of each point of the cube
    for (int m = 0; m < scene.dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *scene.dispatcher.getManifoldByIndexInternal(m);
        const bool first = btPliantBody::upcast(manifold.getBody0()) != nullptr;
        for (int i = 0; i < manifold.getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold.getContactPoint(i);
            sides[first ? point.m_index0 : point.m_index1] |= point.m_normalWorldOnB.x() > 0 ? 1 : 2;
        }
    }
    ASSERT_FALSE(sides.empty());
    for (const auto& [segment, side] : sides) EXPECT_EQ(side, 3) << segment;
}

/// A body that starts on a mesh, or sunk into it by what an author may be off, has no contacts of an earlier step that
/// could tell the sides of the triangle. Its lowest points were taken for those of a body below, and it fell by the
/// distance between two rows of points, 12 mm.
TEST(Triangles, HoldABodyThatStartsOnThemOrSunkABit) {
    for (const double sunk : {0.0, 1e-9, 1e-5, 1e-3, 1e-2}) {
        btTriangleMesh mesh;
        mesh.addTriangle(btVector3(-5, 0, -5), btVector3(0, 0, 5), btVector3(5, 0, -5));
        TestWorld scene;
        scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
        btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2 - sunk), 0), dampedCube());
        double lowest = 0;
        for (int i = 0; i < 240; ++i) {
            scene.step();
            lowest = std::min(lowest, static_cast<double>(body->getCenterOfMassPosition().y()) - kCubeSize / 2);
        }
        EXPECT_GT(lowest, -sunk - 2e-5);
        EXPECT_NEAR(body->getCenterOfMassPosition().y(), kCubeSize / 2, 2e-5) << sunk;
    }
}

/// Thin plates beside a wall, on either side: the points of their far faces are not behind it.
TEST(Triangles, LeaveThinBodiesBesideThemAlone) {
    btTriangleMesh mesh;
    for (const int side : {-1, 1})
        mesh.addTriangle(btVector3(0, -3, -3), btVector3(0, -3, 3), btVector3(0, btScalar(0.2), btScalar(3 * side)));
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
    const auto plate = solidBox({0.01, 0.2, 0.2});
    for (const double beside : {-0.03, -0.008, 0.008, 0.03})
        scene.addBar(plate, btVector3(static_cast<btScalar>(beside), btScalar(-2.5), 0), dampedCube());
    scene.step(30);
    for (int i = 0; i < scene.system->getNumBodies(); ++i)
        EXPECT_LT(scene.system->getBody(i)->getLinearVelocity().length(), 1e-9) << i;
}

/// A staple astride a fence: of two uneven legs and a bar that is thick enough for a leg to be taken for sunk.
std::shared_ptr<const ReducedModel> staple() {
    const std::vector<std::array<double, 2>> outline = {{-0.022, -0.1}, {-0.002, -0.1}, {-0.002, 0},   {0.003, 0},
                                                        {0.003, -0.1},  {0.033, -0.1},  {0.033, 0.06}, {-0.022, 0.06}};
    const std::string path = testing::TempDir() + "pliant_staple.obj";
    std::ofstream file(path);
    for (const double z : {-0.05, 0.05})
        for (const auto& [x, y] : outline) file << "v " << x << ' ' << y << ' ' << z << '\n';
    for (int i = 1; i <= 8; ++i) file << "f " << i << ' ' << i % 8 + 1 << ' ' << i % 8 + 9 << ' ' << i + 8 << '\n';
    for (const auto& [a, b, c, d] : std::vector<std::array<int, 4>>{{1, 2, 3, 8}, {3, 4, 7, 8}, {4, 5, 6, 7}}) {
        file << "f " << d << ' ' << c << ' ' << b << ' ' << a << '\n';
        file << "f " << a + 8 << ' ' << b + 8 << ' ' << c + 8 << ' ' << d + 8 << '\n';
    }
    file.close();
    const auto model = solidOfFile(path);
    std::remove(path.c_str());
    return model;
}

TEST(Triangles, LeaveALegOnTheirOtherSideAlone) {
    btTriangleMesh mesh;
    const btVector3 ends[4] = {btVector3(0, -1, -9), btVector3(0, -1, 9), btVector3(0, btScalar(-0.02), -9),
                               btVector3(0, btScalar(-0.02), 9)};
    mesh.addTriangle(ends[0], ends[1], ends[2]);
    mesh.addTriangle(ends[1], ends[3], ends[2]);
    TestWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
    btPliantBodyInfo info;
    info.m_meshTransform = btTransform(btQuaternion::getIdentity(), btVector3(0, 0, 0));
    info.m_linearVelocity = btVector3(0, 0, 3);  // along the fence: contacts are looked for farther out
    btPliantBody* body = scene.system->createBody(staple(), info);
    scene.world.addRigidBody(body);
    scene.step(30);
    EXPECT_NEAR((body->getLinearVelocity() - info.m_linearVelocity).length(), 0, 1e-5);
    EXPECT_GT(body->getCenterOfMassPosition().x(), 0) << "or the sides do not matter";
}

/// Faces on sharp edges between two triangles: points of the face alone let the edge in between them, by 12 mm on the
/// steepest of these.
TEST(Triangles, HoldAFaceOnTheirEdges) {
    for (const double slope : {0.3, 1.0, 3.0}) {
        btTriangleMesh mesh;
        for (const double x : {-0.056, 0.064})
            for (const double side : {-0.05, 0.05}) {
                const auto corner = [x](double beside, double y, double z) {
                    return btVector3(btScalar(x + beside), btScalar(y), btScalar(z));
                };
                mesh.addTriangle(corner(0, 0, -3), corner(0, 0, 3), corner(side, -slope * 0.05, -3));
                mesh.addTriangle(corner(0, 0, 3), corner(side, -slope * 0.05, -3), corner(side, -slope * 0.05, 3));
            }
        TestWorld scene;
        scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
        btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2 + 0.001), 0), dampedCube());
        scene.step(240);
        EXPECT_NEAR(body->getCenterOfMassPosition().y(), kCubeSize / 2, 1e-4) << slope;
    }
}

/// Metres per second along x that a body without friction has after a second.
/// @param depth m, that it may be below its place
double speedAfterASecond(TestWorld& scene, const std::shared_ptr<const ReducedModel>& model, double speed,
                         double depth = 1e-5) {
    for (auto& floor : scene.rigid) floor->setFriction(0);
    btPliantBodyInfo info = dampedCube();
    info.m_damping.mass = 0;
    info.m_friction = 0;
    info.m_linearVelocity = btVector3(static_cast<btScalar>(speed), 0, 0);
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(kCubeSize / 2 + 3e-4), 0), info,
                                      btQuaternion(btVector3(0, 1, 0), btScalar(0.1)));
    body->setActivationState(DISABLE_DEACTIVATION);
    scene.step(120);
    EXPECT_NEAR(body->getCenterOfMassPosition().y(), kCubeSize / 2, depth);
    return static_cast<double>(body->getLinearVelocity().x());
}

/// Floors of triangles, smaller and larger than the body. Their edges and corners ahead of it were taken for walls: a
/// cube stopped dead.
TEST(Triangles, LetABodySlideOverTheirSeams) {
    const auto ball = solidSphere(kCubeSize / 2);
    for (const double cell : {0.037, 0.31})
        for (const auto& model : {cube(), ball})
            for (const double speed : {3.0, 0.05}) {
                btTriangleMesh mesh;
                const auto corner = [cell](int i, int j) {
                    return btVector3(btScalar(i * cell), 0, btScalar(j * cell));
                };
                for (int i = -static_cast<int>(1 / cell); i < 4 / cell; ++i)
                    for (int j = -8; j < 8; ++j) {
                        mesh.addTriangle(corner(i, j), corner(i, j + 1), corner(i + 1, j));
                        mesh.addTriangle(corner(i + 1, j), corner(i, j + 1), corner(i + 1, j + 1));
                    }
                TestWorld scene;
                scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
                EXPECT_NEAR(speedAfterASecond(scene, model, speed), speed, 1e-3) << cell << ' ' << speed;
            }
}

void addRowOfBoxes(TestWorld& scene) {
    const auto half = btScalar(0.2);
    for (int i = -1; i < 10; ++i)
        scene.addRigid(new btBoxShape(btVector3(half, half, 1)), 0, btVector3(2 * half * btScalar(i), -half, 0));
}

/// A floor of boxes side by side: the walls between them are no walls for what slides on top.
TEST(Edges, OfBoxesSideBySideLetACubeSlide) {
    for (const double speed : {3.0, 0.5, 0.05}) {
        TestWorld scene;
        addRowOfBoxes(scene);
        EXPECT_NEAR(speedAfterASecond(scene, cube(), speed), speed, 1e-3) << speed;
    }
}

/// The surface between the points of a ball may be below an edge by a fiftieth of their distance (0.25 mm), and is
/// pushed out over it by the share of a step: 0.25 mm * 0.2 / (1 / 120 s) = 6 mm/s at most, of which 5 are allowed.
TEST(Edges, OfBoxesSideBySideLetABallSlide) {
    const auto ball = solidSphere(kCubeSize / 2);
    for (const double speed : {3.0, 0.5, 0.05}) {
        TestWorld scene;
        addRowOfBoxes(scene);
        EXPECT_NEAR(speedAfterASecond(scene, ball, speed, 2.5e-4), speed, 0.005) << speed;
    }
}

/// A wall that rises out of such a floor still stops it.
TEST(Edges, OfAWallStopACube) {
    TestWorld scene;
    scene.addRigid(new btBoxShape(btVector3(2, 1, 2)), 0, btVector3(0, -1, 0));
    scene.addRigid(new btBoxShape(btVector3(btScalar(0.5), btScalar(0.15), 2)), 0, btVector3(btScalar(1.2), 0, 0));
    btPliantBodyInfo info = dampedCube();
    info.m_linearVelocity = btVector3(1, 0, 0);
    info.m_friction = 0;
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(kCubeSize / 2), 0), info);
    double farthest = 0;
    for (int i = 0; i < 120; ++i) {
        scene.step();
        farthest = std::max(farthest, static_cast<double>(body->getCenterOfMassPosition().x()));
    }
    EXPECT_NEAR(farthest, 0.7 - kCubeSize / 2, 2e-3);
}

/// With a margin bodies ride above what they touch, and seams are as little ahead of them.
TEST(Edges, OfBoxesSideBySideLetACubeSlideOverAMargin) {
    btPliantSystemInfo info = TestWorld::oneThread();
    info.m_margin = btScalar(0.001);
    TestWorld scene(info);
    const auto half = btScalar(0.2);
    for (int i = -1; i < 10; ++i)
        scene.addRigid(new btBoxShape(btVector3(half, half, 1)), 0,
                       btVector3(2 * half * btScalar(i) + btScalar(0.08), -half - btScalar(0.001), 0));
    EXPECT_NEAR(speedAfterASecond(scene, cube(), 0.05), 0.05, 1e-3);
}

/// What would end beyond a thin plate does not go past it.
TEST(Edges, OfAThinPlateDoNotLetABallThrough) {
    for (const double thickness : {0.01, 0.05}) {
        TestWorld scene;
        const auto half = btScalar(thickness / 2);
        scene.addRigid(new btBoxShape(btVector3(1, half, 1)), 0, btVector3(0, -half, 0));
        btPliantBodyInfo info = dampedCube();
        info.m_linearVelocity = btVector3(0, -10, 0);
        btPliantBody* body = scene.addBar(solidSphere(0.1), btVector3(0, btScalar(0.13), 0), info);
        for (int i = 0; i < 30; ++i) {
            scene.step(1, 1.0 / 60.0);
            ASSERT_GT(body->getCenterOfMassPosition().y(), 0.05) << thickness << ' ' << i;
        }
    }
}

/// A thin solid does not fall past the box beneath its middle.
TEST(Edges, OfASmallBoxHoldAThinPlate) {
    TestWorld scene;
    scene.addRigid(new btBoxShape(btVector3(btScalar(0.02), btScalar(0.02), btScalar(0.02))), 0,
                   btVector3(0, btScalar(-0.02), 0));
    btPliantBodyInfo info = dampedCube();
    info.m_linearVelocity = btVector3(0, btScalar(-0.8), 0);
    btPliantBody* body = scene.addBar(solidBox({0.3, 0.01, 0.3}), btVector3(0, btScalar(0.007), 0), info);
    for (int i = 0; i < 20; ++i) {
        scene.step(1, 1.0 / 60.0);
        ASSERT_GT(body->getCenterOfMassPosition().y(), 0) << i;
    }
    EXPECT_NEAR(body->getCenterOfMassPosition().y(), 0.005, 1e-3);
}

/// Two long boxes on their edges carry a cube that is far smaller than the boxes' lengths.
TEST(Edges, OfLongBoxesHoldASmallCube) {
    constexpr double size = 0.05;
    TestWorld scene;
    const double half = 0.01, top = half * std::sqrt(2.0);
    for (const double x : {-0.015, 0.0165}) {
        btRigidBody* beam = scene.addRigid(new btBoxShape(btVector3(btScalar(half), btScalar(half), 30)), 0,
                                           btVector3(btScalar(x), btScalar(-top), 0));
        beam->setWorldTransform(btTransform(btQuaternion(btVector3(0, 0, 1), btScalar(SIMD_PI / 4)),
                                            beam->getWorldTransform().getOrigin()));
        scene.world.updateSingleAabb(beam);
    }
    btPliantBody* body = scene.addBar(solidBox({size, size, size}),
                                      btVector3(0, btScalar(size / 2 + 0.001), btScalar(0.4)), dampedCube());
    scene.step(240);
    EXPECT_NEAR(body->getCenterOfMassPosition().y(), size / 2, 5e-5);
}

}  // namespace
}  // namespace pliant::test
