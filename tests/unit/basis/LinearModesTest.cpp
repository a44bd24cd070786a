// SPDX-License-Identifier: Zlib
#include <nlohmann/json.hpp>

#include "ReferenceData.h"
#include "pliant/basis/Canonical.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/basis/LanczosRound.h"
#include "pliant/basis/LinearModes.h"
#include "pliant/basis/MassPca.h"
#include "pliant/basis/RigidModes.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ReadVeg.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

const test::BeamShape squareBeam{16, 2, 2, 1.0, 0.1, 0.1, ElementKind::Brick};

double orthonormalDefect(const SparseMatrix& M, const MatrixX& X) {
    return (X.transpose() * (M * X) - MatrixX::Identity(X.cols(), X.cols())).cwiseAbs().maxCoeff();
}

TEST(RigidModesTest, AreMassNormalisedAndMakeNoForce) {
    const FullModel model(test::beamMesh(squareBeam));
    const MatrixX R = rigidModes(model);
    EXPECT_LT(orthonormalDefect(model.massMatrix(), R), 1e-13);
    const SparseMatrix K = model.restStiffness();
    EXPECT_LT((K * R).norm(), 1e-12 * K.norm() * R.norm());
    const VectorX x = test::wavyField(model.mesh(), 1.0);
    const MatrixX rest = withoutRigidMotion(model.massMatrix(), R, x);
    EXPECT_LT((R.transpose() * (model.massMatrix() * rest)).norm(), 1e-13 * x.norm());
}

class Modes : public ::testing::TestWithParam<bool> {
protected:
    FullModel model{test::beamMesh(squareBeam)};
    StaticCompliance compliance{model, GetParam() ? std::vector<int>() : test::clampedEnd(squareBeam)};
};
INSTANTIATE_TEST_SUITE_P(FreeAndAnchored, Modes, ::testing::Bool());

TEST_P(Modes, EqualTheDenseAnswerPairsIncluded) {
    // A square section bends alike in y and z: every bending eigenvalue is double.
    const LinearModes modes = linearModes(compliance, 12);
    const MatrixX K(compliance.anchoring().reduced(compliance.stiffness()));
    const MatrixX M(compliance.anchoring().reduced(model.massMatrix()));
    const VectorX dense = symmetricEigen(K, M).values;
    const Eigen::Index skip = GetParam() ? 6 : 0;
    for (Eigen::Index j = 0; j < 12; ++j) EXPECT_NEAR(modes.eigenvalues[j] / dense[skip + j], 1.0, 1e-8) << j;
    EXPECT_NEAR(modes.eigenvalues[1] / modes.eigenvalues[0], 1.0, 1e-9);
    EXPECT_LT(orthonormalDefect(model.massMatrix(), modes.shapes), 1e-12);
    const MatrixX stiffness = modes.shapes.transpose() * (compliance.stiffness() * modes.shapes);
    EXPECT_LT((stiffness - MatrixX(modes.eigenvalues.asDiagonal())).norm(), 1e-8 * stiffness.norm());
    const MatrixX R = rigidModes(model);
    if (GetParam()) {
        EXPECT_LT((R.transpose() * (model.massMatrix() * modes.shapes)).cwiseAbs().maxCoeff(), 1e-12);
    } else {
        for (const int v : test::clampedEnd(squareBeam)) EXPECT_EQ(modes.shapes.middleRows<3>(3 * v).norm(), 0.0);
    }
}

TEST_P(Modes, SturmCountAndDeflationFindWhatOneKrylovSpaceMayMiss) {
    const LinearModes all = linearModes(compliance, 8);
    const int rigid = static_cast<int>(compliance.rigid().cols());
    EXPECT_EQ(compliance.countBelow(0.5 * all.eigenvalues[0]), rigid);
    int gaps = 0;
    for (int m = 1; m < 8; ++m) {
        if (all.eigenvalues[m] / all.eigenvalues[m - 1] < 1.001) continue;  // inside a pair
        EXPECT_EQ(compliance.countBelow(0.5 * (all.eigenvalues[m - 1] + all.eigenvalues[m])), rigid + m);
        ++gaps;
    }
    EXPECT_GE(gaps, 3);
    // With one of the first pair and the third mode known, the next round brings the others.
    MatrixX known(all.shapes.rows(), 2);
    known << all.shapes.col(0), all.shapes.col(2);
    const LinearModes others = lanczosRound(compliance, known, 3, 0, 1, {});
    const Eigen::Index expected[] = {1, 3, 4};
    for (Eigen::Index j = 0; j < 3; ++j)
        EXPECT_NEAR(others.eigenvalues[j] / all.eigenvalues[expected[j]], 1.0, 1e-8) << j;
    EXPECT_LT((known.transpose() * (model.massMatrix() * others.shapes)).cwiseAbs().maxCoeff(), 1e-10);
}

