// SPDX-License-Identifier: Zlib
// Edges that are halved open no cracks, keep the surface where it is and end where nobody asks for more.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <map>

#include "../SampleMeshes.h"
#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/Creases.h"
#include "pliant/mesh/formats/SplitEdges.h"

namespace {

using namespace pliant;

double longestEdge(const SurfaceMesh& mesh) {
    double longest = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c)
            longest = std::max(
                longest,
                (mesh.positions.col(mesh.triangles((c + 1) % 3, t)) - mesh.positions.col(mesh.triangles(c, t))).norm());
    return longest;
}

double area(const SurfaceMesh& mesh, int t) {
    const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                  c = mesh.positions.col(mesh.triangles(2, t));
    return 0.5 * (b - a).cross(c - a).norm();
}

SurfaceMesh hardBox() {
    SurfaceMesh mesh = test::box(Vector3::Zero(), Vector3(0.4, 0.3, 0.004));
    computeNormals(mesh);
    splitCreases(mesh, 40.0);
    return mesh;
}

double edgeLength(const Eigen::Matrix3Xd& x) {
    return x.cols() == 2 ? (x.col(1) - x.col(0)).norm() : 0.0;
}

TEST(SplitEdges, LongEdgesOfAClosedSurfaceWithHardEdgesAreHalvedWithoutACrack) {
    SurfaceMesh mesh = hardBox();
    double before = 0.0;
    for (int t = 0; t < 12; ++t) before += area(mesh, t);
    const int added = splitCoarseEdges(
        mesh, [](const Eigen::Matrix3Xd& x) { return edgeLength(x) > 0.05; }, 0.0);
    EXPECT_EQ(mesh.triangleCount(), 12 + added);
    EXPECT_LE(longestEdge(mesh), 0.05);
    EXPECT_GT(added, 100);
    EXPECT_LT(added, 2000);
    EXPECT_TRUE(examineClosure(mesh).closed());
    double after = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        EXPECT_GT(area(mesh, t), 0.0) << t;
        after += area(mesh, t);
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                      c = mesh.positions.col(mesh.triangles(2, t));
        const Vector3 normal = (b - a).cross(c - a).normalized();
        for (int k = 0; k < 3; ++k)
            EXPECT_GT(normal.dot(mesh.normals.col(mesh.triangles(k, t))), 0.999) << "hard edges stay hard";
    }
    EXPECT_NEAR(after, before, 1e-12);
    EXPECT_NO_THROW(checkSurfaceMesh(mesh, "split"));
}

TEST(SplitEdges, VerticesAtOnePositionAreSplitAlike) {
    SurfaceMesh mesh = hardBox();
    // Coarse at one end only, so that triangles with one, two and three halved edges meet.
    splitCoarseEdges(
        mesh, [](const Eigen::Matrix3Xd& x) { return x.row(0).minCoeff() < 0.1 && edgeLength(x) > 0.03; }, 0.0);
    EXPECT_TRUE(examineClosure(mesh).closed());
    EXPECT_GT(longestEdge(mesh), 0.05);
}

TEST(SplitEdges, ShortEdgesStayWhateverIsAskedFor) {
    SurfaceMesh mesh = hardBox();
    splitCoarseEdges(
        mesh, [](const Eigen::Matrix3Xd&) { return true; }, 0.1);
    EXPECT_LT(longestEdge(mesh), 0.1);
    EXPECT_GT(longestEdge(mesh), 0.04);
    SurfaceMesh same = hardBox();
    EXPECT_EQ(splitCoarseEdges(
                  same, [](const Eigen::Matrix3Xd&) { return false; }, 0.0),
              0);
    EXPECT_EQ(same.triangles, hardBox().triangles);
}

TEST(SplitEdges, CoarseTrianglesWithFineEdgesAreHalvedToo) {
    SurfaceMesh mesh = hardBox();
    EXPECT_GT(splitCoarseEdges(
                  mesh, [](const Eigen::Matrix3Xd& x) { return x.cols() == 3 && x.row(0).maxCoeff() > 0.35; }, 0.08),
              0);
}

TEST(SplitEdges, WhatVerticesCarryIsInterpolated) {
    SurfaceMesh mesh;
    Points x(3, 3);
    x << 0, 2, 0, 0, 0, 1, 0, 0, 0;
    test::addTriangles(mesh, x, test::oneTriangle(0, 1, 2));
    mesh.normals.resize(3, 3);
    mesh.normals << 0, 0.6, 0, 0, 0, 0, 1, 0.8, 1;
    mesh.texcoords.resize(2, 3);
    mesh.texcoords << 0, 1, 0, 0, 0.5, 1;
    mesh.colours.resize(4, 3);
    mesh.colours << 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1;
    mesh.triangleMaterial = {3};
    const int added = splitCoarseEdges(
        mesh, [](const Eigen::Matrix3Xd& p) { return p.cols() == 2 && edgeLength(p) > 2.1; }, 0.0);
    ASSERT_EQ(added, 1);  // the longest edge alone, from (2, 0) to (0, 1)
    EXPECT_EQ(mesh.positions.col(3), Vector3(1.0, 0.5, 0.0));
    EXPECT_LT((mesh.normals.col(3) - Vector3(0.3, 0.0, 0.9).normalized()).norm(), 1e-15);
    EXPECT_EQ(mesh.texcoords.col(3), Eigen::Vector2d(0.5, 0.75));
    EXPECT_FLOAT_EQ(mesh.colours(0, 3), 0.5F);
    EXPECT_EQ(mesh.triangleMaterial, (std::vector<int>{3, 3}));
}

}  // namespace
