// SPDX-License-Identifier: Zlib
// Sharp edges: triangles on their two sides share no normal.
#include <Eigen/Geometry>
#include <cmath>

#include "../SampleMeshes.h"
#include "../TemporaryFolder.h"
#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/Creases.h"

namespace {

using namespace pliant;

const double kPi = std::acos(-1.0);

SurfaceMesh creased(SurfaceMesh mesh, double degrees) {
    computeNormals(mesh);
    splitCreases(mesh, degrees);
    checkSurfaceMesh(mesh, "creased");
    return mesh;
}

Vector3 faceNormal(const SurfaceMesh& mesh, int t) {
    const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                  c = mesh.positions.col(mesh.triangles(2, t));
    return (b - a).cross(c - a).normalized();
}

/// A closed prism with its axis along z: ring vertices b and n + b, then the centres of its ends.
SurfaceMesh prism(int n) {
    SurfaceMesh mesh;
    Points x(3, 2 * n + 2);
    Triangles t(3, 4 * n);
    for (int b = 0; b < n; ++b) {
        const double angle = 2.0 * kPi * b / n;
        const int next = (b + 1) % n;
        x.col(b) = Vector3(std::cos(angle), std::sin(angle), 0.0);
        x.col(n + b) = Vector3(std::cos(angle), std::sin(angle), 1.0);
        t.col(4 * b) << b, next, n + b;
        t.col(4 * b + 1) << next, n + next, n + b;
        t.col(4 * b + 2) << 2 * n, next, b;
        t.col(4 * b + 3) << 2 * n + 1, n + b, n + next;
    }
    x.col(2 * n) = Vector3::Zero();
    x.col(2 * n + 1) = Vector3::UnitZ();
    test::addTriangles(mesh, x, t);
    return mesh;
}

TEST(Creases, FacesOfACubeAreFlat) {
    const SurfaceMesh smooth = test::box(Vector3(-1, -1, -1), Vector3(1, 1, 1)), cube = creased(smooth, 40.0);
    ASSERT_EQ(cube.vertexCount(), 24);
    EXPECT_EQ(cube.positions.leftCols(8), smooth.positions);
    for (int t = 0; t < cube.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c) {
            EXPECT_EQ(cube.positions.col(cube.triangles(c, t)), smooth.positions.col(smooth.triangles(c, t)));
            EXPECT_LT((cube.normals.col(cube.triangles(c, t)) - faceNormal(cube, t)).norm(), 1e-15);
        }
}

TEST(Creases, RoundSidesStaySmoothAndEndsAreFlat) {
    const int n = 36;  // 10 degrees from side to side, 90 to the ends
    const SurfaceMesh mesh = creased(prism(n), 40.0);
    ASSERT_EQ(mesh.vertexCount(), 4 * n + 2);
    for (int b = 0; b < n; ++b) {
        const int side = mesh.triangles(0, 4 * b), end = mesh.triangles(1, 4 * b + 3);
        const Vector3 radial(std::cos(2.0 * kPi * b / n), std::sin(2.0 * kPi * b / n), 0.0);
        EXPECT_LT((mesh.normals.col(side) - radial).norm(), 1e-14);
        EXPECT_LT((mesh.normals.col(end) - Vector3::UnitZ()).norm(), 1e-15);
    }
    EXPECT_EQ(creased(prism(n), 9.0).vertexCount(), 6 * n + 2) << "every side for itself";
}

TEST(Creases, TheAngleItselfIsNotSharper) {
    EXPECT_EQ(creased(prism(36), 10.0).vertexCount(), 4 * 36 + 2);
    EXPECT_EQ(creased(test::box(Vector3::Zero(), Vector3::Ones()), 90.0).vertexCount(), 8);
}

TEST(Creases, SmoothEverywhereChangesNoBit) {
    SurfaceMesh mesh = test::box(Vector3(-1, -1, -1), Vector3(1, 2, 1));
    computeNormals(mesh);
    const SurfaceMesh same = creased(mesh, 180.0);
    EXPECT_EQ(same.normals, mesh.normals);
    EXPECT_EQ(same.triangles, mesh.triangles);
    SurfaceMesh round;
    test::addTube(
        round, [](double s) { return Vector3(std::cos(2 * kPi * s), std::sin(2 * kPi * s), 0.0); }, 0.3, 60, 40);
    computeNormals(round);
    const SurfaceMesh untouched = creased(round, 40.0);
    EXPECT_EQ(untouched.normals, round.normals) << "no edge is sharp";
    EXPECT_EQ(untouched.triangles, round.triangles);
}

TEST(Creases, TextureSeamsStaySmoothAndKeepTheirAttributes) {
    // A roof of two triangles a side; its ridge is a seam: every side has ridge vertices of its own.
    SurfaceMesh roof;
    Points left(3, 4), right(3, 4);
    left << -1, -1, 0, 0, 0, 1, 0, 1, 0, 0, 0.1, 0.1;
    right << 0, 0, 1, 1, 0, 1, 0, 1, 0.1, 0.1, 0, 0;
    Triangles t(3, 2);
    t << 0, 1, 2, 2, 1, 3;
    for (const Points& side : {left, right}) test::addTriangles(roof, side, t);
    roof.texcoords = Matrix<double, 2, Eigen::Dynamic>::Random(2, 8);
    const SurfaceMesh flat = creased(roof, 40.0);  // the sides meet at 2 atan(0.1) = 11 degrees
    EXPECT_EQ(flat.vertexCount(), 8);
    EXPECT_LT((flat.normals.col(2).cwiseAbs() - Vector3::UnitZ()).norm(), 1e-14) << "shared across the seam";
    EXPECT_EQ(flat.texcoords, roof.texcoords);
    const SurfaceMesh sharp = creased(roof, 10.0);
    EXPECT_EQ(sharp.vertexCount(), 8) << "the sides have vertices of their own already";
    EXPECT_NEAR(std::abs(sharp.normals(0, 2)), std::sin(std::atan(0.1)), 1e-14);
}

TEST(Creases, FilesSayWhetherTheyHaveNormals) {
    const test::TemporaryFolder folder;
    const std::string positions = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    EXPECT_FALSE(readSurface(folder.write("a.obj", positions + "f 1 2 3\n")).hasNormals);
    EXPECT_TRUE(readSurface(folder.write("b.obj", positions + "vn 0 0 1\nf 1//1 2//1 3//1\n")).hasNormals);
    EXPECT_FALSE(readSurface(folder.write("c.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")).hasNormals);
}

}  // namespace
