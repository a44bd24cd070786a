// SPDX-License-Identifier: Zlib
// Sheets around open surfaces: closed, of area times thickness, however their triangles come.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/reduce/SheetSurface.h"
#include "pliant/touch/FieldLookup.h"

namespace pliant::test {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kThickness = 0.01;

/// A grid of m x n squares of two triangles, `place` of the share of the way along both.
template <class Place>
SurfaceMesh grid(int m, int n, const Place& place) {
    SurfaceMesh surface;
    surface.positions.resize(3, (m + 1) * (n + 1));
    for (int i = 0; i <= m; ++i)
        for (int j = 0; j <= n; ++j) surface.positions.col(i * (n + 1) + j) = place(double(i) / m, double(j) / n);
    surface.triangles.resize(3, 2 * m * n);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            surface.triangles.col(2 * (i * n + j)) << a, b, b + 1;
            surface.triangles.col(2 * (i * n + j) + 1) << a, b + 1, a + 1;
        }
    surface.materials.resize(1);
    return surface;
}

double volumeOf(const SurfaceMesh& sheet) {
    EXPECT_TRUE(isClosed(sheet));
    return examineClosure(sheet).volume;
}

SurfaceMesh square() {
    return grid(4, 4, [](double x, double y) { return Vector3(x, y, 0.0); });
}

TEST(SheetSurface, OfASquareIsAPlateWhateverItsTrianglesFace) {
    SurfaceMesh surface = square();
    for (const int turned : {1, 2, 3, 7}) {
        for (int t = 0; t < surface.triangleCount(); t += turned) surface.triangles.col(t).tail<2>().reverseInPlace();
        const SurfaceMesh sheet = sheetSurface(surface, kThickness);
        EXPECT_NEAR(volumeOf(sheet), kThickness, 1e-12) << turned;
        EXPECT_NEAR(sheet.positions.row(2).maxCoeff(), kThickness / 2, 1e-12);
        EXPECT_NEAR(sheet.positions.row(2).minCoeff(), -kThickness / 2, 1e-12);
        EXPECT_EQ(sheet.vertexCount(), 2 * surface.vertexCount());
    }
}

// What closes a T-junction has next to no area, and a normal that is rounding.
TEST(SheetSurface, OfTrianglesWithoutAreaIsNoThicker) {
    for (const double rounding : {0.0, 1e-9, -1e-8}) {
        SurfaceMesh surface;
        surface.positions.resize(3, 5);
        surface.positions << 0, 1, 1, 0, 0.5, 0, 0, 1, 1, 0, 0, 0, 0, 0, rounding;
        surface.triangles.resize(3, 4);
        surface.triangles << 0, 0, 4, 0, 1, 2, 1, 4, 2, 3, 2, 1;
        surface.triangles.col(0) << 0, 1, 2;
        surface.triangles.col(1) << 0, 2, 3;
        surface.triangles.col(2) << 0, 4, 1;
        surface.triangles.conservativeResize(3, 3);
        surface.materials.resize(1);
        const SurfaceMesh sheet = sheetSurface(surface, kThickness);
        EXPECT_TRUE(isClosed(sheet));
        EXPECT_LT(sheet.positions.row(2).cwiseAbs().maxCoeff(), 0.51 * kThickness) << rounding;
        EXPECT_GT(sheet.positions.row(1).minCoeff(), -1e-6) << rounding << ": nothing moves sideways";
    }
}

TEST(SheetSurface, KeepsItsThicknessInCreases) {
    // Two faces at a right angle; the outer and the inner square of the crease cancel.
    const SurfaceMesh surface = grid(2, 1, [](double x, double y) {
        return x < 0.75 ? Vector3(std::min(2.0 * x, 1.0), y, 0.0) : Vector3(1.0, y, 1.0);
    });
    EXPECT_NEAR(volumeOf(sheetSurface(surface, kThickness)), 2.0 * kThickness, 1e-12);
}

