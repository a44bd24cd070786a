// SPDX-License-Identifier: Zlib
// What bodies get that are far longer than thick: inertia against their own modes, and products in double precision.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "LumpedModel.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/SinglePrecision.h"
#include "pliant/runtime/SpinInertia.h"

namespace pliant {
namespace {

/// What modes carry of an inertia: a share of it about one axis, others about those that are conjugate to it.
Matrix3 carriedPart(const Matrix3& inertia, double first, double second, double third) {
    const Eigen::LLT<Matrix3> factor(inertia);
    const Matrix3 L = factor.matrixL(),
                  Q = Eigen::AngleAxisd(1.1, Vector3(1.0, 2.0, -0.5).normalized()).toRotationMatrix();
    return L * Q * Vector3(first, second, third).asDiagonal() * Q.transpose() * L.transpose();
}

VectorX shares(const Matrix3& left, const Matrix3& inertia) {
    return Eigen::GeneralizedSelfAdjointEigenSolver<Matrix3>(left, inertia).eigenvalues();
}

Matrix3 someInertia() {
    Matrix3 inertia;
    inertia << 2.0, 0.3, -0.1, 0.3, 1.5, 0.2, -0.1, 0.2, 3.0;
    return inertia;
}

TEST(SpinInertia, IsLeftToTheBitWhereModesCarryLess) {
    const Matrix3 inertia = someInertia();
    EXPECT_EQ(withLeastSpinInertia(inertia, Matrix3::Zero()), inertia);
    EXPECT_EQ(withLeastSpinInertia(inertia, carriedPart(inertia, 0.69, 0.2, 0.0)), inertia);
}

TEST(SpinInertia, IsThreeTenthsAboutAxesThatModesCarry) {
    const Matrix3 inertia = someInertia(), carried = carriedPart(inertia, 0.9999, 0.4, 0.1);
    const Matrix3 raised = withLeastSpinInertia(inertia, carried);
    const VectorX left = shares(raised - carried, inertia);
    EXPECT_NEAR(left[0], 0.3, 1e-12);
    EXPECT_NEAR(left[1], 0.6, 1e-12) << "the other axes keep what they have";
    EXPECT_NEAR(left[2], 0.9, 1e-12);
    EXPECT_EQ(raised, raised.transpose());
    // As rounding can leave it: more than all of it.
    const Matrix3 beyond = carriedPart(inertia, 1.0 + 1e-9, 0.9, 0.1);
    const VectorX both = shares(withLeastSpinInertia(inertia, beyond) - beyond, inertia);
    EXPECT_NEAR(both[0], 0.3, 1e-9);
    EXPECT_NEAR(both[1], 0.3, 1e-9);
}

/// A bend of one metre and a stretch that it causes: E = w^2 q_0^2 / 2 + k (q_1 + c q_0^2)^2 / 2, 1 kg.
std::shared_ptr<ReducedModel> bendAndStretch(double stretch) {
    test::LumpedOptions options;
    options.dimension = 2;
    options.masses = 4;
    std::shared_ptr<ReducedModel> model = test::makeLumpedSystem(options).model;
    constexpr double bend = 1.0, c = 0.7;
    model->mesh.positions = Points::Zero(3, 4);
    model->mesh.positions(0, 1) = 1.0;
    model->basis = MatrixX::Zero(12, 2);
    model->basis(1, 0) = model->basis(0, 1) = 1.0;
    model->restEigenvectors = MatrixX::Identity(2, 2);
    model->energy.linearStiffness = Eigen::Vector2d(bend, stretch).asDiagonal();
    model->energy.cubic = VectorX::Zero(4);
    model->energy.cubic[1] = stretch * c;  // q_0 q_0 q_1
    model->energy.quartic = VectorX::Zero(5);
    model->energy.quartic[0] = 0.5 * stretch * c * c;
    return model;
}

// A tenth of a metre of bend has 0.005 J, and stretches of k / 2 (0.007)^2 cancel each other: of k = 1e9 2.4e4 J, of
// which floats lose 1.5e-3 J.
TEST(SinglePrecision, IsLeftWhereItRoundsTheBendAway) {
    EXPECT_TRUE(fitsSinglePrecision(*bendAndStretch(1e7)));
    EXPECT_FALSE(fitsSinglePrecision(*bendAndStretch(1e9)));
    BatchSettings settings;
    settings.coupling = Coupling::None;
    for (const double stretch : {1e7, 1e9, 1e13}) {
        BodyBatch batch(bendAndStretch(stretch), settings);
        const int body = batch.add();
        batch.q(body) = Eigen::Vector2d(0.1, -0.007);
        EXPECT_NEAR(batch.strainEnergy(body), 0.005, 0.1 * 0.005) << stretch;
    }
}

}  // namespace
}  // namespace pliant
