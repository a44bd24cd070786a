// SPDX-License-Identifier: Zlib
#include "pliant/basis/Basis.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/MassPca.h"
#include "pliant/math/Error.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

const test::BeamShape slimBeam{10, 2, 2, 1.0, 0.1, 0.1, ElementKind::Brick};

double orthonormality(const SparseMatrix& M, const MatrixX& X) {
    return (X.transpose() * (M * X) - MatrixX::Identity(X.cols(), X.cols())).cwiseAbs().maxCoeff();
}

BasisOptions options(int modes, int dimension, const std::vector<int>& fixed = {}) {
    BasisOptions o;
    o.modes = modes;
    o.dimension = dimension;
    o.fixedVertices = fixed;
    return o;
}

MatrixX weightedColumns(const FullModel& model, int count) {
    MatrixX A(model.degreesOfFreedom(), count);
    const VectorX wave = test::wavyField(model.mesh(), 1.0);
    for (int j = 0; j < count; ++j) A.col(j) = std::pow(0.4, j) * (((j + 1.0) * wave).array() + j).sin().matrix();
    return A;
}

TEST(MassPcaTest, IsTheEigenDecompositionOfTheWeightedSum) {
    // U diag(s^2) U' M and A A' M are the same operator: A'M U = Y S, so A (A'M U) = U S^2.
    const FullModel model(test::beamMesh(slimBeam));
    const SparseMatrix& M = model.massMatrix();
    const MatrixX A = weightedColumns(model, 8);
    const MassPca pca = massPca(M, A, 8);
    EXPECT_LT(orthonormality(M, pca.basis), 1e-13);
    for (Eigen::Index j = 0; j < 8; ++j) {
        const VectorX u = pca.basis.col(j);
        const double s2 = pca.singularValues[j] * pca.singularValues[j];
        EXPECT_LT((A * (A.transpose() * (M * u)) - s2 * u).norm(),
                  1e-12 * std::sqrt(s2) * pca.singularValues[0] * u.norm());
        EXPECT_LE(pca.singularValues[j], pca.singularValues[std::max<Eigen::Index>(j - 1, 0)]);
    }
    EXPECT_LT((massPca(M, A, 3).basis - pca.basis.leftCols(3)).norm(), 1e-9 * pca.basis.norm());
}

TEST(MassPcaTest, KeepsSmallDirectionsThatAGramMatrixWouldLose) {
    // Weights down to 3e-10: squared they are below rounding.
    const FullModel model(test::beamMesh(slimBeam));
    const SparseMatrix& M = model.massMatrix();
    MatrixX exact = weightedColumns(model, 4);
    orthonormalise(M, exact);
    const Eigen::Vector4d weights(1.0, 1e-3, 1e-6, 3e-10);
    const MassPca pca = massPca(M, exact * weights.asDiagonal(), 4);
    for (Eigen::Index j = 0; j < 4; ++j) {
        EXPECT_NEAR(pca.singularValues[j] / weights[j], 1.0, 1e-5);
        EXPECT_NEAR(std::abs(pca.basis.col(j).dot(M * exact.col(j))), 1.0, 1e-9);
    }
}

TEST(MassPcaTest, SaysHowManyDirectionsThereAre) {
    const FullModel model(test::beamMesh(slimBeam));
    MatrixX A = weightedColumns(model, 5);
    A.col(4) = A.col(0) - 2.0 * A.col(1);
    for (const bool pca : {true, false}) {
        try {
            if (pca)
                massPca(model.massMatrix(), A, 5);
            else
                massGramSchmidt(model.massMatrix(), A, 5);
            FAIL() << "five directions out of four";
        } catch (const Error& error) {
            EXPECT_NE(std::string(error.what()).find("only 4"), std::string::npos) << error.what();
        }
    }
}

TEST(MassGramSchmidtTest, KeepsTheOrderOfItsColumns) {
    const FullModel model(test::beamMesh(slimBeam));
    const SparseMatrix& M = model.massMatrix();
    const MatrixX A = weightedColumns(model, 6);
    const MatrixX U = massGramSchmidt(M, A, 6);
    EXPECT_LT(orthonormality(M, U), 1e-13);
    const MatrixX R = U.transpose() * (M * A);
    for (Eigen::Index j = 0; j < 6; ++j)
        for (Eigen::Index i = j + 1; i < 6; ++i) EXPECT_LT(std::abs(R(i, j)), 1e-12 * A.col(j).norm());
}

class Bases : public ::testing::TestWithParam<bool> {
protected:
    FullModel model{test::beamMesh(slimBeam)};
    std::vector<int> fixed = GetParam() ? std::vector<int>() : test::clampedEnd(slimBeam);
};
INSTANTIATE_TEST_SUITE_P(FreeAndAnchored, Bases, ::testing::Bool());

