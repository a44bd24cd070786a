// SPDX-License-Identifier: Zlib
// The papers' shifted derivatives beside the static ones, and MINRES beside a factorisation, on a body without
// symmetry.
#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/Minres.h"
#include "pliant/basis/ModalDerivatives.h"
#include "unit/fem/BeamMesh.h"
#include "unit/reduce/InputMeshes.h"

namespace pliant {
namespace {

TEST(MinresTest, SolvesIndefiniteAndSingularConsistentSystems) {
    const Eigen::Index m = 60;
    VectorX spectrum(m), b(m);
    for (Eigen::Index i = 0; i < m; ++i) {
        spectrum[i] =
            i == 0 ? 0.0 : (i < 5 ? -1.0 - 0.3 * static_cast<double>(i) : 1.0 + 0.02 * static_cast<double>(i));
        b[i] = i == 0 ? 0.0 : std::cos(3.0 * static_cast<double>(i));
    }
    const LinearOperator A = [&](const VectorX& x) { return VectorX(spectrum.cwiseProduct(x)); };
    for (const bool preconditioned : {false, true}) {
        const LinearOperator P = [&](const VectorX& x) {
            return preconditioned ? VectorX(x.cwiseQuotient((spectrum.cwiseAbs().array() + 0.05).matrix())) : x;
        };
        const MinresResult result = minres(A, P, b, 1e-12, 200);
        EXPECT_LT((A(result.x) - b).norm(), 1e-9 * b.norm());
        EXPECT_LE(result.residual, 1e-12);
        EXPECT_LT(result.iterations, preconditioned ? 20 : 60);
        EXPECT_EQ(result.x[0], 0.0);
    }
    EXPECT_EQ(minres(
                  A, [](const VectorX& x) { return x; }, VectorX::Zero(m), 1e-12, 10)
                  .x.norm(),
              0.0);
}

class ShiftedForms : public ::testing::Test {
protected:
    FullModel model{test::lopsidedBricks()};
    StaticCompliance compliance{model, {}};
    LinearModes modes = linearModes(compliance, 6);
    MatrixX shares(const ModalDerivatives& d, const MatrixX& of) {
        return of.transpose() * (model.massMatrix() * d.shapes);
    }
};

TEST_F(ShiftedForms, MinresAndFactorisationAgree) {
    const LinearModes few{MatrixX(modes.shapes.leftCols(4)), VectorX(modes.eigenvalues.head(4))};
    const ModalDerivatives factored = shiftedModalDerivatives(compliance, few, DerivativeForm::Shifted);
    const ModalDerivatives iterated = shiftedModalDerivatives(compliance, few, DerivativeForm::ShiftedMinres);
    ASSERT_EQ(factored.pairs, iterated.pairs);
    for (Eigen::Index p = 0; p < factored.shapes.cols(); ++p)
        EXPECT_LT((iterated.shapes.col(p) - factored.shapes.col(p)).norm(), 1e-7 * factored.shapes.col(p).norm()) << p;
}

TEST_F(ShiftedForms, SolveThePapersEquation) {
    const LinearModes few{MatrixX(modes.shapes.leftCols(3)), VectorX(modes.eigenvalues.head(3))};
    const SparseMatrix& M = model.massMatrix();
    const MatrixX& R = compliance.rigid();
    for (const DerivativeForm form : {DerivativeForm::Shifted, DerivativeForm::ShiftedMinres}) {
        const ModalDerivatives d = shiftedModalDerivatives(compliance, few, form);
        for (std::size_t p = 0; p < d.pairs.size(); ++p) {
            const auto [i, j] = d.pairs[p];
            const VectorX psi = few.shapes.col(i), phi = d.shapes.col(static_cast<Eigen::Index>(p));
            const VectorX product = model.hessianProduct(few.shapes.col(j), psi);
            VectorX rest =
                compliance.stiffness() * phi - few.eigenvalues[i] * (M * phi) + product - M * (psi * psi.dot(product));
            rest -= M * (R * (R.transpose() * rest));  // the rigid part, which was taken out
            EXPECT_LT(rest.norm(), 1e-7 * product.norm());
            EXPECT_LT(std::abs(psi.dot(M * phi)), 1e-9 * std::sqrt(phi.dot(M * phi)));
        }
    }
}

TEST_F(ShiftedForms, SpanNearlyTheSameSpaceAsTheStaticOnes) {
    // Both forms add up the same modes with weights 1 / (lambda_m - lambda_i) and 1 / lambda_m. Beyond the modes
    // themselves they agree where derivatives are stiff: principal angles of the leading directions are small.
    const LinearModes few{MatrixX(modes.shapes.leftCols(2)), VectorX(modes.eigenvalues.head(2))};
    const auto beyondModes = [&](const MatrixX& X) {
        return MatrixX(X - modes.shapes * (modes.shapes.transpose() * (model.massMatrix() * X)));
    };
    const MatrixX shifted = beyondModes(shiftedModalDerivatives(compliance, few).shapes);
    const MatrixX statics = beyondModes(modalDerivatives(compliance, few.shapes).shapes);
    const SparseMatrix& M = model.massMatrix();
    const Eigen::Index same[4] = {0, 1, 1, 2};  // (0,0), (0,1), (1,0), (1,1) among the symmetric pairs
    for (Eigen::Index p = 0; p < 4; ++p) {
        const VectorX a = shifted.col(p), b = statics.col(same[p]);
        const double cosine = a.dot(M * b) / std::sqrt(a.dot(M * a) * b.dot(M * b));
        EXPECT_GT(cosine, 0.95) << p;
    }
    // And they are not the same: the shifted form is not symmetric.
    const VectorX difference = shifted.col(1) - shifted.col(2);
    EXPECT_GT(difference.norm(), 1e-4 * shifted.col(1).norm());
}

/// A ring of `count` equal segments, each six tetrahedra: it looks the same after a turn by 2 pi / count.
VolumeMesh ring(int count) {
    VolumeMesh mesh = test::beamMesh({count, 1, 1, 1.0, 0.3, 0.2, ElementKind::Tetrahedron});
    const test::BeamShape shape{count, 1, 1, 1.0, 0.3, 0.2, ElementKind::Tetrahedron};
    const int n = 4 * count;
    Points positions(3, n);
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < 2; ++j)
            for (int k = 0; k < 2; ++k) {
                const double angle = -2.0 * M_PI * i / count, radius = 1.0 + 0.3 * j;
                positions.col(test::beamVertex(shape, i, j, k)) << radius * std::sin(angle), radius * std::cos(angle),
                    0.2 * k;
            }
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e)
        for (int c = 0; c < 4; ++c) mesh.elements(c, e) %= n;
    mesh.positions = positions;
    // The order of the corners follows the sense of the bending.
    const auto corner = [&](int c) { return Vector3(positions.col(mesh.elements(c, 0))); };
    if ((corner(1) - corner(0)).dot((corner(2) - corner(0)).cross(corner(3) - corner(0))) < 0.0)
        for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e) std::swap(mesh.elements(2, e), mesh.elements(3, e));
    return mesh;
}

TEST(RotationalSymmetry, TwoStartsOfLanczosGiveOneSubspace) {
    const FullModel model(ring(16));
    const StaticCompliance compliance(model, {});
    const LinearModes a = linearModes(compliance, 8, {}, 0), b = linearModes(compliance, 8, {}, 1);
    int pairs = 0;
    for (Eigen::Index j = 1; j < 8; ++j) pairs += a.eigenvalues[j] / a.eigenvalues[j - 1] < 1.0 + 1e-8;
    EXPECT_GE(pairs, 3) << "the ring has repeated eigenvalues";
    EXPECT_GT(modalDerivatives(compliance, a.shapes.leftCols(2)).shapes.norm(), 0.0);
    const VectorX cosines = singularValues(a.shapes.transpose() * (model.massMatrix() * b.shapes)).values;
    EXPECT_NEAR(cosines.minCoeff(), 1.0, 1e-10);
    // Even the vectors agree, signs and rotation within the pairs included.
    EXPECT_LT((a.shapes - b.shapes).norm(), 1e-6 * a.shapes.norm());
}

}  // namespace
}  // namespace pliant
