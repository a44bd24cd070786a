// SPDX-License-Identifier: Zlib
// Surfaces as they are found: double-sided, inside out, torn at seams, of boxes that touch.
#include <random>

#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/MendSurface.h"
#include "pliant/mesh/formats/RepairSurface.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "unit/mesh/ClosedMeshes.h"

namespace {

using namespace pliant;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

SurfaceMesh boxToMend() {
    SurfaceMesh mesh = test::box(Vector3::Zero(), Vector3::Ones());
    computeNormals(mesh);
    return mesh;
}

void addBacks(SurfaceMesh& mesh) {
    const Eigen::Index count = mesh.triangles.cols();
    mesh.triangles.conservativeResize(3, 2 * count);
    for (Eigen::Index t = 0; t < count; ++t)
        mesh.triangles.col(count + t) << mesh.triangles(0, t), mesh.triangles(2, t), mesh.triangles(1, t);
    mesh.triangleMaterial.resize(static_cast<std::size_t>(2 * count), 0);
}

/// The least of normal times direction from the middle of the unit box.
double leastOutward(const SurfaceMesh& mesh) {
    return ((mesh.positions.array() - 0.5) * mesh.normals.array()).colwise().sum().minCoeff();
}

TEST(MendSurface, ADoubleSidedSolidIsASolid) {
    SurfaceMesh mesh = boxToMend();
    addBacks(mesh);
    EXPECT_FALSE(examineClosure(mesh).closed()) << "fronts and backs enclose nothing";
    EXPECT_THAT(mendSurface(mesh, false, "box"), ElementsAre(HasSubstr("box: 12 triangles left out that are backs")));
    EXPECT_EQ(mesh.triangleCount(), 12);
    EXPECT_NEAR(examineClosure(mesh).volume, 1.0, 1e-15);
}

TEST(MendSurface, ADoubleSidedSheetCountsOnce) {
    SurfaceMesh mesh = boxToMend();
    mesh.triangles = mesh.triangles.leftCols(2).eval();
    mesh.triangleMaterial.resize(2);
    addBacks(mesh);
    mendSurface(mesh, false, "sheet");
    EXPECT_EQ(mesh.triangleCount(), 2);
}

TEST(MendSurface, BacksOfAnotherColourStay) {
    SurfaceMesh mesh = boxToMend();
    mesh.triangles = mesh.triangles.leftCols(2).eval();
    mesh.triangleMaterial.resize(2);
    mesh.materials.resize(2);
    addBacks(mesh);
    mesh.triangleMaterial[2] = mesh.triangleMaterial[3] = 1;
    EXPECT_THAT(mendSurface(mesh, false, "flag"), IsEmpty());
    EXPECT_EQ(mesh.triangleCount(), 4);
}

// The walls were no solid for the contact, which was made of capsules inside of them.
TEST(MendSurface, BoxesThatTouchAreOneBody) {
    SurfaceMesh mesh = boxToMend();
    const SurfaceMesh second = test::box(Vector3(1, 0, 0), Vector3(2, 1, 1));
    // The second one's wall is cut along the same diagonal, as walls of blocks are.
    test::addTriangles(mesh, second.positions, second.triangles);
    std::vector<Eigen::Index> wall;
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t) {
        const Eigen::Vector3i c = mesh.triangles.col(t);
        if ((mesh.positions(0, c[0]) == 1.0) && (mesh.positions(0, c[1]) == 1.0) && (mesh.positions(0, c[2]) == 1.0))
            wall.push_back(t);
    }
    ASSERT_EQ(wall.size(), 4u);
    for (std::size_t k = 0; k < 2; ++k) {  // the second wall: the backs of the first one's triangles
        const Eigen::Vector3i front = mesh.triangles.col(wall[k]);
        for (Eigen::Index c = 0; c < 3; ++c) {
            const Vector3 x = mesh.positions.col(front[(3 - c) % 3]);
            for (int v = 8; v < 16; ++v)
                if (mesh.positions.col(v) == x) mesh.triangles(c, wall[k + 2]) = v;
        }
    }
    EXPECT_FALSE(isClosed(mesh));
    EXPECT_THAT(mendSurface(mesh, false, "boxes"), ElementsAre(HasSubstr("4 triangles of walls between bodies")));
    EXPECT_TRUE(isClosed(mesh));
    EXPECT_NEAR(examineClosure(mesh).volume, 2.0, 1e-14);
}

