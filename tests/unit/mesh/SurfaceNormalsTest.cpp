// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "SampleMeshes.h"
#include "pliant/mesh/SurfaceNormals.h"

namespace {

using namespace pliant;

TEST(ComputeNormals, CubeCornersPointAlongTheDiagonal) {
    // Angle weights make the corner's normal independent of how the faces are cut.
    SurfaceMesh cube = test::box(Vector3(-1, -1, -1), Vector3(1, 1, 1));
    computeNormals(cube);
    for (int v = 0; v < cube.vertexCount(); ++v)
        EXPECT_LT((cube.normals.col(v) - cube.positions.col(v).normalized()).norm(), 1e-14);
}

TEST(ComputeNormals, SeamsAreSmooth) {
    // The same cube as soup: every triangle has vertices of its own.
    const SurfaceMesh cube = test::box(Vector3(-1, -1, -1), Vector3(1, 1, 1));
    SurfaceMesh soup;
    for (int t = 0; t < cube.triangleCount(); ++t) {
        Points x(3, 3);
        for (int c = 0; c < 3; ++c) x.col(c) = cube.positions.col(cube.triangles(c, t));
        test::addTriangles(soup, x, test::oneTriangle(0, 1, 2));
    }
    ASSERT_EQ(soup.vertexCount(), 36);
    computeNormals(soup);
    for (int v = 0; v < soup.vertexCount(); ++v)
        EXPECT_LT((soup.normals.col(v) - soup.positions.col(v).normalized()).norm(), 1e-14);
}

TEST(ComputeNormals, SheetsBackToBackKeepTheirOwnSides) {
    Points x(3, 3);
    x << 0, 1, 0, 0, 0, 1, 0, 0, 0;
    SurfaceMesh sheet;
    test::addTriangles(sheet, x, test::oneTriangle(0, 1, 2));
    test::addTriangles(sheet, x, test::oneTriangle(0, 2, 1));
    computeNormals(sheet);
    for (int v = 0; v < 3; ++v) EXPECT_EQ(Vector3(sheet.normals.col(v)), Vector3(0, 0, 1));
    for (int v = 3; v < 6; ++v) EXPECT_EQ(Vector3(sheet.normals.col(v)), Vector3(0, 0, -1));
}

TEST(ComputeNormals, DegenerateTrianglesGiveUnitNormals) {
    SurfaceMesh line;
    Points x(3, 3);
    x << 0, 1, 2, 0, 0, 0, 0, 0, 0;
    test::addTriangles(line, x, test::oneTriangle(0, 1, 2));
    test::addTriangles(line, x, test::oneTriangle(0, 0, 0));
    computeNormals(line);
    for (int v = 0; v < line.vertexCount(); ++v) EXPECT_EQ(Vector3(line.normals.col(v)), Vector3(0, 0, 1));
}

}  // namespace