// A cube has double and triple eigenvalues all along its spectrum: none is missed, and each mode solves its equation.
TEST(CubeModes, AreCompleteAndSolveTheirEquation) {
    const test::BeamShape shape{8, 8, 8, 1.0, 1.0, 1.0, ElementKind::Brick};
    const FullModel cube(test::beamMesh(shape));
    for (const bool isFree : {true, false}) {
        const StaticCompliance compliance(cube, isFree ? std::vector<int>() : test::clampedEnd(shape));
        const LinearModes modes = linearModes(compliance, 24);
        int repeated = 0, gaps = 0;
        for (int m = 0; m < 24; ++m) {
            const VectorX psi = modes.shapes.col(m), inertia = modes.eigenvalues[m] * (cube.massMatrix() * psi);
            const VectorX residual = compliance.anchoring().reduced(VectorX(compliance.stiffness() * psi - inertia));
            EXPECT_LT(residual.norm(), 1e-8 * inertia.norm()) << m;
            if (m == 0) continue;
            const double ratio = modes.eigenvalues[m] / modes.eigenvalues[m - 1];
            repeated += ratio < 1.0 + 1e-9;
            if (ratio < 1.001) continue;
            const double between = 0.5 * (modes.eigenvalues[m - 1] + modes.eigenvalues[m]);
            EXPECT_EQ(compliance.countBelow(between), (isFree ? 6 : 0) + m);
            ++gaps;
        }
        EXPECT_GE(repeated, 5);
        EXPECT_GE(gaps, 5);
    }
}

TEST_P(Modes, DoNotDependOnHowManyAreAskedFor) {
    const LinearModes few = linearModes(compliance, 5), many = linearModes(compliance, 20);
    EXPECT_LT((few.shapes - many.shapes.leftCols(5)).cwiseAbs().maxCoeff(), 1e-7 * many.shapes.cwiseAbs().maxCoeff());
    EXPECT_EQ((linearModes(compliance, 5).shapes - few.shapes).norm(), 0.0);
}

TEST_P(Modes, AllOfASmallMeshAndNotOneMore) {
    const FullModel tiny(test::beamMesh({1, 1, 1, 0.3, 0.2, 0.1, ElementKind::Brick}));
    const StaticCompliance small(tiny, GetParam() ? std::vector<int>() : std::vector<int>{0, 1, 2, 3});
    const int all = GetParam() ? 18 : 12;
    const LinearModes modes = linearModes(small, all);
    EXPECT_EQ(modes.shapes.cols(), all);
    EXPECT_GT(modes.eigenvalues[0], 0.0);
    try {
        linearModes(small, all + 1);
        FAIL() << "asked for a mode that does not exist";
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(std::to_string(all)), std::string::npos) << error.what();
    }
    EXPECT_THROW(linearModes(small, 0), Error);
}

TEST_P(Modes, ComplianceSolvesTheStatics) {
    const VectorX load = test::wavyField(model.mesh(), 10.0);
    const MatrixX u = compliance.apply(load);
    VectorX rest = compliance.stiffness() * u - load;
    if (GetParam()) rest += model.massMatrix() * (compliance.rigid() * (compliance.rigid().transpose() * load));
    EXPECT_LT(compliance.anchoring().reduced(rest).norm(), 1e-9 * load.norm());
}

