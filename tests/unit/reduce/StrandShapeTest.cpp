// SPDX-License-Identifier: Zlib
// Prisms of n sides, whose edges and angles are known.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "pliant/reduce/StrandShape.h"

namespace {

using namespace pliant;

constexpr double kHalfCircle = 3.14159265358979323846;

struct Prism {
    int sides;
    double radius, length;  // m, from the axis to an edge

    double apothem() const { return radius * std::cos(kHalfCircle / sides); }
    double side() const { return 2.0 * radius * std::sin(kHalfCircle / sides); }
    double area() const { return sides * side() * (length + apothem()); }
};

/// Along x, with its middle at `centre`, closed by fans.
void add(const Prism& prism, const Vector3& centre, SurfaceMesh& mesh) {
    const int first = static_cast<int>(mesh.positions.cols()), n = prism.sides;
    const Eigen::Index triangles = mesh.triangles.cols();
    mesh.positions.conservativeResize(3, first + 2 * n + 2);
    mesh.triangles.conservativeResize(3, triangles + 4 * n);
    for (int end = 0; end < 2; ++end) {
        const double x = (end - 0.5) * prism.length;
        mesh.positions.col(first + 2 * n + end) = centre + Vector3(x, 0.0, 0.0);
        for (int i = 0; i < n; ++i) {
            const double angle = 2.0 * kHalfCircle * i / n;
            mesh.positions.col(first + end * n + i) =
                centre + Vector3(x, prism.radius * std::cos(angle), prism.radius * std::sin(angle));
        }
    }
    for (int i = 0; i < n; ++i) {
        const int j = (i + 1) % n;
        mesh.triangles.col(triangles + 4 * i) << first + i, first + j, first + n + j;
        mesh.triangles.col(triangles + 4 * i + 1) << first + i, first + n + j, first + n + i;
        mesh.triangles.col(triangles + 4 * i + 2) << first + 2 * n, first + j, first + i;
        mesh.triangles.col(triangles + 4 * i + 3) << first + 2 * n + 1, first + n + i, first + n + j;
    }
}

SurfaceMesh meshOf(const Prism& prism) {
    SurfaceMesh mesh;
    add(prism, Vector3(0.3, -0.2, 0.1), mesh);
    return mesh;
}

TEST(StrandShape, TurningIsThatOfThePrism) {
    for (int n : {3, 4, 5, 6, 8, 24}) {
        const Prism prism{n, 0.02, 1.0};
        const double ends = 2.0 * n * prism.side() * kHalfCircle / 2.0, along = 2.0 * kHalfCircle * prism.length;
        EXPECT_NEAR(sharpShare(meshOf(prism)), n < 5 ? 1.0 : ends / (ends + along), 1e-12) << n;
    }
}

TEST(StrandShape, AnInsideOutSurfaceTurnsAsMuch) {
    SurfaceMesh mesh = meshOf({4, 0.02, 1.0});
    add({24, 0.02, 1.0}, Vector3(0.0, 0.5, 0.0), mesh);
    const double outwards = sharpShare(mesh);
    mesh.triangles.row(0).swap(mesh.triangles.row(1));
    EXPECT_NEAR(sharpShare(mesh), outwards, 1e-12);
    EXPECT_GT(outwards, 0.4);
    EXPECT_LT(outwards, 0.6);
}

TEST(StrandShape, ConcaveEdgesDoNotTurn) {
    // A box with a groove along its upper face: the bottom of the groove is a shallow edge and the only concave one.
    const double outline[5][2] = {{0, 0}, {2, 0}, {2, 2}, {1, 1.8}, {0, 2}};
    SurfaceMesh mesh;
    mesh.positions.resize(3, 10);
    mesh.triangles.resize(3, 16);
    for (int i = 0; i < 5; ++i)
        for (int end = 0; end < 2; ++end) mesh.positions.col(5 * end + i) << outline[i][0], outline[i][1], 3.0 * end;
    int t = 0;
    for (int i = 0; i < 5; ++i) {
        const int j = (i + 1) % 5;
        mesh.triangles.col(t++) << i, j, 5 + j;
        mesh.triangles.col(t++) << i, 5 + j, 5 + i;
    }
    for (const auto& [a, b, c] : {std::tuple(3, 4, 0), std::tuple(3, 0, 1), std::tuple(3, 1, 2)}) {
        mesh.triangles.col(t++) << a, c, b;
        mesh.triangles.col(t++) << 5 + a, 5 + b, 5 + c;
    }
    EXPECT_NEAR(sharpShare(mesh), 1.0, 1e-12);
}

TEST(StrandShape, RoundBarsAreStrandsAndSquareOnesAreNot) {
    for (int n : {4, 5, 6, 8, 24}) {
        const Prism prism{n, 0.05, 2.0};
        EXPECT_EQ(isMadeOfStrands(meshOf(prism), prism.apothem(), prism.area()), n > 4) << n;
    }
}

TEST(StrandShape, WovenSquareBarsAreStrands) {
    SurfaceMesh mesh;
    const Prism prism{4, 0.005, 0.5};
    for (int i = 0; i < 20; ++i) add(prism, Vector3(0.0, 0.025 * i, 0.0), mesh);
    EXPECT_TRUE(isMadeOfStrands(mesh, prism.apothem(), 20.0 * prism.area()));
    EXPECT_TRUE(isWoven(mesh, prism.apothem()));
    EXPECT_FALSE(isWoven(meshOf(prism), prism.apothem()));
}

TEST(StrandShape, BlocksAndPlatesAreNone) {
    const Prism block{24, 0.5, 1.0};
    EXPECT_FALSE(isMadeOfStrands(meshOf(block), block.apothem(), block.area()));
    const Prism disc{24, 0.5, 0.01};
    EXPECT_FALSE(isMadeOfStrands(meshOf(disc), 0.005, disc.area()));
    const Prism log{24, 0.1, 1.0};
    EXPECT_FALSE(isMadeOfStrands(meshOf(log), log.apothem(), log.area())) << "a tenth as thick as long";
    EXPECT_FALSE(isMadeOfStrands(SurfaceMesh(), 0.01, 1.0)) << "it has no inside";
}

}  // namespace
