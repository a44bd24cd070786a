// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "pliant/mesh/voxels/TriangleBoxTest.h"

namespace {

using pliant::TriangleBoxTest;
using pliant::Vector3;

/// Another way to the answer: clips the triangle against the six sides of the unit cube at the origin; what is left
/// has corners when they touch.
bool touchesByClipping(const std::array<Vector3, 3>& corners) {
    std::vector<Vector3> polygon(corners.begin(), corners.end());
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            std::vector<Vector3> kept;
            for (std::size_t i = 0; i < polygon.size(); ++i) {
                const Vector3 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
                const double da = 0.5 - side * a[axis], db = 0.5 - side * b[axis];
                if (da >= 0.0) kept.push_back(a);
                if ((da > 0.0 && db < 0.0) || (da < 0.0 && db > 0.0)) kept.push_back(a + da / (da - db) * (b - a));
            }
            polygon = kept;
        }
    return !polygon.empty();
}

TEST(TriangleBoxTest, AgreesWithClippingOnRandomTriangles) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> uniform(-1.6, 1.6);
    int touching = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        std::array<Vector3, 3> x;
        for (Vector3& corner : x) corner = Vector3(uniform(engine), uniform(engine), uniform(engine));
        const bool expected = touchesByClipping(x);
        touching += expected ? 1 : 0;
        ASSERT_EQ(TriangleBoxTest(x).touches(Vector3::Zero()), expected) << trial;
    }
    EXPECT_GT(touching, 5000);
    EXPECT_LT(touching, 19000);
}

TEST(TriangleBoxTest, BoundingBoxesOverlapButTheTriangleMissesTheCorner) {
    const std::array<Vector3, 3> x{Vector3(1.2, 0.4, 0), Vector3(0.4, 1.2, 0), Vector3(1.2, 1.2, 0)};
    EXPECT_FALSE(TriangleBoxTest(x).touches(Vector3::Zero()));
    EXPECT_TRUE(TriangleBoxTest(x).touches(Vector3(0.5, 0.5, 0)));
}

TEST(TriangleBoxTest, TouchingFromOutsideCountsAndDegenerateTrianglesAreSegments) {
    const std::array<Vector3, 3> face{Vector3(0.5, -1, -1), Vector3(0.5, 1, -1), Vector3(0.5, 0, 1)};
    EXPECT_TRUE(TriangleBoxTest(face).touches(Vector3::Zero()));
    EXPECT_TRUE(TriangleBoxTest(face).touches(Vector3(1, 0, 0)));
    EXPECT_FALSE(TriangleBoxTest(face).touches(Vector3(1 + 1e-6, 0, 0)));
    const Vector3 a(1.2, 0.1, 0), b(0.1, 1.2, 0);  // passes the corner (1/2, 1/2)
    EXPECT_FALSE(TriangleBoxTest({a, b, b}).touches(Vector3::Zero()));
    EXPECT_TRUE(TriangleBoxTest({a, b, b}).touches(Vector3(0.2, 0.2, 0)));
    EXPECT_TRUE(TriangleBoxTest({a, a, a}).touches(Vector3(1, 0, 0)));
    EXPECT_FALSE(TriangleBoxTest({a, a, a}).touches(Vector3(0, 0, 0)));
}

}  // namespace
