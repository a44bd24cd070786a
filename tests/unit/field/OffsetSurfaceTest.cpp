// SPDX-License-Identifier: Zlib
// The closed surface around triangles: Steiner's formulas for the volume and the area of what lies within a distance.
#include <gtest/gtest.h>

#include <cmath>

#include "pliant/field/OffsetSurface.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant::test {
namespace {

const double kPi = std::acos(-1.0);

/// A sheet a x b in the plane z = 0, of two triangles that do not agree on a side.
SurfaceMesh sheet(double a, double b) {
    SurfaceMesh made;
    made.positions.resize(3, 4);
    made.positions << 0, a, a, 0, 0, 0, b, b, 0, 0, 0, 0;
    made.triangles.resize(3, 2);
    made.triangles << 0, 0, 1, 3, 2, 2;
    made.triangleMaterial = {0, 0};
    made.materials.resize(1);
    return made;
}

/// A unit sphere of latitudes and longitudes without what lies within `hole` of its pole, rad; triangles of all
/// orientations.
SurfaceMesh bowl(double hole, int n = 64) {
    SurfaceMesh made;
    made.positions.resize(3, (n + 1) * n);
    made.triangles.resize(3, 2 * n * n);
    int t = 0;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < n; ++j) {
            const double theta = hole + (kPi - hole) * i / n, phi = 2.0 * kPi * j / n;
            made.positions.col(i * n + j) << std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi),
                std::cos(theta);
            if (i == n) continue;
            const int a = i * n + j, b = i * n + (j + 1) % n, c = a + n, d = b + n;
            made.triangles.col(t++) << a, b, c;
            made.triangles.col(t++) << b, c, d;
        }
    made.triangleMaterial.assign(static_cast<std::size_t>(t), 0);
    made.materials.resize(1);
    return made;
}

struct Extent {
    double volume, area;
};
/// Relative errors of a sheet's offset surface.
Extent errorsOfSheet(double perOffset) {
    const double a = 1.0, b = 0.6, o = 0.1, rim = 2.0 * (a + b);
    const SurfaceClosure closure = examineClosure(offsetSurface(sheet(a, b), o, o / perOffset));
    EXPECT_TRUE(closure.closed());
    EXPECT_EQ(closure.parts, 1);
    const double volume = 2.0 * a * b * o + 0.5 * kPi * rim * o * o + 4.0 / 3.0 * kPi * o * o * o;
    const double area = 2.0 * a * b + kPi * rim * o + 4.0 * kPi * o * o;
    return {std::abs(closure.volume / volume - 1.0), std::abs(closure.area / area - 1.0)};
}

// Flat pieces whose corners lie on the level set: of second order in the spacing.
TEST(OffsetSurface, OfASheetIsSteinersBody) {
    const Extent coarse = errorsOfSheet(1.5), fine = errorsOfSheet(3.0), finer = errorsOfSheet(6.0);
    EXPECT_LT(coarse.volume, 0.1);
    EXPECT_LT(finer.volume, 0.01);
    EXPECT_LT(finer.area, 0.01);
    EXPECT_LT(fine.volume, 0.4 * coarse.volume);
    EXPECT_LT(finer.volume, 0.4 * fine.volume);
}

TEST(OffsetSurface, LiesAtTheOffsetAndLooksOutwards) {
    const SurfaceMesh flat = sheet(1.0, 0.6);
    const SurfaceDistance distance(flat.positions, flat.triangles);
    const double o = 0.1;
    const SurfaceMesh made = offsetSurface(flat, o, o / 1.4);
    for (Eigen::Index v = 0; v < made.positions.cols(); ++v) {
        const Vector3 x = made.positions.col(v), way = x - distance.nearest(x);
        EXPECT_NEAR(way.norm(), o, 1e-12);
        EXPECT_GT(way.dot(made.normals.col(v)), 0.5 * o);
    }
}

// Holes narrower than twice the offset are bridged, and what they led to is inside; wider ones stay.
TEST(OffsetSurface, BridgesNarrowHoles) {
    const double o = 0.1, solid = 4.0 / 3.0 * kPi * std::pow(1.0 + o, 3),
                 cavity = 4.0 / 3.0 * kPi * std::pow(1.0 - o, 3);
    const SurfaceClosure narrow = examineClosure(offsetSurface(bowl(0.08), o, o / 2.0));
    EXPECT_TRUE(narrow.closed());
    EXPECT_EQ(narrow.parts, 1);
    EXPECT_NEAR(narrow.volume, solid, 0.02 * solid);
    const SurfaceClosure wide = examineClosure(offsetSurface(bowl(0.2), o, o / 2.0));
    EXPECT_TRUE(wide.closed());
    EXPECT_EQ(wide.parts, 1);
    EXPECT_NEAR(wide.volume, solid - cavity, 0.05 * solid);
}

TEST(OffsetSurface, RefusesWhatCannotBe) {
    EXPECT_THROW(offsetSurface(SurfaceMesh(), 0.1, 0.05), Error);
    EXPECT_THROW(offsetSurface(sheet(1, 1), 0.0, 0.05), Error);
    EXPECT_THROW(offsetSurface(sheet(1, 1), 0.1, 0.2), Error) << "it would see through the sheet";
    EXPECT_THROW(offsetSurface(bowl(0.2), 1e-3, 1e-3), Error) << "more samples than memory";
    EXPECT_THROW(offsetSurface(sheet(1, std::nan("")), 0.1, 0.05), Error);
}

}  // namespace
}  // namespace pliant::test