// Hair of a game's character: no wall, although front and back lie on each other and the body is closed.
TEST(MendSurface, DoubleSidedSheetsBesideABodyStay) {
    SurfaceMesh mesh = boxToMend();
    Points card(3, 4);  // stands on an edge of the box
    card << 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 2, 2;
    Triangles both(3, 4);
    both << 0, 0, 1, 2, 1, 2, 0, 0, 2, 3, 2, 3;
    test::addTriangles(mesh, card, both);
    ASSERT_TRUE(examineClosure(mesh).closed());
    EXPECT_THAT(mendSurface(mesh, false, "head"), IsEmpty());
    EXPECT_EQ(mesh.triangleCount(), 16);
}

// An inside-out surface was drawn from its inside: the front was culled.
TEST(MendSurface, WhatFacesInwardsIsTurned) {
    for (const bool hasNormals : {false, true}) {
        SurfaceMesh mesh = boxToMend();
        test::turnInsideOut(mesh);
        computeNormals(mesh);
        EXPECT_LT(leastOutward(mesh), 0.0);
        EXPECT_THAT(mendSurface(mesh, hasNormals, "box"),
                    ElementsAre(HasSubstr("12 triangles turned, which faced inwards")));
        EXPECT_NEAR(test::enclosedVolume(mesh), 1.0, 1e-15);
        EXPECT_GT(leastOutward(mesh), 0.5) << hasNormals;
    }
}

TEST(MendSurface, SomeTurnedTrianglesLeaveNoDarkSpots) {
    SurfaceMesh mesh = boxToMend();
    for (const Eigen::Index t : {3, 8}) std::swap(mesh.triangles(1, t), mesh.triangles(2, t));
    computeNormals(mesh);
    EXPECT_THAT(mendSurface(mesh, false, "box"), ElementsAre(HasSubstr("2 triangles turned")));
    EXPECT_NEAR(test::enclosedVolume(mesh), 1.0, 1e-15);
    EXPECT_GT(leastOutward(mesh), 0.5);

    SurfaceMesh open = boxToMend();
    open.triangles = open.triangles.rightCols(10).eval();
    open.triangleMaterial.resize(10);
    std::swap(open.triangles(1, 4), open.triangles(2, 4));
    EXPECT_THAT(mendSurface(open, false, "box"),
                ElementsAre(HasSubstr("which faced another way than their neighbours")));
}

// A face cut into a fan about its middle edge point, whose neighbour knows nothing of that corner.
TEST(MendSurface, CornersInEdgesOfOthersCloseTheSurface) {
    SurfaceMesh mesh = boxToMend();
    mesh.texcoords.setZero(2, 8);
    mesh.texcoords.row(0) = mesh.positions.row(0);
    const Eigen::Vector3i cut = mesh.triangles.col(0);
    Points middle(3, 1);
    middle.col(0) = 0.75 * mesh.positions.col(cut[0]) + 0.25 * mesh.positions.col(cut[1]);
    mesh.positions.conservativeResize(3, 9);
    mesh.positions.col(8) = middle.col(0);
    mesh.texcoords.conservativeResize(2, 9);
    mesh.texcoords.col(8) << middle(0, 0), 0.0;
    mesh.triangles.conservativeResize(3, 13);
    mesh.triangles.col(0) << cut[0], 8, cut[2];
    mesh.triangles.col(12) << 8, cut[1], cut[2];
    mesh.triangleMaterial.resize(13, 0);
    computeNormals(mesh);
    EXPECT_FALSE(examineClosure(mesh).closed());
    EXPECT_THAT(mendSurface(mesh, false, "box"),
                ElementsAre(HasSubstr("1 edge split where corners of others lie in it")));
    EXPECT_TRUE(isClosed(mesh));
    EXPECT_NEAR(examineClosure(mesh).volume, 1.0, 1e-15);
    ASSERT_EQ(mesh.vertexCount(), 10);
    EXPECT_EQ(mesh.texcoords(0, 9), mesh.positions(0, 9)) << "in proportion";
}

TEST(MendSurface, CornersThatDifferByRoundingCloseTheSurface) {
    const SurfaceMesh box = boxToMend();
    std::mt19937 random(1);
    std::uniform_real_distribution<double> rounding(-1e-6, 1e-6);
    SurfaceMesh soup;
    for (int t = 0; t < box.triangleCount(); ++t) {
        Points corners(3, 3);
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) corners(k, c) = box.positions(k, box.triangles(c, t)) + rounding(random);
        test::addTriangles(soup, corners, test::oneTriangle(0, 1, 2));
    }
    const std::vector<std::string> notes = repairSurface(soup, false, "box");
    EXPECT_THAT(notes, ElementsAre(HasSubstr("open seams closed: 28 vertices moved by at most 1.7e-05 m")));
    EXPECT_NEAR(examineClosure(soup).volume, 1.0, 1e-5);
    EXPECT_TRUE(isClosed(soup));
}

