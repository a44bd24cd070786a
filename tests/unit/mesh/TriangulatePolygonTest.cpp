// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

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

using Cut = std::vector<std::array<int, 3>>;

/// The same cut without any memory of what has been looked at: for each ear all corners from the first on, and for each
/// of these all others.
Cut cutBySearch(const Points& x) {
    Vector3 n = Vector3::Zero();
    for (Eigen::Index i = 1; i + 1 < x.cols(); ++i)
        n += Vector3(x.col(i) - x.col(0)).cross(Vector3(x.col(i + 1) - x.col(0)));
    const auto turn = [&](int a, int b, int c) {
        return Vector3(x.col(b) - x.col(a)).cross(Vector3(x.col(c) - x.col(a))).dot(n);
    };
    std::vector<int> ring(static_cast<std::size_t>(x.cols()));
    std::iota(ring.begin(), ring.end(), 0);
    const auto at = [&](std::size_t i) -> std::array<int, 3> {
        return {ring[(i + ring.size() - 1) % ring.size()], ring[i], ring[(i + 1) % ring.size()]};
    };
    const auto isEar = [&](const std::array<int, 3>& t) {
        return turn(t[0], t[1], t[2]) > 0.0 && std::none_of(ring.begin(), ring.end(), [&](int p) {
                   const bool isOwn = std::any_of(t.begin(), t.end(), [&](int c) { return x.col(c) == x.col(p); });
                   return !isOwn && turn(t[0], t[1], p) >= 0.0 && turn(t[1], t[2], p) >= 0.0 &&
                          turn(t[2], t[0], p) >= 0.0;
               });
    };
    Cut triangles;
    while (ring.size() > 3) {
        std::size_t ear = 0;
        while (ear < ring.size() && !isEar(at(ear))) ++ear;
        if (ear == ring.size()) ear = 1;
        triangles.push_back(at(ear));
        ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.push_back(at(1));
    return triangles;
}

// On a coarse grid corners coincide and lie in line; most of these polygons cross themselves.
TEST(TriangulatePolygon, RandomPolygonsAreCutAsBySearch) {
    std::mt19937 engine(7);
    for (int k = 0; k < 400; ++k) {
        const int count = 5 + static_cast<int>(engine() % 40);
        const unsigned wide = k % 2 == 0 ? 6U : 1000U;
        Points x(3, count);
        for (int i = 0; i < count; ++i) {
            const double radius = 1.0 + static_cast<int>(engine() % wide),
                         angle = 2.0 * 3.14159265358979323846 * i / count;
            if (k % 4 < 2)  // it crosses itself
                x.col(i) << static_cast<int>(engine() % wide), static_cast<int>(engine() % wide),
                    static_cast<int>(engine() % 2);
            else  // a star
                x.col(i) << radius * std::cos(angle), radius * std::sin(angle), 0.0;
        }
        ASSERT_EQ(pliant::triangulatePolygon(x), cutBySearch(x)) << k;
    }
}

double secondsOfCut(const Points& corners) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(pliant::triangulatePolygon(corners).size(), static_cast<std::size_t>(corners.cols() - 2));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A convex polygon takes one look at all corners for each ear, on any machine. Where each ear is looked for from the
// first corner on, the tangle takes 24 times as long.
TEST(TriangulatePolygon, ALongLineThatCrossesItselfTakesAsLongAsAConvexPolygon) {
    constexpr int count = 6000;
    Points tangle(3, count), convex(3, count);
    for (int i = 0; i < count; ++i) {
        const double angle = 2.0 * 3.14159265358979323846 * i / count;
        tangle.col(i) << i % 97, static_cast<double>(static_cast<long>(i) * i % 89), 0;
        convex.col(i) << std::cos(angle), std::sin(angle), 0;
    }
    const double ofConvex = std::min({secondsOfCut(convex), secondsOfCut(convex), secondsOfCut(convex)});
    const double ofTangle = std::min({secondsOfCut(tangle), secondsOfCut(tangle), secondsOfCut(tangle)});
    EXPECT_LT(ofTangle, 6.0 * ofConvex);
}

}  // namespace
