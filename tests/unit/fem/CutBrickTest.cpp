// SPDX-License-Identifier: Zlib
// Bricks with material in a part of them: what bends, turns and moves there, against formulae.
#include <functional>

#include "pliant/fem/FullModel.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

constexpr double cutShare = 0.2;

/// One brick of 0.3 x 0.2 x 0.1 m from the origin, with a fifth of its volume in a box, in metres.
VolumeMesh boxedBrick(const Vector3& lower, const Vector3& upper) {
    VolumeMesh mesh = test::beamMesh({1, 1, 1, 0.3, 0.2, 0.1, ElementKind::Brick});
    const Vector3 sides(0.3, 0.2, 0.1);
    const Vector3 origin = mesh.positions.rowwise().minCoeff();
    mesh.positions.colwise() -= origin;
    mesh.elementShare = VectorX::Constant(1, cutShare);
    mesh.filledBoxes.resize(6, 1);
    mesh.filledBoxes << lower.cwiseQuotient(sides), upper.cwiseQuotient(sides);
    return mesh;
}

VectorX fieldOf(const VolumeMesh& mesh, const std::function<Vector3(const Vector3&)>& field) {
    VectorX u(3 * mesh.vertexCount());
    for (int v = 0; v < mesh.vertexCount(); ++v) u.segment<3>(3 * v) = field(mesh.positions.col(v));
    return u;
}

const Vector3 wallLower(0.02, 0.01, 0.05), wallUpper(0.14, 0.17, 0.07);  // off the middle along all axes
constexpr double brickVolume = 0.006;

// A wall that is bent along x, across y and to and fro (twisted) about its own middle, wherever in the brick it is.
TEST(CutBricks, WallsBendAndTwistAboutTheirOwnMiddle) {
    const VolumeMesh mesh = boxedBrick(wallLower, wallUpper);
    const FullModel model(mesh);
    const double E = mesh.materials[0].youngsModulus, nu = mesh.materials[0].poissonRatio, curvature = 1e-5;
    const Vector3 middle(0.15, 0.1, 0.06);  // of the brick along the wall, of the wall across
    const double second = cutShare * brickVolume * 0.02 * 0.02 / 12.0;
    const auto energy = [&](const std::function<Vector3(const Vector3&)>& field) {
        return model.energy(fieldOf(mesh, [&](const Vector3& x) { return Vector3(curvature * field(x - middle)); })) /
               (curvature * curvature * second);
    };
    // Lines stay straight along a trilinear brick: the deflection of the bend is the same at all of its corners.
    const double along = energy([](const Vector3& x) { return Vector3(x[0] * x[2], 0.0, 0.0); });
    EXPECT_NEAR(along / (0.5 * E / (1.0 - nu * nu)), 1.0, 1e-4);
    const double across = energy([](const Vector3& x) { return Vector3(0.0, x[1] * x[2], 0.0); });
    EXPECT_NEAR(across / (0.5 * E / (1.0 - nu * nu)), 1.0, 1e-4);
    const double both = energy([](const Vector3& x) { return Vector3(x[0] * x[2], x[1] * x[2], 0.0); });
    EXPECT_NEAR(both / (E / (1.0 - nu)), 1.0, 1e-4);
    const double twist = energy([](const Vector3& x) { return Vector3(-x[1] * x[2], -x[0] * x[2], x[0] * x[1]); });
    EXPECT_NEAR(twist / (0.5 * 4.0 * 0.5 * E / (1.0 + nu)), 1.0, 1e-4);
}

TEST(CutBricks, ConstantStrainHasItsWholeEnergyAndRotationsHaveNone) {
    const VolumeMesh mesh = boxedBrick(wallLower, wallUpper);
    const FullModel model(mesh);
    Matrix3 B;
    B << 0.1, 0.03, -0.02, 0.05, -0.04, 0.01, 0.0, 0.02, 0.06;
    const auto linear = [&](const Matrix3& slope) {
        return fieldOf(mesh, [&](const Vector3& x) { return Vector3(slope * x + Vector3(0.1, 0.2, 0.3)); });
    };
    const Matrix3 strain = 0.5 * (B + B.transpose() + B.transpose() * B);
    const ElasticMaterial& material = mesh.materials[0];
    const double density =
        0.5 * material.lameLambda() * strain.trace() * strain.trace() + material.lameMu() * strain.squaredNorm();
    EXPECT_NEAR(model.energy(linear(B)) / (density * cutShare * brickVolume), 1.0, 1e-12);
    const Matrix3 Q = Eigen::AngleAxisd(1.1, Vector3(1, 2, 3).normalized()).toRotationMatrix();
    const VectorX turned = linear(Q - Matrix3::Identity());
    EXPECT_LT(model.energy(turned), 1e-25 * material.youngsModulus);
    EXPECT_LT(model.internalForce(turned).norm(), 1e-13 * material.youngsModulus);
}

TEST(CutBricks, MassIsWhereTheMaterialIs) {
    const VolumeMesh mesh = boxedBrick(wallLower, wallUpper);
    const FullModel model(mesh);
    const double mass = mesh.materials[0].density * cutShare * brickVolume;
    const VectorX one = fieldOf(mesh, [](const Vector3&) { return Vector3(1, 0, 0); });
    EXPECT_NEAR(one.dot(model.massMatrix() * one) / mass, 1.0, 1e-13);
    for (int axis = 0; axis < 3; ++axis) {
        const VectorX x = fieldOf(mesh, [&](const Vector3& place) { return Vector3(place[axis], 0, 0); });
        const double a = wallLower[axis], b = wallUpper[axis];
        EXPECT_NEAR(one.dot(model.massMatrix() * x) / (mass * (a + b) / 2.0), 1.0, 1e-12) << axis;
        EXPECT_NEAR(x.dot(model.massMatrix() * x) / (mass * (a * a + a * b + b * b) / 3.0), 1.0, 1e-12) << axis;
    }
}

}  // namespace
}  // namespace pliant