TEST(MendSurface, HolesStay) {
    SurfaceMesh mesh = boxToMend();
    mesh.triangles = mesh.triangles.rightCols(11).eval();
    mesh.triangleMaterial.resize(11);
    const Triangles before = mesh.triangles;
    EXPECT_THAT(mendSurface(mesh, false, "box"), IsEmpty());
    EXPECT_EQ(mesh.triangles, before);
}

// The file's own normals were halfway between, and shorter than one: such corners were drawn dark.
TEST(MendSurface, CornersInEdgesOfOthersGetNormalsOfUnitLength) {
    for (const double share : {0.25, 0.5}) {
        SurfaceMesh mesh = boxToMend();
        const Eigen::Vector3i cut = mesh.triangles.col(0);
        mesh.normals.col(cut[1]) = -mesh.normals.col(cut[0]);  // nothing is left of the two halfway
        mesh.positions.conservativeResize(3, 9);
        mesh.positions.col(8) = (1.0 - share) * mesh.positions.col(cut[0]) + share * mesh.positions.col(cut[1]);
        mesh.normals.conservativeResize(3, 9);
        mesh.normals.col(8) = Vector3::UnitX();
        mesh.triangles.conservativeResize(3, 13);
        mesh.triangles.col(0) << cut[0], 8, cut[2];
        mesh.triangles.col(12) << 8, cut[1], cut[2];
        mesh.triangleMaterial.resize(13, 0);
        EXPECT_THAT(mendSurface(mesh, true, "box"), Contains(HasSubstr("1 edge split")));
        ASSERT_EQ(mesh.vertexCount(), 10);
        for (int v = 0; v < 10; ++v) EXPECT_NEAR(mesh.normals.col(v).norm(), 1.0, 1e-12) << v << ", share " << share;
    }
}

TEST(MendSurface, BacksWithAnotherPictureOrOtherColoursStay) {
    Points x(3, 8);
    x << 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0;
    Triangles both(3, 4);
    both << 0, 0, 5, 6, 1, 2, 4, 4, 2, 3, 6, 7;
    SurfaceMesh sheet;
    test::addTriangles(sheet, x, both);
    SurfaceMesh page = sheet, painted = sheet;
    computeNormals(sheet);
    EXPECT_THAT(mendSurface(sheet, false, "sheet"), ElementsAre(HasSubstr("2 triangles left out that are backs")));
    EXPECT_EQ(sheet.triangleCount(), 2);
    page.texcoords = 0.5 * page.positions.topRows<2>();
    EXPECT_EQ(SurfaceMesh(page).triangleCount(), 4);
    SurfaceMesh same = page;
    EXPECT_THAT(mendSurface(same, false, "page"), ElementsAre(HasSubstr("2 triangles left out")));
    page.texcoords.rightCols(4).array() += 0.5;
    EXPECT_THAT(mendSurface(page, false, "page"), IsEmpty());
    EXPECT_EQ(page.triangleCount(), 4);
    painted.colours.setOnes(4, 8);
    painted.colours.row(0).tail(4).setZero();
    EXPECT_THAT(mendSurface(painted, false, "painted"), IsEmpty());
}

/// A curved sheet of n x n quadrangles about `middle`, front of material 0, back of material 1.
SurfaceMesh twoColouredSheet(int n, const Vector3& middle) {
    Points x(3, (n + 1) * (n + 1));
    Triangles both(3, 4 * n * n);
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const double u = double(i) / n, v = double(j) / n;
            x.col(i * (n + 1) + j) = middle + Vector3(u, v, 0.3 * std::sin(5.0 * u + 2.0 * v) + 0.1 * v * v);
        }
    for (int q = 0; q < n * n; ++q) {
        const int a = q / n * (n + 1) + q % n, b = a + n + 1;
        both.col(2 * q) << a, b, b + 1;
        both.col(2 * q + 1) << a, b + 1, a + 1;
        both.col(2 * n * n + 2 * q) << b + 1, b, a;
        both.col(2 * n * n + 2 * q + 1) << b + 1, a, a + 1;
    }
    SurfaceMesh mesh;
    test::addTriangles(mesh, x, both);
    mesh.materials.resize(2);
    std::fill(mesh.triangleMaterial.begin() + 2 * n * n, mesh.triangleMaterial.end(), 1);
    computeNormals(mesh);
    return mesh;
}

