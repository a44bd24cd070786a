// SPDX-License-Identifier: Zlib
#include <nlohmann/json.hpp>

#include "ReferenceData.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/ModalDerivatives.h"
#include "pliant/fem/StaticSolve.h"
#include "pliant/mesh/ReadVeg.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

const test::BeamShape flatBeam{10, 2, 2, 1.0, 0.12, 0.1, ElementKind::Brick};

Eigen::Index pairColumn(const ModalDerivatives& d, int i, int j) {
    for (std::size_t p = 0; p < d.pairs.size(); ++p)
        if (d.pairs[p] == std::make_pair(i, j)) return static_cast<Eigen::Index>(p);
    return -1;
}

class Derivatives : public ::testing::TestWithParam<bool> {
protected:
    FullModel model{test::beamMesh(flatBeam)};
    StaticCompliance compliance{model, GetParam() ? std::vector<int>() : test::clampedEnd(flatBeam)};
    LinearModes modes = linearModes(compliance, 5);
};
INSTANTIATE_TEST_SUITE_P(FreeAndAnchored, Derivatives, ::testing::Bool());

TEST_P(Derivatives, SolveTheirEquationAndAreOrthogonalToRigidMotion) {
    const ModalDerivatives d = modalDerivatives(compliance, modes.shapes);
    ASSERT_EQ(d.pairs.size(), 15u);
    const MatrixX& R = compliance.rigid();
    for (std::size_t p = 0; p < d.pairs.size(); ++p) {
        const auto [i, j] = d.pairs[p];
        const VectorX phi = d.shapes.col(static_cast<Eigen::Index>(p));
        const VectorX a = modes.shapes.col(i), b = modes.shapes.col(j);
        const VectorX product = model.hessianProduct(b, a);
        VectorX rest = compliance.stiffness() * phi + product;
        if (GetParam()) rest -= model.massMatrix() * (R * (R.transpose() * product));
        EXPECT_LT(compliance.anchoring().reduced(rest).norm(), 1e-9 * product.norm());
        if (GetParam()) {
            EXPECT_LT((R.transpose() * (model.massMatrix() * phi)).norm(),
                      1e-11 * std::sqrt(phi.dot(model.massMatrix() * phi)));
        }
    }
}

TEST_P(Derivatives, ThreadsAndBlocksDoNotTouchTheBits) {
    const MatrixX one = modalDerivatives(compliance, modes.shapes, 1).shapes;
    EXPECT_EQ((modalDerivatives(compliance, modes.shapes, 2).shapes - one).norm(), 0.0);
}

TEST_P(Derivatives, SharesAreTheSamePairs) {
    WorkShares three;
    three.count = 3;
    const ModalDerivatives cut = modalDerivatives(compliance, modes.shapes, 1, {}, three);
    const ModalDerivatives whole = modalDerivatives(compliance, modes.shapes, 1);
    EXPECT_EQ(cut.pairs, whole.pairs);
    EXPECT_LT((cut.shapes - whole.shapes).norm(), 1e-9 * whole.shapes.norm());
}

TEST_P(Derivatives, AreTheSecondOrderAnswerOfNonlinearStatics) {
    // Under the load s K (a psi_i + b psi_j) the nonlinear answer is s (a psi_i + b psi_j)
    // + s^2 (a^2 Phi_ii / 2 + a b Phi_ij + b^2 Phi_jj / 2) + O(s^3), on the complement of the rigid modes.
    const ModalDerivatives d = modalDerivatives(compliance, modes.shapes);
    const int i = 0, j = 2;
    const double a = 1.0, b = 0.6;
    const VectorX linear = a * modes.shapes.col(i) + b * modes.shapes.col(j);
    const VectorX second = 0.5 * a * a * d.shapes.col(pairColumn(d, i, i)) + a * b * d.shapes.col(pairColumn(d, i, j)) +
                           0.5 * b * b * d.shapes.col(pairColumn(d, j, j));
    const VectorX load = compliance.stiffness() * linear;
    const SparseMatrix& M = model.massMatrix();
    std::vector<double> sizes = {2e-3, 1e-3, 5e-4}, errors;
    for (const double s : sizes) {
        // u with M-balanced residual: f(u) = s load up to rigid inertia, u M-orthogonal to the rigid modes. Modified
        // Newton with the rest compliance, which is exactly that complement.
        VectorX u = s * linear;
        for (int k = 0; k < 400; ++k) {
            const VectorX step = compliance.apply(VectorX(s * load - model.internalForce(u)));
            u += step;
            if (step.norm() < 1e-14 * u.norm()) break;
        }
        const VectorX error = u - s * linear - s * s * second;
        EXPECT_LT(std::sqrt(error.dot(M * error)), 0.2 * s * s * std::sqrt(second.dot(M * second)));
        errors.push_back(std::sqrt(error.dot(M * error)));
    }
    EXPECT_NEAR(test::convergenceSlope(sizes, errors), 3.0, 0.2);
}

