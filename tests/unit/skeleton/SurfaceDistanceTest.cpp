// SPDX-License-Identifier: Zlib
// The search for the nearest point of a surface against looking at every triangle, and a triangle's nearest point
// against sampling it.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant::test {
namespace {

class SurfaceDistanceTest : public ::testing::Test {
protected:
    double number(double least, double most) { return std::uniform_real_distribution<double>(least, most)(m_random); }
    Vector3 place(double reach) { return {number(-reach, reach), number(-reach, reach), number(-reach, reach)}; }

    std::mt19937 m_random{7};
};

/// Height of a triangle over its longest edge, in lengths of that.
double flatness(const Vector3& a, const Vector3& b, const Vector3& c) {
    const double longest2 = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return (b - a).cross(c - a).norm() / longest2;
}

/// What rounding leaves of a distance of about 1: the normal turns by 1e-16 over the flatness, and where it is not used
/// (below 1e-9 here) half of the height is left out.
double rounding(double flatness) {
    return flatness < 1e-9 ? 1e-9 : 1e-12 + std::min(1e-9, 1e-15 / flatness);
}

/// A triangle's distance from x by the plane, the edges and the corners, in long double.
double exactDistance(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& x) {
    using Long = Eigen::Matrix<long double, 3, 1>;
    const Long p[3] = {a.cast<long double>(), b.cast<long double>(), c.cast<long double>()}, y = x.cast<long double>();
    const Long n = (p[1] - p[0]).cross(p[2] - p[0]);
    bool over = flatness(a, b, c) > 1e-9;
    long double least = std::numeric_limits<long double>::infinity();
    for (int k = 0; k < 3; ++k) {
        const Long from = p[k], e = p[(k + 1) % 3] - from;
        over = over && n.dot(e.cross(y - from)) >= 0;
        const long double length2 = e.squaredNorm();
        const long double share = length2 > 0 ? std::clamp(e.dot(y - from) / length2, 0.0L, 1.0L) : 0.0L;
        least = std::min(least, (from + share * e - y).norm());
    }
    if (over) least = std::abs(n.dot(y - p[0])) / n.norm();
    return static_cast<double>(least);
}

TEST_F(SurfaceDistanceTest, OfATriangleIsThatOfItsPlaneEdgesAndCorners) {
    for (int k = 0; k < 20000; ++k) {
        const Vector3 a = place(1), b = place(1), x = place(2);
        Vector3 c = place(1);
        if (k % 4 == 1) c = a + number(-0.5, 1.5) * (b - a) + std::pow(10.0, number(-15, -1)) * place(1);  // a needle
        if (k % 4 == 2) c = b;                                                                             // a line
        const Vector3 nearest = nearestOnTriangle(a, b, c, x);
        const double tolerance = 4 * rounding(flatness(a, b, c));  // for lengths up to 4
        EXPECT_NEAR((nearest - x).norm(), exactDistance(a, b, c, x), tolerance) << k;
        EXPECT_NEAR(exactDistance(a, b, c, nearest), 0.0, tolerance) << k;
    }
}

// Random triangles, needles and lines among them, open at every edge: no neighbour makes up for one that was passed
// over.
TEST_F(SurfaceDistanceTest, IsTheLeastOfAllTriangles) {
    constexpr int kTriangles = 300;
    Points points(3, 3 * kTriangles);
    Triangles triangles(3, kTriangles);
    for (int t = 0; t < kTriangles; ++t) {
        const Vector3 at = place(2), side = 0.3 * place(1);
        points.col(3 * t) = at;
        points.col(3 * t + 1) = at + side;
        points.col(3 * t + 2) = at + (t % 3 == 0   ? Vector3(0.3 * place(1))
                                      : t % 3 == 1 ? Vector3(number(0, 1) * side + 1e-12 * place(1))
                                                   : Vector3(0.5 * side));
        triangles.col(t) << 3 * t, 3 * t + 1, 3 * t + 2;
    }
    const SurfaceDistance surface(points, triangles);
    for (int k = 0; k < 3000; ++k) {
        const Vector3 x = place(3);
        double least = std::numeric_limits<double>::infinity();
        for (const auto& t : triangles.colwise())
            least = std::min(least, exactDistance(points.col(t[0]), points.col(t[1]), points.col(t[2]), x));
        EXPECT_NEAR((surface.nearest(x) - x).norm(), least, 1e-12);
        EXPECT_NEAR(std::sqrt(surface.squaredDistance(x, std::numeric_limits<double>::max())), least, 1e-12);
        const double limit = 0.9 * least;
        EXPECT_EQ(surface.squaredDistance(x, limit * limit), limit * limit) << "nothing is nearer than the limit";
    }
}

// A fine sphere, where most triangles are passed over by their planes.
TEST_F(SurfaceDistanceTest, OfASphereIsThatOfItsFacets) {
    constexpr int kRings = 24, kSides = 48;
    Points points(3, (kRings + 1) * kSides);
    Triangles triangles(3, 2 * kRings * kSides);
    for (int i = 0; i <= kRings; ++i)
        for (int j = 0; j < kSides; ++j) {
            const double t = M_PI * i / kRings, p = 2 * M_PI * j / kSides;
            points.col(i * kSides + j) << std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t);
        }
    for (int i = 0, k = 0; i < kRings; ++i)
        for (int j = 0; j < kSides; ++j) {
            const int a = i * kSides + j, b = i * kSides + (j + 1) % kSides;
            triangles.col(k++) << a, b, b + kSides;
            triangles.col(k++) << a, b + kSides, a + kSides;
        }
    const SurfaceDistance surface(points, triangles);
    for (int k = 0; k < 2000; ++k) {
        const Vector3 x = place(1.5);
        double least = std::numeric_limits<double>::infinity();
        for (const auto& t : triangles.colwise())
            least = std::min(least, exactDistance(points.col(t[0]), points.col(t[1]), points.col(t[2]), x));
        EXPECT_NEAR((surface.nearest(x) - x).norm(), least, 1e-12);
    }
}

}  // namespace
}  // namespace pliant::test
