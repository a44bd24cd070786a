// SPDX-License-Identifier: Zlib
// Bricks that a surface cuts weigh what is in them: masses of bodies whose volume is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/Quadrature.h"
#include "pliant/mesh/voxels/BrickShares.h"
#include "pliant/mesh/voxels/CellShares.h"
#include "pliant/mesh/voxels/TouchedBricks.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "unit/mesh/ClosedMeshes.h"

namespace {

using namespace pliant;
using ::testing::HasSubstr;

VolumeMesh filled(const SurfaceMesh& surface, int resolution = 0) {
    VoxeliseOptions options;
    options.resolution = resolution;
    options.solid = options.filledShares = true;
    return voxelise(surface, options);
}

VolumeMesh sheet(const SurfaceMesh& surface, double thickness, int resolution) {
    VoxeliseOptions options;
    options.resolution = resolution;
    options.filledShares = true;
    options.thickness = thickness;
    return voxelise(surface, options);
}

double materialVolume(const VolumeMesh& mesh) {
    double volume = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) volume += elementVolume(mesh, e);
    return volume;
}

/// A place in a brick, in sides of it from its first corner.
Vector3 placeOf(const VolumeMesh& mesh, int e, const Vector3& t) {
    const Vector3 lower = mesh.positions.col(mesh.elements(0, e)), upper = mesh.positions.col(mesh.elements(6, e));
    return lower + t.cwiseProduct(upper - lower);
}

Vector3 centroid(const VolumeMesh& mesh) {
    Vector3 sum = Vector3::Zero();
    for (int e = 0; e < mesh.elementCount(); ++e)
        sum += elementVolume(mesh, e) * placeOf(mesh, e, mesh.filledBox(e).middle());
    return sum / materialVolume(mesh);
}

// The clipping is exact; only cells within 1e-5 of empty or full are rounded.
TEST(BrickShares, BodiesWeighTheirVolume) {
    const std::vector<std::pair<const char*, SurfaceMesh>> bodies = {
        {"cube", test::box(Vector3::Zero(), Vector3::Constant(0.2))},
        {"plate", test::box(Vector3::Zero(), Vector3(0.4, 0.3, 0.002))},
        {"sphere", test::sphere(0.1)},
        {"cup", test::cup()},
        {"spring", test::spring()}};
    for (const auto& [name, body] : bodies)
        for (const SurfaceMesh& surface : {body, test::rotated(body)})
            for (const int resolution : {20, 33}) {
                const VolumeMesh mesh = filled(surface, resolution);
                const double volume = test::enclosedVolume(surface);
                EXPECT_NEAR(materialVolume(mesh), volume, 1e-3 * volume) << name << ' ' << resolution;
                EXPECT_FALSE(findDefect(mesh).has_value());
            }
}

TEST(BrickShares, TheDefaultResolutionWeighsTheSame) {
    for (const SurfaceMesh& surface : {test::spring(), test::cup()})
        EXPECT_NEAR(materialVolume(filled(surface)), test::enclosedVolume(surface),
                    1e-3 * test::enclosedVolume(surface));
}

// A plate of 2 mm in bricks of 20 mm: one layer, flattened to its thickness or to a tenth of the bricks' side.
TEST(BrickShares, BricksFitTheBoundingBox) {
    const VolumeMesh plate = filled(test::box(Vector3::Zero(), Vector3(0.4, 0.3, 0.002)), 20);
    EXPECT_EQ(plate.elementCount(), 20 * 15);
    EXPECT_EQ(plate.elementShare.size(), 0) << "full bricks";
    const VolumeMesh foil = filled(test::box(Vector3::Zero(), Vector3(0.4, 0.3, 0.0005)), 20);
    EXPECT_EQ(foil.elementCount(), 20 * 15);
    EXPECT_NEAR(foil.elementShare.minCoeff(), 0.25, 1e-6);
    EXPECT_NEAR(foil.elementShare.maxCoeff(), 0.25, 1e-6);
    const VolumeMesh block = filled(test::box(Vector3::Zero(), Vector3(0.4, 0.31, 0.27)), 8);
    EXPECT_EQ(block.elementShare.size(), 0);
    EXPECT_NEAR(materialVolume(block), 0.4 * 0.31 * 0.27, 1e-6 * 0.4 * 0.31 * 0.27);
}

TEST(BrickShares, HollowBodiesKeepTheirCavity) {
    SurfaceMesh surface = test::sphere(0.1);
    SurfaceMesh inner = test::sphere(0.08);
    test::turnInsideOut(inner);
    test::addTriangles(surface, inner.positions, inner.triangles);
    const VolumeMesh mesh = filled(surface, 24);
    const double volume = test::enclosedVolume(test::sphere(0.1)) - test::enclosedVolume(test::sphere(0.08));
    EXPECT_NEAR(materialVolume(mesh), volume, 1e-3 * volume);
    for (int e = 0; e < mesh.elementCount(); ++e)
        EXPECT_GT(mesh.positions.col(mesh.elements(0, e)).norm(), 0.05) << "no bricks in the middle";
}

