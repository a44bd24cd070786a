// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "DenseAlgebra.h"
#include "PolynomialMeshes.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Error.h"
#include "pliant/polynomial/ReduceDamping.h"
#include "pliant/polynomial/ReducePolynomial.h"

namespace {

using namespace pliant;

class Damping : public ::testing::TestWithParam<ElementKind> {
protected:
    void SetUp() override { mesh.elementShare = VectorX::LinSpaced(mesh.elementCount(), 0.2, 1.0); }
    VolumeMesh mesh = test::mixedBlock(GetParam(), 2, 2, 1);
    std::vector<Matrix6> viscosity = {isotropicViscosity(3.0, 2.0), isotropicViscosity(0.0, 5.0),
                                      1e-5 * stiffnessMatrix(test::generalMaterial()), isotropicViscosity(-1.0, 2.0)};
};
INSTANTIATE_TEST_SUITE_P(Kinds, Damping, ::testing::Values(ElementKind::Brick, ElementKind::Tetrahedron));

/// Integral of dE(w)' C E'(v) over the body at displacement u, point by point: the virtual power of the law.
double virtualPower(const VolumeMesh& mesh, const std::vector<Matrix6>& viscosity, const VectorX& u, const VectorX& v,
                    const VectorX& w) {
    double power = 0.0;
    std::vector<ElementPoint> points;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        elementPoints(mesh, e, points);
        for (const ElementPoint& p : points) {
            const Matrix3 F = Matrix3::Identity() + cornerVectors(mesh, e, u.data()) * p.gradients;
            const auto rate = [&](const VectorX& x) {
                const Matrix3 A = F.transpose() * Matrix3(cornerVectors(mesh, e, x.data()) * p.gradients);
                return strainVector(0.5 * (A + A.transpose()));
            };
            power += p.weight * rate(w).dot(viscosity[static_cast<std::size_t>(p.material)] * rate(v));
        }
    }
    return power;
}

TEST_P(Damping, IsTheProjectedLawAtAnyDisplacement) {
    const MatrixX U = test::randomBasis(mesh, 6);
    const StrainRateDamping damping = reduceDamping(mesh, U, viscosity);
    for (const unsigned seed : {1u, 2u, 3u}) {
        const VectorX q = 0.05 * test::randomMatrix(6, 1, seed), v = test::randomMatrix(6, 1, seed + 10),
                      w = test::randomMatrix(6, 1, seed + 20);
        const double expected = virtualPower(mesh, viscosity, U * q, U * v, U * w);
        const MatrixX D = damping.matrix(q);
        EXPECT_NEAR(w.dot(D * v), expected, 1e-11 * D.norm() * w.norm() * v.norm());
        EXPECT_LT((damping.force(q, v) - D * v).norm(), 1e-12 * (D * v).norm());
        EXPECT_LT((D - D.transpose()).norm(), 1e-13 * D.norm());
    }
}

TEST_P(Damping, NeverFeedsEnergyIn) {
    const StrainRateDamping damping = reduceDamping(mesh, test::randomBasis(mesh, 9), viscosity);
    for (unsigned seed = 0; seed < 20; ++seed) {
        const Eigen::MatrixXd D = damping.matrix(test::randomMatrix(9, 1, seed));
        const Eigen::VectorXd eigenvalues = test::eigenvaluesOf(D);
        EXPECT_GE(eigenvalues[0], -1e-12 * eigenvalues[8]);
    }
}

// Rayleigh's beta K0 at rest, where the viscosity is beta times the stiffness; beyond it, not beta K(q).
TEST_P(Damping, ReducesToTheRestStiffness) {
    const MatrixX U = test::randomBasis(mesh, 6);
    const double beta = 0.002;
    std::vector<Matrix6> scaled;
    for (const ElasticMaterial& material : mesh.materials) scaled.push_back(beta * stiffnessMatrix(material));
    const StrainRateDamping damping = reduceDamping(mesh, U, scaled);
    const StrainEnergyPolynomial energy = reducePolynomial(mesh, U);
    const MatrixX K0 = beta * energy.linearStiffness;
    EXPECT_LT((damping.matrix(VectorX::Zero(6)) - K0).norm(), 1e-12 * K0.norm());
    const VectorX q = 0.02 * test::randomMatrix(6, 1, 5);
    const MatrixX K = beta * energy.stiffness(q);
    EXPECT_GT((damping.matrix(q) - K).norm(), 1e-3 * K.norm());
}

// Basis of all affine motions and one bend: turning the bent body strains nothing.
TEST_P(Damping, RigidTurningOfADeformedBodyIsNotDamped) {
    MatrixX U(3 * mesh.vertexCount(), 12);
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            Matrix3 B = Matrix3::Zero();
            B(a, b) = 1.0;
            U.col(3 * a + b) = linearField(mesh, B);
            if (b == 0) U.col(9 + a) = linearField(mesh, Matrix3::Zero(), Vector3::Unit(a));
        }
    const StrainRateDamping damping = reduceDamping(mesh, U, viscosity);
    VectorX q = VectorX::Zero(12), v = VectorX::Zero(12);
    const Matrix3 A = 0.4 * Matrix3(test::randomMatrix(3, 3, 8));
    const Matrix3 rate = crossMatrix(Vector3(1, -2, 0.5)) * (Matrix3::Identity() + A);  // w x (X + u)
    for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) {
            q[3 * a + b] = A(a, b);
            v[3 * a + b] = rate(a, b);
        }
    v.tail(3) = Vector3(3, 4, 5);
    const double scale = damping.matrix(q).norm() * v.norm();
    EXPECT_LT(damping.force(q, v).norm(), 1e-12 * scale);
    v[0] += 1.0;
    EXPECT_GT(damping.force(q, v).norm(), 1e-3 * scale);
}

TEST(DampingTest, RefusesWhatFeedsEnergyIn) {
    const VolumeMesh mesh = test::block(ElementKind::Brick, 1, 1, 1);
    const MatrixX U = test::randomBasis(mesh, 2);
    EXPECT_THROW(reduceDamping(mesh, U, {isotropicViscosity(1, 1)}), Error);
    EXPECT_THROW(reduceDamping(mesh, MatrixX::Zero(5, 2), {2, isotropicViscosity(1, 1)}), Error);
    Matrix6 negative = isotropicViscosity(1.0, -1.0), lopsided = isotropicViscosity(1.0, 1.0);
    lopsided(0, 3) = 1.0;
    EXPECT_THROW(reduceDamping(mesh, U, {negative, negative}), Error);
    EXPECT_THROW(reduceDamping(mesh, U, {lopsided, lopsided}), Error);
}

}  // namespace