std::string messageFor(const VolumeMesh& mesh, const std::vector<int>& fixed) {
    try {
        const FullModel model(mesh);
        const StaticCompliance compliance(model, fixed);
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

/// Two copies of a brick; `shared` corner pairs (of the first, of the second) are one vertex.
VolumeMesh twoBricks(const std::vector<std::pair<int, int>>& shared, const Vector3& offset) {
    VolumeMesh mesh = test::beamMesh({1, 1, 1, 1.0, 1.0, 1.0, ElementKind::Brick});
    const VolumeMesh one = mesh;
    std::vector<int> number(8, -1);
    for (const auto& [first, second] : shared)
        number[static_cast<std::size_t>(one.elements(second, 0))] = one.elements(first, 0);
    std::vector<Vector3> positions;
    for (int v = 0; v < 8; ++v) positions.push_back(one.positions.col(v));
    for (int v = 0; v < 8; ++v)
        if (number[static_cast<std::size_t>(v)] < 0) {
            number[static_cast<std::size_t>(v)] = static_cast<int>(positions.size());
            positions.push_back(one.positions.col(v) + offset);
        }
    mesh.positions.resize(3, static_cast<Eigen::Index>(positions.size()));
    for (std::size_t v = 0; v < positions.size(); ++v) mesh.positions.col(static_cast<Eigen::Index>(v)) = positions[v];
    mesh.elements.conservativeResize(Eigen::NoChange, 2);
    for (int c = 0; c < 8; ++c) mesh.elements(c, 1) = number[static_cast<std::size_t>(one.elements(c, 0))];
    mesh.elementMaterial = {0, 0};
    return mesh;
}

TEST(MechanismTest, LooseHingedAndBallJointedBricksAreRefusedWithTheirNumber) {
    const std::string loose = messageFor(twoBricks({}, Vector3(3, 0, 0)), {});
    EXPECT_NE(loose.find("12 zero modes"), std::string::npos) << loose;
    // corners 2 and 6 are the edge x = y = 1; of the second brick it is the edge x = y = 0
    const std::string hinge = messageFor(twoBricks({{2, 0}, {6, 4}}, Vector3(1, 1, 0)), {});
    EXPECT_NE(hinge.find("7 zero modes"), std::string::npos) << hinge;
    const std::string ball = messageFor(twoBricks({{6, 0}}, Vector3(1, 1, 1)), {});
    EXPECT_NE(ball.find("9 zero modes"), std::string::npos) << ball;
    EXPECT_NE(ball.find("hinges"), std::string::npos) << ball;
    EXPECT_EQ(messageFor(twoBricks({{1, 0}, {2, 3}, {5, 4}, {6, 7}}, Vector3(1, 0, 0)), {}), "no error");
}

TEST(MechanismTest, TooFewFixedVerticesAreRefused) {
    const VolumeMesh mesh = test::beamMesh(squareBeam);
    EXPECT_NE(messageFor(mesh, {0}).find("3 zero modes"), std::string::npos);
    EXPECT_NE(messageFor(mesh, {0, 1}).find("1 zero modes"), std::string::npos);
    EXPECT_EQ(messageFor(mesh, {0, 1, 3}), "no error");
    std::vector<int> all(static_cast<std::size_t>(mesh.vertexCount()));
    for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<int>(v);
    EXPECT_NE(messageFor(mesh, all).find("every vertex"), std::string::npos);
}

TEST(ModesTest, CallbackCancels) {
    const FullModel model(test::beamMesh(squareBeam));
    const StaticCompliance compliance(model, {});
    EXPECT_THROW(linearModes(compliance, 8, [](const std::string&, double fraction) { return fraction < 0.1; }),
                 Cancelled);
}

TEST(CanonicalTest, ForgetsSignsAndRotationsInClusters) {
    const FullModel model(test::beamMesh(squareBeam));
    const StaticCompliance compliance(model, {});
    const LinearModes modes = linearModes(compliance, 6);
    MatrixX turned = modes.shapes;
    turned.col(2) *= -1.0;
    const double c = std::cos(0.7), s = std::sin(0.7);
    turned.col(0) = c * modes.shapes.col(0) + s * modes.shapes.col(1);
    turned.col(1) = s * modes.shapes.col(0) - c * modes.shapes.col(1);
    const MatrixX before = turned;
    const MatrixX rotation = canonicalise(model.massMatrix(), modes.eigenvalues, 1e-6, turned);
    EXPECT_LT((turned - modes.shapes).cwiseAbs().maxCoeff(), 1e-10 * modes.shapes.cwiseAbs().maxCoeff());
    EXPECT_LT((before * rotation - turned).norm(), 1e-12 * turned.norm());
}

class EigenvalueOracles : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Meshes, EigenvalueOracles, ::testing::Values("bar", "arch", "grain"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, EigenvalueOracles,
                         ::testing::ValuesIn(test::outsideNames({"beam3", "beam3_tet", "simpleBridge_voxel",
                                                                 "simpleBridge_tet"})));

TEST_P(EigenvalueOracles, FreeAndFixed) {
    const std::string name = std::string("oracles/") + GetParam() + ".json";
    const nlohmann::json numbers = test::readReferenceJson(name);
    const FullModel model(readVeg(test::referencePath("meshes/" + numbers["mesh"].get<std::string>())));
    const bool roundedCells = model.mesh().kind == ElementKind::Brick && !test::isOwnReference(name);
    const double tolerance = roundedCells ? 2e-6 : test::isOwnReference(name) ? 1e-10 : 1e-8;
    const LinearModes free = linearModes(StaticCompliance(model, {}), 14);
    for (std::size_t j = 0; j < 14; ++j)
        EXPECT_NEAR(free.eigenvalues[static_cast<Eigen::Index>(j)] / numbers["eigenvalues_free"][6 + j].get<double>(),
                    1.0, tolerance);
    if (!numbers.contains("eigenvalues_fixed")) return;
    const std::string bou = std::string(GetParam()).rfind("beam3", 0) == 0 ? "beam3" : GetParam();
    const std::vector<int> fixed = readBou(test::referencePath("meshes/" + bou + ".bou"), model.mesh().vertexCount());
    ASSERT_EQ(static_cast<int>(fixed.size()), numbers["fixed_vertices"].get<int>());
    const LinearModes held = linearModes(StaticCompliance(model, fixed), 20);
    for (std::size_t j = 0; j < 20; ++j)
        EXPECT_NEAR(held.eigenvalues[static_cast<Eigen::Index>(j)] / numbers["eigenvalues_fixed"][j].get<double>(), 1.0,
                    tolerance);
}

}  // namespace
}  // namespace pliant