TEST(BrickShares, TheCentreStaysWhereItIs) {
    SurfaceMesh half = test::turned({{0.0, 0.0}, {0.1, 0.0}, {0.05, 0.1}, {0.0, 0.1}}, 48);  // a truncated cone
    const double R = 0.1, r = 0.05, h = 0.1;
    const double z = h / 4.0 * (R * R + 2.0 * R * r + 3.0 * r * r) / (R * R + R * r + r * r);
    EXPECT_LT((centroid(filled(half, 40)) - Vector3(0.0, 0.0, z)).norm(), 1e-5);
}

// Where the material of a brick is, of shapes whose moments everybody knows: a wedge in one brick, and a slab that is a
// layer and a half thick.
TEST(BrickShares, BoxesHaveTheMomentsOfTheMaterial) {
    SurfaceMesh wedge;
    Points x(3, 6);
    x << 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 1;
    Triangles t(3, 8);
    t << 0, 3, 0, 0, 1, 1, 0, 0, 1, 5, 1, 4, 2, 5, 2, 5, 2, 4, 4, 3, 5, 4, 5, 3;
    test::addTriangles(wedge, x, t);
    const VolumeMesh one = filled(wedge, 1);
    ASSERT_EQ(one.elementCount(), 1);
    EXPECT_NEAR(one.elementShare[0], 0.5, 1e-6);
    const FilledBox box = one.filledBox(0);
    EXPECT_LT((box.middle() - Vector3(1.0 / 3.0, 0.5, 1.0 / 3.0)).norm(), 1e-6);
    const Vector3 square = box.deviation().cwiseAbs2();
    EXPECT_LT((square - Vector3(1.0 / 18.0, 1.0 / 12.0, 1.0 / 18.0)).norm(), 1e-6);

    SurfaceMesh step = test::box(Vector3::Zero(), Vector3(4, 4, 3));  // whose box is four cells high
    const SurfaceMesh post = test::box(Vector3(0, 0, 3), Vector3(1, 1, 4));
    test::addTriangles(step, post.positions, post.triangles);
    const VolumeMesh slab = filled(step, 2);
    ASSERT_EQ(slab.elementCount(), 8);
    EXPECT_TRUE(slab.filledBox(0).isWhole());
    const FilledBox half = slab.filledBox(7);
    EXPECT_LT((half.lower - Vector3(0, 0, 0)).norm(), 1e-6);
    EXPECT_LT((half.upper - Vector3(1, 1, 0.5)).norm(), 1e-6);
}

// What is in all cells has the inertia of the body: of a ball, and of the wall around it.
TEST(BrickShares, CellsHaveTheInertiaOfTheBody) {
    const auto moment = [](const VoxelGrid& grid, const std::vector<CellFilling>& cells) {
        double sum = 0.0;
        for (int i = 0; i < grid.cells(0); ++i)
            for (int j = 0; j < grid.cells(1); ++j)
                for (int k = 0; k < grid.cells(2); ++k) {
                    const CellFilling& cell = cells[grid.index(i, j, k)];
                    const Vector3 x = grid.corner(i, j, k), &h = grid.cellSize();
                    sum += grid.cellVolume() * (x.squaredNorm() * cell.share + 2.0 * x.cwiseProduct(h).dot(cell.first) +
                                                h.cwiseAbs2().dot(cell.second));
                }
        return sum;
    };
    const SurfaceMesh sphere = test::sphere(0.1);
    double solid = 0.0, flat = 0.0, area = 0.0;  // of tetrahedra from the middle, and of triangles
    for (int t = 0; t < sphere.triangleCount(); ++t) {
        const Vector3 a = sphere.positions.col(sphere.triangles(0, t)),
                      b = sphere.positions.col(sphere.triangles(1, t)),
                      c = sphere.positions.col(sphere.triangles(2, t));
        const double squares = a.squaredNorm() + b.squaredNorm() + c.squaredNorm() + (a + b + c).squaredNorm();
        const double size = 0.5 * (b - a).cross(c - a).norm();
        solid += a.dot(b.cross(c)) / 6.0 / 20.0 * squares;
        flat += size / 12.0 * squares;
        area += size;
    }
    const VoxelGrid ball(sphere, 14, CellShape::Fitted);
    // Shares within 1e-5 of whole ones are rounded.
    EXPECT_NEAR(moment(ball, volumeFillings(ball, sphere.positions, sphere.triangles)) / solid, 1.0, 1e-6);
    for (const double thickness : {0.002, 0.03}) {
        const VoxelGrid grid(sphere, 14, CellShape::Fitted, thickness);
        const double expected = thickness * (flat + area * thickness * thickness / 12.0);
        EXPECT_NEAR(moment(grid, sheetFillings(grid, sphere, thickness)) / expected, 1.0, 1e-12) << thickness;
    }
}

