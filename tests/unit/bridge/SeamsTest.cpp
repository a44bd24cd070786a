// SPDX-License-Identifier: Zlib
// Solids that slide from one mesh to the next, over edges that their triangles do not share, and up ramps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "CubeModel.h"
#include "TestWorld.h"

namespace pliant::test {
namespace {

/// Two triangles over a rectangle whose height falls or rises along x.
void addRectangle(btTriangleMesh& mesh, double x0, double y0, double x1, double y1, double z0 = -2, double z1 = 2) {
    const auto corner = [](double x, double y, double z) { return btVector3(btScalar(x), btScalar(y), btScalar(z)); };
    mesh.addTriangle(corner(x0, y0, z0), corner(x0, y0, z1), corner(x1, y1, z0));
    mesh.addTriangle(corner(x1, y1, z0), corner(x0, y0, z1), corner(x1, y1, z1));
}

btPliantBody* addSliding(TestWorld& scene, double speed, double turned = 0.1,
                         const std::shared_ptr<const ReducedModel>& model = cube()) {
    for (auto& floor : scene.rigid) floor->setFriction(0);
    btPliantBodyInfo info;
    info.m_damping.stiffness = 2e-3;
    info.m_friction = 0;
    info.m_linearVelocity = btVector3(static_cast<btScalar>(speed), 0, 0);
    btPliantBody* body = scene.addBar(model, btVector3(0, btScalar(kCubeSize / 2 + 3e-4), 0), info,
                                      btQuaternion(btVector3(0, 1, 0), btScalar(turned)));
    body->setActivationState(DISABLE_DEACTIVATION);
    return body;
}

/// Floors as levels of games have them: a mesh for each tile. The open edges of the next one are no walls.
TEST(Seams, OfMeshesSideBySideLetABodySlide) {
    const auto ball = solidSphere(kCubeSize / 2);
    for (const double tile : {0.05, 0.37, 1.1})
        for (const auto& model : {cube(), ball})
            for (const double speed : {3.0, 0.5, 0.05}) {
                std::vector<std::unique_ptr<btTriangleMesh>> meshes;
                TestWorld scene;
                for (int i = -static_cast<int>(std::ceil(0.5 / tile)); i * tile < 0.5 + speed; ++i) {
                    meshes.push_back(std::make_unique<btTriangleMesh>());
                    addRectangle(*meshes.back(), i * tile, 0, (i + 1) * tile, 0);
                    scene.addRigid(new btBvhTriangleMeshShape(meshes.back().get(), true), 0, btVector3(0, 0, 0));
                }
                btPliantBody* body = addSliding(scene, speed, 0.1, model);
                scene.step(120);
                const bool isBall = model == ball;
                EXPECT_NEAR(body->getLinearVelocity().x(), speed, 1e-3) << tile << ' ' << isBall;
                EXPECT_NEAR(body->getCenterOfMassPosition().y(), kCubeSize / 2, 1e-5) << tile << ' ' << speed << isBall;
            }
}

/// A coarse floor beside a fine one: their triangles share no edge, only its line.
TEST(Seams, OfCoarseAndFineTrianglesLetACubeSlide) {
    for (const double speed : {3.0, 0.5, 0.05}) {
        btTriangleMesh mesh;
        for (int i = -1; i < 8; ++i) {
            const int parts = i % 2 == 0 ? 1 : 7;
            for (int k = 0; k < parts; ++k)
                addRectangle(mesh, 0.5 * i, 0, 0.5 * (i + 1), 0, -2 + 4.0 * k / parts, -2 + 4.0 * (k + 1) / parts);
        }
        TestWorld scene;
        scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
        btPliantBody* body = addSliding(scene, speed);
        scene.step(120);
        EXPECT_NEAR(body->getLinearVelocity().x(), speed, 1e-3);
        EXPECT_NEAR(body->getCenterOfMassPosition().y(), kCubeSize / 2, 1e-5) << speed;
    }
}

/// The edge of a second mesh that stands up, or a step higher, still stops what runs against it. Over the step, whose
/// edge is below its middle, the cube tips on by 3 mm.
TEST(Seams, OfAHigherMeshStopACube) {
    for (const bool isWall : {false, true}) {
        btTriangleMesh floor, higher;
        addRectangle(floor, -2, 0, 3, 0);
        if (isWall)
            addRectangle(higher, 0.5, -0.1, 0.5, 0.15);
        else
            addRectangle(higher, 0.5, 0.05, 3, 0.05);
        TestWorld scene;
        scene.addRigid(new btBvhTriangleMeshShape(&floor, true), 0, btVector3(0, 0, 0));
        scene.addRigid(new btBvhTriangleMeshShape(&higher, true), 0, btVector3(0, 0, 0));
        btPliantBody* body = addSliding(scene, 1.0, 0.0);
        double farthest = 0;
        for (int i = 0; i < 120; ++i) {
            scene.step();
            farthest = std::max(farthest, static_cast<double>(body->getCenterOfMassPosition().x()));
        }
        EXPECT_NEAR(farthest, 0.5 - kCubeSize / 2, isWall ? 2e-3 : 4e-3) << isWall;
    }
}

/// Where a ramp begins at an edge of the floor, a point of the cube is nearer to the floor until it has passed the
/// edge: the ramp was met a step late, 11 mm deep at this speed.
TEST(Seams, OfARampAreMetInTime) {
    for (const double slope : {0.1, 0.3, 1.0})
        for (const double start : {0.3, 0.307, 0.313, 0.32}) {
            btTriangleMesh mesh;
            addRectangle(mesh, -2, 0, start, 0);
            addRectangle(mesh, start, 0, start + 2, 2 * slope);
            TestWorld scene;
            scene.addRigid(new btBvhTriangleMeshShape(&mesh, true), 0, btVector3(0, 0, 0));
            btPliantBody* body = addSliding(scene, 3.0, 0.0);
            double deepest = 0;
            for (int i = 0; i < 30; ++i) {
                scene.step();
                for (const double x : {-0.5, 0.5})
                    for (const double y : {-0.5, 0.5}) {
                        const btVector3 corner = body->getCenterOfMassTransform() *
                                                 btVector3(btScalar(x * kCubeSize), btScalar(y * kCubeSize), 0);
                        const double above = static_cast<double>(corner.y()) -
                                             std::max(0.0, slope * (static_cast<double>(corner.x()) - start));
                        deepest = std::min(deepest, above / std::hypot(1.0, slope));
                    }
            }
            EXPECT_GT(deepest, -5e-4) << slope << ' ' << start;
        }
}

}  // namespace
}  // namespace pliant::test
