// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include "pliant/mesh/SurfaceClosure.h"
#include "unit/mesh/ClosedMeshes.h"

namespace {

using namespace pliant;

SurfaceMesh unitCube() {
    return test::box(Vector3::Zero(), Vector3::Ones());
}

double volumeOf(const SurfaceMesh& mesh, const Triangles& triangles) {
    SurfaceMesh turned = mesh;
    turned.triangles = triangles;
    return test::enclosedVolume(turned);
}

TEST(SurfaceClosure, ACubeIsClosedHoweverItIsTurned) {
    SurfaceMesh mesh = unitCube();
    SurfaceClosure closure = examineClosure(mesh);
    EXPECT_TRUE(closure.closed());
    EXPECT_EQ(closure.parts, 1);
    EXPECT_NEAR(closure.volume, 1.0, 1e-15);
    EXPECT_NEAR(closure.area, 6.0, 1e-14);
    EXPECT_EQ(closure.triangles, mesh.triangles);
    test::turnInsideOut(mesh);
    closure = examineClosure(mesh);
    EXPECT_NEAR(closure.volume, 1.0, 1e-15);
    EXPECT_NEAR(volumeOf(mesh, closure.triangles), 1.0, 1e-15);
}

TEST(SurfaceClosure, TrianglesThatDoNotAgreeAreTurned) {
    SurfaceMesh mesh = unitCube();
    std::swap(mesh.triangles(1, 3), mesh.triangles(2, 3));
    std::swap(mesh.triangles(1, 8), mesh.triangles(2, 8));
    const SurfaceClosure closure = examineClosure(mesh);
    EXPECT_TRUE(closure.closed());
    EXPECT_NEAR(volumeOf(mesh, closure.triangles), 1.0, 1e-15);
}

// As a file without shared vertices has it.
TEST(SurfaceClosure, CornersAtOnePositionAreOne) {
    const SurfaceMesh cube = unitCube();
    SurfaceMesh mesh;
    for (int t = 0; t < cube.triangleCount(); ++t) {
        Points corners(3, 3);
        for (int c = 0; c < 3; ++c) corners.col(c) = cube.positions.col(cube.triangles(c, t));
        test::addTriangles(mesh, corners, test::oneTriangle(0, 1, 2));
    }
    EXPECT_TRUE(examineClosure(mesh).closed());
}

TEST(SurfaceClosure, EdgesOfHolesAreCounted) {
    SurfaceMesh mesh = unitCube();
    mesh.triangles = mesh.triangles.rightCols(11).eval();
    const SurfaceClosure closure = examineClosure(mesh);
    EXPECT_FALSE(closure.closed());
    EXPECT_EQ(closure.openEdges, 3);
    EXPECT_EQ(closure.volume, 0.0);
    EXPECT_EQ(openEdgesText(closure), "3 edges have no second triangle");
}

// Two boxes side by side with one wall between them: four edges have three triangles.
TEST(SurfaceClosure, WallsInsideAreToldFromHoles) {
    SurfaceMesh mesh = unitCube(), second = test::box(Vector3(1, 0, 0), Vector3(2, 1, 1));
    std::vector<Eigen::Index> kept;
    for (Eigen::Index t = 0; t < second.triangles.cols(); ++t) {
        double farthest = 0.0;
        for (Eigen::Index c = 0; c < 3; ++c) farthest = std::max(farthest, second.positions(0, second.triangles(c, t)));
        if (farthest > 1.0) kept.push_back(t);
    }
    ASSERT_EQ(kept.size(), 10u);
    second.triangles = second.triangles(Eigen::all, kept).eval();
    test::addTriangles(mesh, second.positions, second.triangles);
    const SurfaceClosure closure = examineClosure(mesh);
    EXPECT_FALSE(closure.closed());
    EXPECT_EQ(closure.openEdges, 4);
    EXPECT_EQ(closure.crowdedEdges, 4);
    EXPECT_EQ(openEdgesText(closure), "4 edges have more than two triangles, as where a wall meets others");
}

TEST(SurfaceClosure, APieceTheOtherWayRoundIsACavityInsideAndAMistakeOutside) {
    SurfaceMesh hole = test::box(Vector3::Constant(0.25), Vector3::Constant(0.75));
    test::turnInsideOut(hole);
    SurfaceMesh hollow = unitCube();
    test::addTriangles(hollow, hole.positions, hole.triangles);
    EXPECT_NEAR(examineClosure(hollow).volume, 1.0 - 0.125, 1e-15);
    test::turnInsideOut(hollow);
    EXPECT_NEAR(examineClosure(hollow).volume, 1.0 - 0.125, 1e-15) << "the whole surface inside out";

    SurfaceMesh two = unitCube();
    const Points aside = hole.positions.colwise() + Vector3(2.0, 0.0, 0.0);
    test::addTriangles(two, aside, hole.triangles);
    const SurfaceClosure closure = examineClosure(two);
    EXPECT_EQ(closure.parts, 2);
    EXPECT_NEAR(closure.volume, 1.125, 1e-14);
    EXPECT_NEAR(volumeOf(two, closure.triangles), 1.125, 1e-14);
}

}  // namespace