// What front and back enclose is rounding, whose sign told how they faced: flags changed their colours.
TEST(MendSurface, TwoColouredSheetsKeepTheirSides) {
    int changed = 0;
    for (int k = 0; k < 20; ++k) {
        SurfaceMesh sheet = twoColouredSheet(3 + k, Vector3(0.37 * k, 7.1, -0.013 * k * k));
        const Triangles before = sheet.triangles;
        EXPECT_THAT(mendSurface(sheet, false, "flag"), IsEmpty());
        changed += sheet.triangles != before ? 1 : 0;
        SurfaceMesh beside = boxToMend();
        beside.materials.resize(2);
        const SurfaceMesh flag = twoColouredSheet(3 + k, Vector3(2.0 + 0.37 * k, 7.1, -0.013 * k * k));
        test::addTriangles(beside, flag.positions, flag.triangles);
        beside.materials.resize(2);
        std::copy(flag.triangleMaterial.begin(), flag.triangleMaterial.end(), beside.triangleMaterial.begin() + 12);
        const Triangles together = beside.triangles;
        mendSurface(beside, false, "flag beside a box");
        changed += beside.triangles != together ? 1 : 0;
    }
    EXPECT_EQ(changed, 0) << "of 40";
}

// It hangs together with the box, which is turned as a whole.
TEST(MendSurface, ATwoColouredSheetOnAnInsideOutBoxKeepsItsSides) {
    SurfaceMesh mesh = boxToMend();
    test::turnInsideOut(mesh);
    Points card(3, 4);
    card << 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 2, 2;
    Triangles both(3, 4);
    both << 0, 0, 1, 2, 1, 2, 0, 0, 2, 3, 2, 3;
    test::addTriangles(mesh, card, both);
    mesh.materials.resize(2);
    mesh.triangleMaterial[14] = mesh.triangleMaterial[15] = 1;
    const Triangles before = mesh.triangles;
    EXPECT_THAT(mendSurface(mesh, false, "head"), ElementsAre(HasSubstr("12 triangles turned, which faced inwards")));
    EXPECT_EQ(mesh.triangles.rightCols(4), before.rightCols(4));
    EXPECT_NEAR(test::enclosedVolume(mesh), 1.0, 1e-12);
}

// The backs of its hair went before its seam was looked at, and nothing was closed by then.
TEST(MendSurface, ATornHeadWithDoubleSidedHairIsASolid) {
    SurfaceMesh mesh = boxToMend();
    mesh.positions.conservativeResize(3, 9);
    mesh.positions.col(8) = mesh.positions.col(7) + Vector3(1e-7, -1e-7, 1e-7);
    ASSERT_EQ(mesh.triangles(2, 6), 7);
    mesh.triangles(2, 6) = 8;
    ASSERT_FALSE(examineClosure(mesh).closed());
    Points card(3, 4);
    card << 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 2, 2;
    Triangles both(3, 4);
    both << 0, 0, 1, 2, 1, 2, 0, 0, 2, 3, 2, 3;
    test::addTriangles(mesh, card, both);
    EXPECT_THAT(mendSurface(mesh, false, "head"), ElementsAre(HasSubstr("open seams closed: 1 vertex moved")));
    EXPECT_TRUE(examineClosure(mesh).closed());
    EXPECT_EQ(mesh.triangleCount(), 16) << "both sides of the hair are drawn";
}

TEST(MendSurface, TooManyOpenEdgesAreTold) {
    SurfaceMesh leaves;
    Points x(3, 51000);
    Triangles t(3, 17000);
    for (int k = 0; k < 17000; ++k) {
        const Vector3 at(k % 130, k / 130, 0.0);
        x.col(3 * k) = at;
        x.col(3 * k + 1) = at + Vector3(0.5, 0, 0);
        x.col(3 * k + 2) = at + Vector3(0, 0.5, 0);
        t.col(k) << 3 * k, 3 * k + 1, 3 * k + 2;
    }
    test::addTriangles(leaves, x, t);
    computeNormals(leaves);
    EXPECT_THAT(mendSurface(leaves, false, "tree"), ElementsAre(HasSubstr("tree: 51000 open edges")));
}

TEST(MendSurface, OneBackIsToldAsOne) {
    SurfaceMesh mesh = boxToMend();
    mesh.triangles = mesh.triangles.leftCols(1).eval();
    mesh.triangleMaterial.resize(1);
    addBacks(mesh);
    EXPECT_THAT(mendSurface(mesh, false, "sheet"),
                ElementsAre(HasSubstr("1 triangle left out that is the back of another")));
}

// The search for bricks of nothing ended in a segmentation fault.
TEST(MendSurface, WhatEnclosesNothingIsRefusedAsASolid) {
    SurfaceMesh mesh = boxToMend();
    mesh.positions += 0.1 * (mesh.positions.array() * 7.3 + 0.2).sin().matrix();  // or the sum is exactly 0
    addBacks(mesh);
    VoxeliseOptions options;
    options.solid = options.filledShares = true;
    EXPECT_THAT(test::errorOf([&] { voxelise(mesh, options); }), HasSubstr("encloses no volume"));
}

}  // namespace
