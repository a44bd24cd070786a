// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "InputMeshes.h"
#include "pliant/reduce/BodyFrame.h"
#include "pliant/reduce/MassIntegrals.h"

namespace {

using namespace pliant;

const Matrix3 turn = Eigen::AngleAxisd(0.4, Vector3(1.0, -2.0, 0.5).normalized()).toRotationMatrix();

bool everywhere(int, int, int) {
    return true;
}

// A homogeneous box: m / 12 (b^2 + c^2), centre of mass in the middle; bricks integrate that exactly.
TEST(BodyFrame, BoxMatchesMechanics) {
    VolumeMesh mesh = test::bricks(4, 3, 2, Vector3(0.1, 0.05, 0.2), everywhere);
    mesh.positions.colwise() += Vector3(3.0, -1.0, 0.5);
    const BodyFrame frame = bodyFrame(FullModel(mesh));
    const double a = 0.4, b = 0.15, c = 0.4, m = 1000.0 * a * b * c;
    EXPECT_NEAR(frame.mass, m, 1e-12 * m);
    EXPECT_LT((frame.meshFromBody.translation - Vector3(3.2, -0.925, 0.7)).norm(), 1e-12);
    const Vector3 expected = m / 12.0 * Vector3(b * b + c * c, a * a + c * c, a * a + b * b);
    EXPECT_LT((frame.principalInertia - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LT((frame.meshFromBody.rotation - Matrix3::Identity()).norm(), 1e-12) << "x and z moments repeat";
}

TEST(PrincipalAxes, AreRightHandedAndClosestToTheMesh) {
    for (const Vector3& moments : {Vector3(1.0, 2.0, 3.0), Vector3(3.0, 1.0, 2.0), Vector3(2.0, 3.0, 1.0)}) {
        const Matrix3 inertia = turn * moments.asDiagonal() * turn.transpose();
        const Matrix3 R = principalAxes(inertia);
        EXPECT_LT((R - turn).norm(), 1e-12) << R;  // turn is closer to the identity than any of its 23 relatives
        EXPECT_NEAR(R.determinant(), 1.0, 1e-12);
    }
}

TEST(PrincipalAxes, RepeatedMomentsTakeTheMeshAxes) {
    EXPECT_LT((principalAxes(2.0 * Matrix3::Identity()) - Matrix3::Identity()).norm(), 1e-12);
    for (const Vector3& moments : {Vector3(1.0, 1.0, 3.0), Vector3(3.0, 1.0, 1.0), Vector3(1.0, 3.0, 1.0)}) {
        const Matrix3 inertia = moments.asDiagonal();
        EXPECT_LT((principalAxes(inertia) - Matrix3::Identity()).norm(), 1e-12);
        const Matrix3 turned = turn * inertia * turn.transpose();
        const Matrix3 R = principalAxes(turned);
        EXPECT_LT((R * inertia * R.transpose() - turned).norm(), 1e-12) << "axes belong to their moments";
        EXPECT_NEAR(R.determinant(), 1.0, 1e-12);
        // Rounding noise, which picks the solver's vectors, does not move them.
        Matrix3 noise = turned;
        noise(0, 1) += 1e-15;
        noise(1, 0) += 1e-15;
        EXPECT_LT((principalAxes(noise) - R).norm(), 1e-9);
    }
}

// psi_0 = e_x, psi_1 = e_z x X, psi_2 = X: integrals of rigid motion and of scaling, known from mechanics.
TEST(MassIntegrals, RigidMotionAndScaling) {
    const FullModel model(test::bricks(4, 3, 2, Vector3(0.1, 0.05, 0.1), everywhere));
    const BodyFrame frame = bodyFrame(model);
    const Points X = model.mesh().positions.colwise() - frame.meshFromBody.translation;
    MatrixX U(X.size(), 3);
    for (Eigen::Index v = 0; v < X.cols(); ++v) {
        U.block<3, 1>(3 * v, 0) = Vector3::UnitX();
        U.block<3, 1>(3 * v, 1) = Vector3::UnitZ().cross(Vector3(X.col(v)));
        U.block<3, 1>(3 * v, 2) = X.col(v);
    }
    const InertiaIntegrals i = massIntegrals(model.massMatrix(), X, U);
    const double m = frame.mass, tiny = 1e-12 * m;
    const Vector3 second = m / 12.0 * Vector3(0.16, 0.0225, 0.04);  // int rho X_a^2
    EXPECT_LT((i.translation.col(0) - m * Vector3::UnitX()).norm(), tiny);
    EXPECT_LT(i.translation.rightCols<2>().norm(), tiny);
    EXPECT_LT((i.rotation.col(1) - frame.principalInertia.z() * Vector3::UnitZ()).norm(), tiny);
    EXPECT_LT(i.rotation.col(2).norm(), tiny);
    EXPECT_LT((i.first[2] - Matrix3(second.asDiagonal())).norm(), tiny);
    Matrix3 S12 = Matrix3::Zero();  // psi_1 psi_2' = (-y, x, 0)' (x, y, z)
    S12(0, 1) = -second.y();
    S12(1, 0) = second.x();
    EXPECT_LT((i.second[1 * 3 + 2] - S12).norm(), tiny);
    EXPECT_LT((i.second[2 * 3 + 1] - S12.transpose()).norm(), tiny);
    EXPECT_LT((i.coriolis[1 * 3 + 2] - Vector3(0.0, 0.0, -second.y() - second.x())).norm(), tiny);
    EXPECT_LT((i.coriolis[1 * 3 + 2] + i.coriolis[2 * 3 + 1]).norm(), tiny);
}

}  // namespace
