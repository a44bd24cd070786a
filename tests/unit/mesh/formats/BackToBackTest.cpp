// SPDX-License-Identifier: Zlib
// Walls between bodies that touch, and what is taken for none.
#include <algorithm>
#include <vector>

#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/MendSurface.h"
#include "unit/mesh/ClosedMeshes.h"

namespace {

using namespace pliant;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SurfaceMesh boxBesideOthers() {
    SurfaceMesh mesh = test::box(Vector3::Zero(), Vector3::Ones());
    computeNormals(mesh);
    return mesh;
}

// One in the middle has walls all around; in others four walls meet at an edge.
TEST(BackToBack, AStackOfBlocksIsOneBody) {
    SurfaceMesh mesh;
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 3; ++z) test::addBox(mesh, Vector3(x, y, z), Vector3(x + 1, y + 1, z + 1));
    computeNormals(mesh);
    EXPECT_THAT(mendSurface(mesh, false, "blocks"), ElementsAre(HasSubstr("216 triangles of walls")));
    EXPECT_EQ(mesh.triangleCount(), 108);
    EXPECT_TRUE(isClosed(mesh));
    EXPECT_NEAR(examineClosure(mesh).volume, 27.0, 1e-12);
}

// As modelling programs write them in single precision.
TEST(BackToBack, WallsThatDifferByRoundingAreWalls) {
    SurfaceMesh mesh = boxBesideOthers();
    test::addBox(mesh, Vector3(1.0 + 1e-7, 0, 0), Vector3(2, 1, 1));
    EXPECT_FALSE(isClosed(mesh));
    EXPECT_THAT(mendSurface(mesh, false, "boxes"),
                ElementsAre(AllOf(HasSubstr("4 triangles of walls between bodies"), HasSubstr("4 vertices moved"))));
    EXPECT_TRUE(isClosed(mesh));
    EXPECT_NEAR(examineClosure(mesh).volume, 2.0, 1e-6);
}

// They are seen through the bodies.
TEST(BackToBack, WallsOfTransparentBodiesStay) {
    SurfaceMesh mesh = boxBesideOthers();
    test::addBox(mesh, Vector3(1, 0, 0), Vector3(2, 1, 1));
    mesh.materials[0].opacity = 0.3;
    EXPECT_THAT(mendSurface(mesh, false, "jelly"), IsEmpty());
    EXPECT_EQ(mesh.triangleCount(), 24);
}

/// The outside of unit cells at whole numbers.
SurfaceMesh surfaceOfCells(const std::vector<Vector3>& cells) {
    SurfaceMesh mesh;
    for (const Vector3& cell : cells) test::addBox(mesh, cell, cell + Vector3::Ones());
    std::vector<Eigen::Index> kept;
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                      c = mesh.positions.col(mesh.triangles(2, t));
        const Vector3 beyond = (a + b + c) / 3.0 + 0.1 * (b - a).cross(c - a);
        const bool isInside = std::any_of(cells.begin(), cells.end(), [&](const Vector3& cell) {
            return ((beyond - cell).array() > 0.0).all() && ((beyond - cell).array() < 1.0).all();
        });
        if (!isInside) kept.push_back(t);
    }
    mesh.triangles = mesh.triangles(Eigen::all, kept).eval();
    mesh.triangleMaterial.assign(kept.size(), 0);
    return mesh;
}

// All its edges are edges of the cup, as those of a wall are, but there is nothing on either side of it.
TEST(BackToBack, ADoubleSidedSkinOverTheMouthOfACupStays) {
    std::vector<Vector3> cells;
    for (int x = 0; x < 3; ++x)
        for (int y = 0; y < 3; ++y)
            for (int z = 0; z < 2; ++z)
                if (x != 1 || y != 1 || z != 1) cells.emplace_back(x, y, z);
    SurfaceMesh cup = surfaceOfCells(cells);
    ASSERT_NEAR(examineClosure(cup).volume, 17.0, 1e-12);
    Points skin(3, 4);
    Triangles both(3, 4);
    both << 0, 0, 1, 2, 1, 2, 0, 0, 2, 3, 2, 3;
    skin << 1, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2;
    const int without = cup.triangleCount();
    test::addTriangles(cup, skin, both);
    ASSERT_TRUE(examineClosure(cup).closed());
    EXPECT_THAT(mendSurface(cup, false, "drum"), IsEmpty());
    EXPECT_EQ(cup.triangleCount(), without + 4);

    SurfaceMesh wall = surfaceOfCells({Vector3(0, 0, 0), Vector3(0, 0, 1)});
    skin << 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 1, 1;
    test::addTriangles(wall, skin, both);
    EXPECT_THAT(mendSurface(wall, false, "wall"), ElementsAre(HasSubstr("4 triangles of walls")));
}

}  // namespace