TEST_P(Bases, MassPcaBasisHoldsItsPromises) {
    for (const Orthogonalisation way : {Orthogonalisation::MassPca, Orthogonalisation::GramSchmidt}) {
        BasisOptions o = options(6, 18, fixed);
        o.orthogonalisation = way;
        const Basis basis = makeBasis(model, o);
        ASSERT_EQ(basis.U.cols(), 18);
        EXPECT_LT(orthonormality(model.massMatrix(), basis.U), 1e-12);
        EXPECT_EQ(basis.elasticEigenvalues.size(), 6);
        EXPECT_EQ(basis.rigidModes.cols(), GetParam() ? 6 : 0);
        if (GetParam()) {
            EXPECT_LT((basis.rigidModes.transpose() * (model.massMatrix() * basis.U)).cwiseAbs().maxCoeff(), 1e-11);
        }
        for (const int v : fixed) EXPECT_EQ(basis.U.middleRows<3>(3 * v).norm(), 0.0);
    }
}

TEST_P(Bases, SameBitsForAnyNumberOfThreads) {
    BasisOptions one = options(5, 12, fixed), two = one;
    one.threads = 1;
    two.threads = 2;
    EXPECT_EQ((makeBasis(model, one).U - makeBasis(model, two).U).norm(), 0.0);
}

TEST_P(Bases, SpanTheLeadingModesAndTheirDerivatives) {
    const Basis basis = makeBasis(model, options(4, 10, fixed));
    const LinearModes modes = linearModes(StaticCompliance(model, fixed), 4);
    for (Eigen::Index j = 0; j < 2; ++j) {
        const VectorX psi = modes.shapes.col(j);
        const VectorX rest = psi - basis.U * (basis.U.transpose() * (model.massMatrix() * psi));
        EXPECT_LT(std::sqrt(rest.dot(model.massMatrix() * rest)), 1e-2);
    }
}

TEST_P(Bases, TooManyColumnsAreRefusedByNumber) {
    try {
        makeBasis(model, options(3, 10, fixed));
        FAIL() << "three modes give nine shapes";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("at most 9"), std::string::npos) << error.what();
    }
    EXPECT_THROW(makeBasis(model, options(3, 0, fixed)), Error);
    EXPECT_THROW(makeBasis(model, options(100000, 10, fixed)), Error);
}

TEST(BasisTest, ShortDerivativesAreDroppedBeforeTheyAreNormalised) {
    const FullModel model(test::beamMesh(slimBeam));
    BasisOptions all = options(4, 14), some = all;
    EXPECT_EQ(makeBasis(model, all).droppedDerivatives, 0);
    some.dimension = 6;
    some.derivativeThreshold = 0.2;
    const int dropped = makeBasis(model, some).droppedDerivatives;
    EXPECT_GT(dropped, 0);
    EXPECT_LT(dropped, 10);
    some.dimension = 14;  // 4 + 10 shapes less those that were dropped
    try {
        makeBasis(model, some);
        FAIL() << "dropped shapes cannot be in the basis";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("only " + std::to_string(14 - dropped)), std::string::npos)
            << error.what();
    }
}

TEST(BasisTest, ShiftedDerivativesMakeABasisOfTheSameSpace) {
    // Leading principal directions of both forms lie in each other's somewhat larger span.
    const FullModel model(test::beamMesh({10, 2, 2, 1.0, 0.12, 0.1, ElementKind::Brick}));
    BasisOptions shifted = options(4, 6);
    shifted.derivatives = DerivativeForm::Shifted;
    const MatrixX U = makeBasis(model, shifted).U;
    const MatrixX wide = makeBasis(model, options(4, 14)).U;
    const MatrixX rest = U - wide * (wide.transpose() * (model.massMatrix() * U));
    for (Eigen::Index j = 0; j < 3; ++j) EXPECT_LT(std::sqrt(rest.col(j).dot(model.massMatrix() * rest.col(j))), 0.1);
}

TEST(BasisTest, ProgressNamesEveryStageAndCancels) {
    const FullModel model(test::beamMesh(slimBeam));
    std::vector<std::string> stages;
    double last = 0.0;
    makeBasis(model, options(5, 10), [&](const std::string& stage, double fraction) {
        if (stages.empty() || stages.back() != stage) {
            stages.push_back(stage);
            last = 0.0;
        }
        EXPECT_GE(fraction, last);
        EXPECT_LE(fraction, 1.0);
        last = fraction;
        return true;
    });
    EXPECT_EQ(stages, (std::vector<std::string>{"linear modes", "modal derivatives", "basis"}));
    EXPECT_THROW(makeBasis(model, options(5, 10), [](const std::string& s, double) { return s != "basis"; }),
                 Cancelled);
}

}  // namespace
}  // namespace pliant