TEST(ShiftedDerivativesTest, EqualTheStaticOnesModeByMode) {
    // In the share of mode m the two forms differ by lambda_m - lambda_i against lambda_m, and by nothing else.
    const FullModel model(test::beamMesh(flatBeam));
    const StaticCompliance compliance(model, {});
    const LinearModes modes = linearModes(compliance, 12);
    const LinearModes few{MatrixX(modes.shapes.leftCols(4)), VectorX(modes.eigenvalues.head(4))};
    const ModalDerivatives shifted = shiftedModalDerivatives(compliance, few);
    const ModalDerivatives statics = modalDerivatives(compliance, few.shapes);
    ASSERT_EQ(shifted.pairs.size(), 16u);
    const MatrixX shares = modes.shapes.transpose() * (model.massMatrix() * shifted.shapes);
    const MatrixX rigid = compliance.rigid().transpose() * (model.massMatrix() * shifted.shapes);
    EXPECT_LT(rigid.cwiseAbs().maxCoeff(), 1e-9 * shares.cwiseAbs().maxCoeff());
    for (std::size_t p = 0; p < shifted.pairs.size(); ++p) {
        const auto [i, j] = shifted.pairs[p];
        const VectorX phi = statics.shapes.col(pairColumn(statics, std::min(i, j), std::max(i, j)));
        const VectorX expected = modes.shapes.transpose() * (model.massMatrix() * phi);
        for (Eigen::Index m = 0; m < 12; ++m) {
            const double share = shares(m, static_cast<Eigen::Index>(p));
            const double gap = 1.0 - modes.eigenvalues[i] / modes.eigenvalues[m];  // 0 for m = i
            EXPECT_NEAR(m == i ? share : share * gap, m == i ? 0.0 : expected[m], 1e-6 * expected.norm());
        }
    }
}

TEST(ShiftedDerivativesTest, RefuseRepeatedEigenvaluesAndAnchoredBodies) {
    const test::BeamShape square{10, 2, 2, 1.0, 0.1, 0.1, ElementKind::Brick};
    const FullModel model(test::beamMesh(square));
    const StaticCompliance free(model, {}), held(model, test::clampedEnd(square));
    EXPECT_THROW(shiftedModalDerivatives(free, linearModes(free, 4)), std::runtime_error);
    EXPECT_THROW(shiftedModalDerivatives(held, linearModes(held, 4)), std::runtime_error);
}

class DerivativeOracles : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Meshes, DerivativeOracles, ::testing::Values("bar", "arch", "grain"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, DerivativeOracles,
                         ::testing::ValuesIn(test::outsideNames({"beam3", "beam3_tet"}, "_dynamics.json")));

TEST_P(DerivativeOracles, SignFreeNumbers) {
    const std::string name = std::string("oracles/") + GetParam() + "_dynamics.json";
    const nlohmann::json numbers = test::readReferenceJson(name);
    const FullModel model(readVeg(test::referencePath("meshes/" + numbers["mesh"].get<std::string>())));
    const StaticCompliance compliance(
        model,
        readBou(test::referencePath("meshes/" + numbers["fixed"].get<std::string>()), model.mesh().vertexCount()));
    const bool roundedCells = model.mesh().kind == ElementKind::Brick && !test::isOwnReference(name);
    const double tolerance = roundedCells ? 2e-5 : test::isOwnReference(name) ? 1e-9 : 1e-7;
    const LinearModes modes = linearModes(compliance, 4);
    for (Eigen::Index k = 0; k < 4; ++k)
        EXPECT_NEAR(modes.eigenvalues[k] / numbers["eigenvalues"][static_cast<std::size_t>(k)].get<double>(), 1.0,
                    tolerance);
    const ModalDerivatives d = modalDerivatives(compliance, modes.shapes);
    ASSERT_EQ(numbers["modal_derivatives"].size(), 10u);
    for (const nlohmann::json& entry : numbers["modal_derivatives"]) {
        const VectorX phi = d.shapes.col(pairColumn(d, entry["i"].get<int>() - 1, entry["j"].get<int>() - 1));
        EXPECT_NEAR(phi.dot(model.massMatrix() * phi) / entry["phi_M_phi"].get<double>(), 1.0, tolerance);
        EXPECT_NEAR(phi.dot(compliance.stiffness() * phi) / entry["phi_K_phi"].get<double>(), 1.0, tolerance);
    }
}

}  // namespace
}  // namespace pliant