TEST(SheetSurface, OfAMoebiusStripAndOfThreeFacesOnAnEdgeIsClosed) {
    const SurfaceMesh strip = grid(60, 2, [](double s, double w) {
        const double a = 2.0 * kPi * s, r = 1.0 + 0.2 * (w - 0.5) * std::cos(a / 2.0);
        return Vector3(r * std::cos(a), r * std::sin(a), 0.2 * (w - 0.5) * std::sin(a / 2.0));
    });
    EXPECT_TRUE(isClosed(sheetSurface(strip, kThickness)));
    SurfaceMesh book;
    book.positions.resize(3, 5);
    book.positions << 0, 0, 1, -1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1;
    book.triangles.resize(3, 3);
    book.triangles << 0, 0, 0, 1, 1, 1, 2, 3, 4;
    book.materials.resize(1);
    EXPECT_NEAR(volumeOf(sheetSurface(book, kThickness)), 1.5 * kThickness, 1e-12) << "three leaves of a half each";
}

// Of triangle soup: two of three leaves of an edge lie in one plane, on one side of it, so that their rims coincide.
TEST(SheetSurface, OfLeavesThatOverlapHasADistanceField) {
    SurfaceMesh book;
    book.positions.resize(3, 5);
    book.positions << 0, 0, 1, 0.5, 0, 0, 1, 0, 0.2, 0, 0, 0, 0, 0, 1;
    book.triangles.resize(3, 3);
    book.triangles << 0, 0, 0, 1, 1, 1, 2, 3, 4;
    book.materials.resize(1);
    const DistanceField field = makeDistanceField(sheetSurface(book, kThickness));
    EXPECT_LT(fieldDistance(field, Vector3(0.3, 0.3, 0.0)), 0.0);
    EXPECT_LT(fieldDistance(field, Vector3(0.0, 0.3, 0.3)), 0.0);
    EXPECT_GT(fieldDistance(field, Vector3(0.3, 0.3, 0.03)), 0.0);
}

TEST(SheetSurface, OpenSharesTellSheetsFromTubes) {
    EXPECT_NEAR(openShare(square()), 1.0, 1e-12);
    const auto tube = [](double length) {
        return grid(64, 4, [length](double s, double w) {
            return Vector3(0.1 * std::cos(2 * kPi * s), 0.1 * std::sin(2 * kPi * s), length * w);
        });
    };
    EXPECT_NEAR(openShare(tube(10.0)), 0.01, 1e-3) << "2 pi R^2 of 2 pi R L";
    EXPECT_NEAR(openShare(tube(0.1)), 1.0, 1e-2);
    const SurfaceMesh bowl = grid(64, 32, [](double s, double w) {
        const double up = 0.5 * kPi * (0.999 * w - 1.0);
        return Vector3(std::cos(up) * std::cos(2 * kPi * s), std::cos(up) * std::sin(2 * kPi * s), std::sin(up));
    });
    EXPECT_NEAR(openShare(bowl), 0.5, 1e-2);
    EXPECT_NEAR(volumeOf(sheetSurface(bowl, kThickness)), 2 * kPi * kThickness, 0.01 * 2 * kPi * kThickness);
}

TEST(SheetSurface, AClosedSurfaceIsMovedOutWhicheverWayItFaces) {
    SurfaceMesh plate = sheetSurface(square(), kThickness);
    EXPECT_NEAR(wallOf(plate), kThickness / (1.0 + 2.0 * kThickness), 1e-12) << "2 V / A, rims included";
    for (int facing = 0; facing < 2; ++facing) {
        const SurfaceMesh thicker = thickenedSurface(plate, 0.02);
        EXPECT_NEAR(volumeOf(thicker), 1.04 * 1.04 * (kThickness + 0.04), 1e-12);
        EXPECT_NEAR(thicker.positions.row(2).maxCoeff(), kThickness / 2 + 0.02, 1e-12);
        plate.triangles.row(1).swap(plate.triangles.row(2));
    }
}

}  // namespace
}  // namespace pliant::test
