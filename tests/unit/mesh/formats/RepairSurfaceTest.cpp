// SPDX-License-Identifier: Zlib
// Surfaces with one thing wrong each: repaired with a note that carries the numbers, or refused.
#include <limits>

#include "pliant/mesh/MeshSize.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/RepairSurface.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "unit/mesh/SampleMeshes.h"
#include "unit/mesh/TemporaryFolder.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SurfaceMesh unitBox() {
    return test::box(Vector3::Zero(), Vector3::Ones());
}

/// The box with vertices of its own for each triangle.
SurfaceMesh soupBox() {
    const SurfaceMesh whole = unitBox();
    SurfaceMesh soup;
    soup.materials = whole.materials;
    soup.triangleMaterial = whole.triangleMaterial;
    soup.positions.resize(3, 36);
    soup.triangles.resize(3, 12);
    for (int t = 0; t < 12; ++t)
        for (int c = 0; c < 3; ++c) {
            soup.positions.col(3 * t + c) = whole.positions.col(whole.triangles(c, t));
            soup.triangles(c, t) = 3 * t + c;
        }
    return soup;
}

/// Bricks that touch the surface.
VolumeMesh bricksAlong(const SurfaceMesh& mesh, int resolution) {
    VoxeliseOptions options;
    options.resolution = resolution;
    return voxelise(mesh, options);
}

TEST(RepairSurface, LeavesAGoodSurfaceAsItIs) {
    SurfaceMesh mesh = unitBox();
    const SurfaceMesh before = mesh;
    EXPECT_THAT(repairSurface(mesh, false, "box"), IsEmpty());
    EXPECT_EQ(mesh.positions, before.positions);
    EXPECT_EQ(mesh.triangles, before.triangles);
    EXPECT_EQ(mesh.normals.cols(), 8);
}

TEST(RepairSurface, MergesDuplicateVertices) {
    SurfaceMesh mesh = soupBox();
    EXPECT_THAT(repairSurface(mesh, false, "box"), ElementsAre("box: 28 duplicate vertices merged"));
    EXPECT_EQ(mesh.vertexCount(), 8);
    EXPECT_EQ(mesh.triangleCount(), 12);
    EXPECT_EQ(surfaceParts(mesh).count(), 1);
}

TEST(RepairSurface, KeepsSeamsOfTextureCoordinates) {
    SurfaceMesh mesh = soupBox();
    mesh.texcoords.setZero(2, 36);
    mesh.texcoords.row(0).setLinSpaced(36, 0.0, 1.0);
    EXPECT_THAT(repairSurface(mesh, false, "box"), IsEmpty());
    EXPECT_EQ(mesh.vertexCount(), 36);
    EXPECT_EQ(mesh.texcoords.cols(), 36);
}

TEST(RepairSurface, LeavesOutTrianglesWithoutArea) {
    SurfaceMesh mesh = unitBox();
    mesh.positions.conservativeResize(3, 9);
    mesh.positions.col(8) = Vector3(2.0, 0.0, 0.0);  // in line with corners 0 and 1
    mesh.triangles.conservativeResize(3, 14);
    mesh.triangles.col(12) << 0, 1, 8;
    mesh.triangles.col(13) << 3, 3, 5;
    mesh.triangleMaterial.resize(14, 0);
    EXPECT_THAT(repairSurface(mesh, false, "box"), ElementsAre("box: 2 triangles without area left out (first: 12)"));
    EXPECT_EQ(mesh.triangleCount(), 12);
    EXPECT_EQ(mesh.vertexCount(), 8);
}

TEST(RepairSurface, LeavesOutRepeatedTrianglesAndTheirBacks) {
    SurfaceMesh mesh = unitBox();
    mesh.triangles.conservativeResize(3, 14);
    mesh.triangles.col(12) << mesh.triangles(1, 0), mesh.triangles(2, 0), mesh.triangles(0, 0);
    mesh.triangles.col(13) << mesh.triangles(1, 1), mesh.triangles(0, 1), mesh.triangles(2, 1);
    mesh.triangleMaterial.resize(14, 0);
    const std::vector<std::string> notes = repairSurface(mesh, false, "box");
    EXPECT_THAT(notes, Contains("box: 1 triangle that is there twice left out"));
    EXPECT_EQ(mesh.triangleCount(), 12) << "with the back the box was not closed";
}

