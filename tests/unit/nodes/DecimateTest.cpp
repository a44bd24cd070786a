// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <set>

#include "TestModels.h"
#include "osgPliant/Decimate.h"
#include "osgPliant/MaterialState.h"
#include "osgPliant/ModelGeometry.h"

using namespace pliant;
using namespace pliant::test;

namespace {

double volume(const SurfaceMesh& surface) {
    double six = 0.0;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const auto corner = surface.triangles.col(t);
        const Vector3 a = surface.positions.col(corner[0]), b = surface.positions.col(corner[1]),
                      c = surface.positions.col(corner[2]);
        six += a.dot(b.cross(c));
    }
    return six / 6.0;
}

SurfaceMesh with(SurfaceMesh surface, const osgPliant::Decimated& coarse) {
    surface.triangles = coarse.triangles;
    surface.triangleMaterial = coarse.triangleMaterial;
    return surface;
}

/// A flat square of 40 x 40 cells, its middle third of another material.
SurfaceMesh chequer() {
    constexpr int n = 40;
    SurfaceMesh surface;
    surface.positions.resize(3, (n + 1) * (n + 1));
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) surface.positions.col(i * (n + 1) + j) = Vector3(i, j, 0.0) / n;
    surface.normals = Vector3::UnitZ().replicate(1, surface.positions.cols());
    surface.triangles.resize(3, 2 * n * n);
    for (int i = 0, t = 0; i < n; ++i)
        for (int j = 0; j < n; ++j, t += 2) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            surface.triangles.col(t) << a, b, b + 1;
            surface.triangles.col(t + 1) << a, b + 1, a + 1;
            const bool inside = i >= 12 && i < 28 && j >= 12 && j < 28;
            surface.triangleMaterial.insert(surface.triangleMaterial.end(), 2, inside ? 1 : 0);
        }
    surface.materials.resize(2);
    return surface;
}

/// @param material -1: of all
double area(const SurfaceMesh& surface, int material) {
    double sum = 0.0;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        if (material >= 0 && surface.triangleMaterial[static_cast<std::size_t>(t)] != material) continue;
        const Vector3 a = surface.positions.col(surface.triangles(0, t));
        const Vector3 b = surface.positions.col(surface.triangles(1, t)),
                      c = surface.positions.col(surface.triangles(2, t));
        sum += 0.5 * (b - a).cross(c - a).norm();
    }
    return sum;
}

}  // namespace

TEST(Decimate, KeepsOutlinesOfMaterialsAndBorders) {
    const SurfaceMesh surface = chequer();
    const SurfaceMesh thin = with(surface, osgPliant::decimate(surface, {300}).front());
    ASSERT_LE(thin.triangleCount(), 300);
    EXPECT_NEAR(area(thin, -1), 1.0, 1e-9);
    EXPECT_NEAR(area(thin, 1), 0.16, 1e-9);
}

TEST(Decimate, ReachesItsTargetAndKeepsTheShape) {
    TorusOptions options;
    options.materials = 2;
    const SurfaceMesh surface = makeTorus(options)->surface;
    ASSERT_TRUE(osgPliant::isClosed(surface));
    for (const int target : {800, 300}) {
        const osgPliant::Decimated coarse = osgPliant::decimate(surface, {target}).front();
        const SurfaceMesh thin = with(surface, coarse);
        EXPECT_LE(thin.triangleCount(), target);
        EXPECT_GT(thin.triangleCount(), target / 2);
        EXPECT_TRUE(osgPliant::isClosed(thin)) << "no holes";
        EXPECT_NEAR(volume(thin), volume(surface), 0.08 * volume(surface));
        EXPECT_EQ(std::set<int>(coarse.triangleMaterial.begin(), coarse.triangleMaterial.end()).size(), 2u);
        EXPECT_GT(coarse.error, 0.0);
        EXPECT_LT(coarse.error, 0.5 * options.tubeRadius);
    }
}

TEST(Decimate, ErrorGrowsWithWhatIsLeftOut) {
    const SurfaceMesh surface = makeTorus()->surface;
    const auto levels = osgPliant::decimate(surface, {1 << 20, 1200, 400});
    EXPECT_EQ(levels[0].triangles.cols(), surface.triangles.cols());
    EXPECT_EQ(levels[0].error, 0.0);
    EXPECT_LT(levels[1].error, levels[2].error);
    EXPECT_EQ(levels[2].triangles, osgPliant::decimate(surface, {400}).front().triangles);
}

// Two arrays of vertices, and triangles of both everywhere; of one material, so that no outline keeps vertices where
// they are.
TEST(Decimate, CornersStayInTheirArrays) {
    const SurfaceMesh torus = makeTorus()->surface;
    const Eigen::Index d = torus.positions.cols();
    SurfaceMesh surface = torus;
    surface.positions.resize(3, 2 * d);
    surface.normals.resize(3, 2 * d);
    surface.positions << torus.positions, torus.positions;
    surface.normals << torus.normals, torus.normals;
    surface.texcoords.resize(2, 0);
    surface.triangleMaterial.clear();
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        if (t * 7919 % 31 % 5 == 0) surface.triangles.col(t).array() += static_cast<int>(d);
    }
    std::vector<int> array(static_cast<std::size_t>(2 * d), 2);  // those of no triangle are of neither
    for (Eigen::Index i = 0; i < surface.triangles.size(); ++i) {
        const int v = surface.triangles.data()[i];
        array[static_cast<std::size_t>(v)] = v < d ? 0 : 1;
    }
    const osgPliant::Decimated coarse = osgPliant::decimate(surface, {100}, array).front();
    EXPECT_LT(coarse.triangles.cols(), surface.triangles.cols() / 2);
    for (Eigen::Index t = 0; t < coarse.triangles.cols(); ++t)
        for (int k = 0; k < 3; ++k)
            EXPECT_EQ(array[static_cast<std::size_t>(coarse.triangles(k, t))],
                      array[static_cast<std::size_t>(coarse.triangles(0, t))]);
    EXPECT_TRUE(osgPliant::isClosed(with(surface, coarse)));
}

TEST(Decimate, ModelsHaveLevels) {
    osg::ref_ptr<osgPliant::ModelGeometry> geometry = new osgPliant::ModelGeometry(makeTorus());
    ASSERT_GE(geometry->getLevelCount(), 3);
    EXPECT_EQ(geometry->getLevelError(0), 0.0);
    for (int level = 1; level < geometry->getLevelCount(); ++level) {
        EXPECT_LT(geometry->getTriangleCount(level), geometry->getTriangleCount(level - 1) * 3 / 4);
        EXPECT_GT(geometry->getLevelError(level), geometry->getLevelError(level - 1));
    }
}

TEST(Decimate, OpenAndEmptySurfacesAreFine) {
    SurfaceMesh surface;
    surface.positions.resize(3, 0);
    surface.triangles.resize(3, 0);
    EXPECT_EQ(osgPliant::decimate(surface, {10}).front().triangles.cols(), 0);
    EXPECT_FALSE(osgPliant::isClosed(surface));
    SurfaceMesh half = makeTorus()->surface;
    half.triangles = half.triangles.leftCols(half.triangles.cols() / 2).eval();
    EXPECT_FALSE(osgPliant::isClosed(half));
    EXPECT_LE(osgPliant::decimate(half, {300}).front().triangles.cols(), 300);
}