// Parts of a sheet that are named by triangles are as thick as its wall.
TEST(BrickShares, TrianglesTouchTheBricksOfTheirWall) {
    const SurfaceMesh sphere = test::sphere(0.1);
    const VolumeMesh wall = sheet(sphere, 0.03, 30);
    const std::vector<bool> all(static_cast<std::size_t>(sphere.triangleCount()), true);
    const auto touched = [&](double thickness) {
        const std::vector<bool> bricks = touchedBricks(wall, sphere, all, thickness);
        return static_cast<double>(std::count(bricks.begin(), bricks.end(), true)) / wall.elementCount();
    };
    EXPECT_GT(touched(0.03), 0.99) << "all but what closes hinges";
    EXPECT_LT(touched(0.0), 0.6);
}

TEST(BrickShares, NoShareIsFarBelowTheMeanAndInnerBricksAreFull) {
    const VolumeMesh mesh = filled(test::rotated(test::sphere(0.1)), 20);
    EXPECT_GE(mesh.elementShare.minCoeff(), 0.049 * mesh.elementShare.mean());
    EXPECT_GT((mesh.elementShare.array() == 1.0).count(), mesh.elementCount() / 3);
}

TEST(BrickShares, OverlapsCountOnce) {
    SurfaceMesh surface = test::box(Vector3::Zero(), Vector3(0.4, 0.2, 0.2));
    const SurfaceMesh other = test::box(Vector3(0.2, 0.0, 0.0), Vector3(0.6, 0.2, 0.2));
    test::addTriangles(surface, other.positions, other.triangles);
    EXPECT_NEAR(materialVolume(filled(surface, 12)), 0.6 * 0.2 * 0.2, 1e-6);
}

TEST(BrickShares, SheetsWeighAreaTimesThickness) {
    SurfaceMesh dome = test::sphere(0.1);
    std::vector<Eigen::Index> upper;
    double area = 0.0;
    for (Eigen::Index t = 0; t < dome.triangles.cols(); ++t) {
        Matrix3 x;
        for (int c = 0; c < 3; ++c) x.col(c) = dome.positions.col(dome.triangles(c, t));
        if (x.row(2).mean() < 0.0) continue;
        upper.push_back(t);
        area += 0.5 * (x.col(1) - x.col(0)).cross(x.col(2) - x.col(0)).norm();
    }
    Triangles kept(3, static_cast<Eigen::Index>(upper.size()));
    for (std::size_t t = 0; t < upper.size(); ++t)
        kept.col(static_cast<Eigen::Index>(t)) = dome.triangles.col(upper[t]);
    dome.triangles = kept;
    dome.triangleMaterial.resize(upper.size());
    for (const double thickness : {0.0005, 0.002, 0.006})
        EXPECT_NEAR(materialVolume(sheet(dome, thickness, 20)), area * thickness, 1e-3 * area * thickness) << thickness;
}

TEST(BrickShares, AFlatSheetIsOneLayerOfItsThickness) {
    SurfaceMesh flat;
    Points x(3, 4);
    x << 0, 0.4, 0.4, 0, 0, 0, 0.3, 0.3, 0, 0, 0, 0;
    Triangles t(3, 2);
    t << 0, 0, 1, 2, 2, 3;
    test::addTriangles(flat, x, t);
    const VolumeMesh mesh = sheet(flat, 0.004, 20);
    EXPECT_EQ(mesh.elementCount(), 20 * 15);
    EXPECT_EQ(mesh.elementShare.size(), 0) << "the bricks are as thick as the sheet";
    EXPECT_NEAR(materialVolume(mesh), 0.4 * 0.3 * 0.004, 1e-6 * 0.4 * 0.3 * 0.004);
}

TEST(BrickShares, RefusesWhatHasNoVolumeOrThickness) {
    SurfaceMesh open = test::box(Vector3::Zero(), Vector3::Ones());
    open.triangles = open.triangles.rightCols(10).eval();
    open.triangleMaterial.resize(10);
    const auto message = [](const auto& make) -> std::string {
        try {
            make();
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    };
    EXPECT_THAT(message([&] { filled(open, 8); }), HasSubstr("not closed: 4 edges have no second triangle"));
    EXPECT_THAT(message([&] { sheet(open, 0.0, 8); }), HasSubstr("the sheet's thickness is 0 m"));
}

// Without shares nothing of it is there: the bricks of a shell are cubes that count whole.
TEST(BrickShares, AreOnlyThereWhereTheyAreAskedFor) {
    VoxeliseOptions options;
    options.resolution = 12;
    const VolumeMesh mesh = voxelise(test::spring(), options);
    EXPECT_EQ(mesh.elementShare.size(), 0);
    EXPECT_EQ(mesh.elementBending.size(), 0);
}

}  // namespace
