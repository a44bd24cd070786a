// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "InputMeshes.h"
#include "pliant/fem/FullModel.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/model/SurfaceFollowsMesh.h"

namespace {

using namespace pliant;

/// Body frame turned and moved; the basis (one column) is the field u(X) at the vertices, in mesh axes.
ReducedModel followed(const VolumeMesh& mesh, const SurfaceMesh& surface, const MatrixX& meshBasis) {
    ReducedModel model;
    model.mesh = mesh;
    model.meshFromBody.rotation = Eigen::AngleAxisd(0.8, Vector3(2.0, 1.0, -1.0).normalized()).toRotationMatrix();
    model.meshFromBody.translation = Vector3(0.3, -0.2, 0.1);
    model.basis.resize(meshBasis.rows(), 1);
    for (Eigen::Index row = 0; row < meshBasis.rows(); row += 3)
        model.basis.middleRows<3>(row) = model.meshFromBody.rotation.transpose() * meshBasis.middleRows<3>(row);
    followMesh(surface, meshBasis, model);
    return model;
}

void expectNormalsFollow(const VolumeMesh& mesh) {
    Matrix3 B;
    B << 0.2, 0.5, -0.3, 0.1, -0.4, 0.6, 0.7, -0.2, 0.3;
    MatrixX U(3 * mesh.vertexCount(), 1);
    U.col(0) = linearField(mesh, B);
    const SurfaceMesh surface = boundarySurface(mesh);
    const ReducedModel model = followed(mesh, surface, U);
    const Matrix3& R = model.meshFromBody.rotation;
    const double h = 1e-6;
    for (int s = 0; s < surface.vertexCount(); ++s) {
        const Vector3 N = surface.normals.col(s);
        const Vector3 deformed = (Matrix3::Identity() + h * B).inverse().transpose() * N;
        const Vector3 expected = R.transpose() * (deformed.normalized() - N) / h;
        // First order of normalise(N + dN q) along dN.
        const Vector3 n = R.transpose() * N;
        const Vector3 dN = model.surfaceNormalBasis.block<3, 1>(3 * s, 0).cast<double>();
        EXPECT_LT((dN - n * n.dot(dN) - expected).norm(), 1e-5) << s;
        EXPECT_LT((model.surface.normals.col(s) - n).norm(), 1e-12);
        const Vector3 moved = R.transpose() * (B * surface.positions.col(s));
        EXPECT_LT((model.surfaceBasis.block<3, 1>(3 * s, 0).cast<double>() - moved).norm(), 1e-6);
        EXPECT_LT((model.meshFromBody.point(model.surface.positions.col(s)) - surface.positions.col(s)).norm(), 1e-12);
    }
}

TEST(SurfaceFollowsMesh, NormalsOfBricksFollowToFirstOrder) {
    expectNormalsFollow(test::lopsidedBricks());
}

TEST(SurfaceFollowsMesh, NormalsOfTetrahedraFollowToFirstOrder) {
    expectNormalsFollow(test::tetrahedra(test::lopsidedBricks()));
}

// u = (x z, 0, 0): inside a brick the gradient varies; at z it is z e_x e_x' + x e_x e_z'.
TEST(SurfaceFollowsMesh, NormalsInsideABrickSeeTheLocalGradient) {
    const VolumeMesh mesh = test::bricks(1, 1, 1, Vector3(0.5, 0.4, 0.3), [](int, int, int) { return true; });
    MatrixX U = MatrixX::Zero(24, 1);
    for (int v = 0; v < 8; ++v) U(3 * v, 0) = mesh.positions(0, v) * mesh.positions(2, v);
    SurfaceMesh surface;
    surface.positions = Vector3(0.2, 0.1, 0.25);
    surface.normals = Vector3(0.6, 0.0, 0.8);
    const ReducedModel model = followed(mesh, surface, U);
    const Vector3 expected(-0.25 * 0.6, 0.0, -0.2 * 0.6);  // -(grad u)' N
    const Vector3 dN = model.meshFromBody.rotation * model.surfaceNormalBasis.cast<double>();
    EXPECT_LT((dN - expected).norm(), 1e-7);
}

}  // namespace
