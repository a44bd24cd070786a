// SPDX-License-Identifier: Zlib
// Axes along which thin bodies are cut into bricks.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "pliant/mesh/voxels/ThinBodyAxes.h"
#include "unit/mesh/ClosedMeshes.h"

namespace pliant {
namespace {

SurfaceMesh turnedBox(const Vector3& sides, const Matrix3& turn) {
    SurfaceMesh surface = test::box(Vector3::Zero(), sides);
    surface.positions = (turn * surface.positions).eval().colwise() + Vector3(3.0, -2.0, 1.0);
    return surface;
}

const Matrix3 kTurn = Eigen::AngleAxisd(0.5, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();

TEST(ThinBodyAxes, AreThoseOfPlatesAndRodsAtAnAngle) {
    for (const Vector3& sides : {Vector3(0.4, 0.3, 0.004), Vector3(0.3, 0.3, 0.001), Vector3(0.02, 1.0, 0.02),
                                 Vector3(1.0, 0.05, 0.002), Vector3(0.4, 0.3, 0.0)}) {
        const Matrix3 axes = thinBodyAxes(turnedBox(sides, kTurn));
        EXPECT_TRUE(axes.isApprox(kTurn, 1e-9)) << sides.transpose() << "\n" << axes;
        EXPECT_NEAR(axes.determinant(), 1.0, 1e-12);
    }
}

TEST(ThinBodyAxes, AreTheMeshsOwnOfEverythingElse) {
    EXPECT_EQ(thinBodyAxes(turnedBox(Vector3(0.4, 0.3, 0.004), Matrix3::Identity())), Matrix3(Matrix3::Identity()));
    EXPECT_EQ(thinBodyAxes(turnedBox(Vector3(0.4, 0.3, 0.05), kTurn)), Matrix3(Matrix3::Identity()));  // a board
    EXPECT_EQ(thinBodyAxes(test::spring()), Matrix3(Matrix3::Identity()));
}

// A disc has no sides: its own box is no smaller than that along the mesh's axes, unless it stands at an angle.
TEST(ThinBodyAxes, OfDiscsAreThoseOfTheirPlane) {
    SurfaceMesh disc;
    constexpr int corners = 60;
    disc.positions.setZero(3, corners + 1);
    disc.triangles.resize(3, corners);
    for (int i = 0; i < corners; ++i) {
        const double angle = 2.0 * 3.14159265358979 * i / corners;
        disc.positions.col(i + 1) << std::cos(angle), std::sin(angle), 0.0;
        disc.triangles.col(i) << 0, i + 1, (i + 1) % corners + 1;
    }
    EXPECT_EQ(thinBodyAxes(disc), Matrix3(Matrix3::Identity()));
    disc.positions = (kTurn * disc.positions).eval();
    EXPECT_TRUE(thinBodyAxes(disc).col(2).isApprox(kTurn.col(2), 1e-9));
}

}  // namespace
}  // namespace pliant
