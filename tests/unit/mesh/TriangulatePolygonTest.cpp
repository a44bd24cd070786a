// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <chrono>
#include <cmath>

#include "pliant/mesh/TriangulatePolygon.h"

namespace {

using pliant::Points;
using pliant::Vector3;

/// Twice the triangles' areas along n; also the smallest single one.
struct Areas {
    double sum = 0.0, smallest = 1e300;
};
Areas areas(const Points& x, const Vector3& n) {
    Areas result;
    for (const auto& t : pliant::triangulatePolygon(x)) {
        const double a = Vector3(x.col(t[1]) - x.col(t[0])).cross(Vector3(x.col(t[2]) - x.col(t[0]))).dot(n);
        result.sum += a;
        result.smallest = std::min(result.smallest, a);
    }
    return result;
}

TEST(TriangulatePolygon, QuadIsCutAlongTheShorterDiagonal) {
    Points kite(3, 4);
    kite << 0, 1, 0, -1, -3, 0, 3, 0, 0, 0, 0, 0;
    const auto triangles = pliant::triangulatePolygon(kite);
    ASSERT_EQ(triangles.size(), 2U);
    EXPECT_EQ(triangles[0], (std::array<int, 3>{0, 1, 3}));
    EXPECT_EQ(triangles[1], (std::array<int, 3>{1, 2, 3}));
}

TEST(TriangulatePolygon, ConcaveQuadFromEveryStart) {
    for (int start = 0; start < 4; ++start) {
        Points dart(3, 4), base(3, 4);
        base << 0, 2, 0, 0.5, 0, 0.5, 2, 0.5, 1, 1, 1, 1;
        for (int i = 0; i < 4; ++i) dart.col(i) = base.col((start + i) % 4);
        const Areas a = areas(dart, Vector3::UnitZ());
        EXPECT_GT(a.smallest, 0.0) << start;
        EXPECT_NEAR(a.sum, 2.0 * (2.0 - 0.5), 1e-14) << start;
    }
}

// A comb of eleven corners, turned in space and far from the origin: every triangle must turn the polygon's way and
// they must fill it exactly.
TEST(TriangulatePolygon, ConcavePolygonInSpace) {
    Points comb(3, 11);
    comb.row(0) << 0, 7, 7, 6, 5, 4, 3, 2, 1, 0.5, 0;
    comb.row(1) << 0, 0, 4, 1, 4, 1, 4, 1, 4, 1, 4;
    comb.row(2).setZero();
    double area = 0.0;  // shoelace, twice
    for (int i = 0; i < 11; ++i) {
        const int j = (i + 1) % 11;
        area += comb(0, i) * comb(1, j) - comb(0, j) * comb(1, i);
    }
    ASSERT_GT(area, 0.0);
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.1, Vector3(1, 2, -1).normalized()).toRotationMatrix();
    for (int start = 0; start < 11; ++start) {
        Points moved(3, 11);
        for (int i = 0; i < 11; ++i) moved.col(i) = turn * comb.col((start + i) % 11) + Vector3(100, -50, 20);
        const Areas a = areas(moved, turn.col(2));
        EXPECT_GT(a.smallest, 0.0) << start;
        EXPECT_NEAR(a.sum, area, 1e-10) << start;
        EXPECT_EQ(pliant::triangulatePolygon(moved).size(), 9U);
    }
}

TEST(TriangulatePolygon, DegenerateRingsStillGiveTheirTriangles) {
    EXPECT_EQ(pliant::triangulatePolygon(Points::Zero(3, 6)).size(), 4U);
    Points line = Points::Zero(3, 5);
    line.row(0) << 0, 1, 2, 3, 4;
    EXPECT_EQ(pliant::triangulatePolygon(line).size(), 3U);
}

// Each ear was looked for from the first corner on: a minute and more.
TEST(TriangulatePolygon, ALongLineThatCrossesItselfIsCutInSeconds) {
    constexpr int count = 12000;
    Points tangle(3, count);
    for (int i = 0; i < count; ++i) tangle.col(i) << i % 97, static_cast<long>(i) * i % 89, 0;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(pliant::triangulatePolygon(tangle).size(), static_cast<std::size_t>(count - 2));
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    EXPECT_LT(taken.count(), 20.0);
}

}  // namespace