TEST(RepairSurface, LeavesOutVerticesThatNoTriangleUses) {
    SurfaceMesh mesh = unitBox();
    mesh.positions.conservativeResize(3, 10);
    mesh.positions.col(8).setConstant(5.0);
    mesh.positions.col(9).setConstant(6.0);
    EXPECT_THAT(repairSurface(mesh, false, "box"), ElementsAre("box: 2 vertices that no triangle uses left out"));
    EXPECT_EQ(mesh.vertexCount(), 8);
}

TEST(RepairSurface, TellsOfEdgesWithMoreThanTwoTriangles) {
    SurfaceMesh mesh = unitBox();
    Points fin(3, 3);
    fin << 0, 1, 0, 0, 0, 0, 0, 0, -1;  // stands on the edge from corner 0 to corner 1
    test::addTriangles(mesh, fin, test::oneTriangle(0, 1, 2));
    const std::vector<std::string> notes = repairSurface(mesh, false, "box");
    EXPECT_THAT(notes, Contains(HasSubstr("polygon soup: 1 edge joins more than two triangles")));
    EXPECT_GT(bricksAlong(mesh, 8).elementCount(), 0);
}

TEST(RepairSurface, ReplacesNormalsWithoutLength) {
    SurfaceMesh mesh = unitBox();
    computeNormals(mesh);
    mesh.normals.col(3).setZero();
    mesh.normals.col(4) *= 7.0;
    EXPECT_THAT(repairSurface(mesh, true, "box"), ElementsAre("box: 1 normal without length computed anew"));
    EXPECT_NEAR(mesh.normals.col(3).norm(), 1.0, 1e-12);
    EXPECT_NEAR(mesh.normals.col(4).norm(), 1.0, 1e-12);
}

TEST(RepairSurface, Refuses) {
    SurfaceMesh mesh = unitBox();
    mesh.positions(1, 5) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(errorOf([&] { repairSurface(mesh, false, "box"); }), HasSubstr("box: surface vertex 5 is NaN"));
    mesh = unitBox();
    mesh.triangles(1, 7) = 8;
    EXPECT_THAT(errorOf([&] { repairSurface(mesh, false, "box"); }),
                HasSubstr("box: triangle 7 names vertex 8 of 0..7"));
    mesh = unitBox();
    mesh.positions.row(1) = mesh.positions.row(2) = mesh.positions.row(0).eval();
    EXPECT_THAT(errorOf([&] { repairSurface(mesh, false, "box"); }), HasSubstr("none of its 12 triangles has an area"));
}

TEST(RepairSurface, PartsThatBricksJoinStayOneBody) {
    SurfaceMesh mesh = unitBox();
    test::addBox(mesh, Vector3(1.05, 0.0, 0.0), Vector3(2.0, 1.0, 1.0));  // a gap of half a brick
    EXPECT_THAT(repairSurface(mesh, false, "boxes"),
                ElementsAre(HasSubstr("2 separate parts; they stay one body where")));
    const SurfaceParts parts = surfaceParts(mesh);
    EXPECT_THAT(parts.triangles, ElementsAre(12, 12));
    EXPECT_THAT(parts.firstVertex, ElementsAre(0, 8));
    EXPECT_GT(bricksAlong(mesh, 20).elementCount(), 0);
}

TEST(RepairSurface, PartsThatStayApartAreNamed) {
    SurfaceMesh mesh = unitBox();
    test::addBox(mesh, Vector3(3.0, 0.0, 0.0), Vector3(3.5, 0.5, 0.5));
    repairSurface(mesh, false, "boxes");
    EXPECT_THAT(errorOf([&] { bricksAlong(mesh, 14); }),
                HasSubstr("bricks around 8 of the surface's vertices, such as vertex 8 at (3, 0, 0)"));
}

TEST(MeshSize, ImplausibleSizesAreToldWithTheirNumbers) {
    EXPECT_EQ(sizeWarning(unitBox().positions, "box"), "");
    EXPECT_THAT(sizeWarning(250.0 * unitBox().positions, "box"),
                HasSubstr("box: the body measures 250 x 250 x 250 m, more than 20 m; if its numbers are millimetres"));
    EXPECT_THAT(sizeWarning(1e-4 * unitBox().positions, "box"), HasSubstr("less than 1 mm"));
    EXPECT_EQ(metresPerUnit("mm"), 0.001);
    EXPECT_EQ(metresPerUnit("0.0254"), metresPerUnit("in"));
    EXPECT_THAT(errorOf([] { metresPerUnit("furlong"); }),
                HasSubstr("\"furlong\" is no unit of length; known are m, cm"));
    EXPECT_THAT(errorOf([] { metresPerUnit("-1"); }), HasSubstr("no unit of length"));
}

}  // namespace
