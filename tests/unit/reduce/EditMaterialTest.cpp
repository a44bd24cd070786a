// SPDX-License-Identifier: Zlib
// Models whose materials were edited, or that were cut to fewer coordinates, against reductions of the edited mesh.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <random>

#include "DenseAlgebra.h"
#include "InputMeshes.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/model/CheckModel.h"
#include "pliant/model/EditMaterial.h"
#include "pliant/model/GroupSums.h"
#include "pliant/model/TruncateModel.h"
#include "pliant/polynomial/ReduceDamping.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/BodyFrame.h"
#include "pliant/reduce/GroupParts.h"
#include "pliant/reduce/MassIntegrals.h"
#include "pliant/reduce/Reduce.h"
#include "unit/fem/BeamMesh.h"

namespace {

using namespace pliant;

/// The basis and the three translations.
Eigen::MatrixXd withTranslations(const MatrixX& U) {
    Eigen::MatrixXd result(U.rows(), U.cols() + 3);
    result.leftCols(U.cols()) = U;
    for (Eigen::Index row = 0; row < U.rows(); row += 3) result.block<3, 3>(row, U.cols()).setIdentity();
    return result;
}

void expectNear(const StrainEnergyPolynomial& a, const StrainEnergyPolynomial& b, double tolerance) {
    EXPECT_LT((a.linearStiffness - b.linearStiffness).norm(), tolerance * b.linearStiffness.norm());
    EXPECT_LT((a.cubic - b.cubic).norm(), tolerance * b.cubic.norm());
    EXPECT_LT((a.quartic - b.quartic).norm(), tolerance * b.quartic.norm());
}

template <typename List>
double distance(const List& a, const List& b) {
    double sum = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        sum += (a[i] - b[i]).squaredNorm();
        scale += b[i].squaredNorm();
    }
    return std::sqrt(sum / scale);
}

/// Everything in the model that follows from its mesh and its basis, computed from them.
void expectReductionOfItsMesh(const ReducedModel& model, MassKind kind = MassKind::Consistent) {
    const FullModel full(model.mesh, kind);
    const MatrixX U = test::meshBasis(model);
    const MatrixX gram = U.transpose() * MatrixX(full.massMatrix() * U);
    EXPECT_LT((gram - MatrixX::Identity(gram.rows(), gram.cols())).norm(), 1e-9);
    expectNear(model.energy, reducePolynomial(model.mesh, U), 1e-9);
    const BodyFrame frame = bodyFrame(full);
    EXPECT_LT((frame.meshFromBody.rotation - model.meshFromBody.rotation).norm(), 1e-9);
    EXPECT_LT((frame.meshFromBody.translation - model.meshFromBody.translation).norm(), 1e-9);
    EXPECT_LT((frame.principalInertia - model.inertia.principalInertia).norm(), 1e-9 * frame.principalInertia.norm());
    EXPECT_NEAR(model.inertia.mass / frame.mass, 1.0, 1e-12);
    const Points X =
        model.meshFromBody.rotation.transpose() * (model.mesh.positions.colwise() - model.meshFromBody.translation);
    const InertiaIntegrals integrals = massIntegrals(full.massMatrix(), X, model.basis);
    const double size = std::sqrt(frame.mass);
    EXPECT_LT((integrals.translation - model.inertia.translation).norm(), 1e-9 * size);
    EXPECT_LT((integrals.rotation - model.inertia.rotation).norm(), 1e-9 * size);
    EXPECT_LT(distance(model.inertia.first, integrals.first), 1e-9);
    EXPECT_LT(distance(model.inertia.second, integrals.second), 1e-9);
    EXPECT_LT(distance(model.inertia.coriolis, integrals.coriolis), 1e-9);
    if (!model.anchored) {
        EXPECT_LT(model.inertia.translation.norm(), 1e-9 * size);
    }
    expectNear(energyOfGroups(model), model.energy, 1e-12);
    EXPECT_LT(distance(inertiaOfGroups(model).first, integrals.first), 1e-9);
}

/// Surface, skeleton and trees follow the basis.
void expectSurfaceFollows(const ReducedModel& model) {
    const MatrixX rows = interpolateBasis(model.surfaceEmbedding, model.basis);
    EXPECT_LT((rows - model.surfaceBasis.cast<double>()).norm(), 1e-5 * rows.norm());
    std::mt19937 engine(4);
    std::uniform_real_distribution<float> uniform(-0.05f, 0.05f);
    VectorXf q(model.dimension());
    for (float& x : q) x = uniform(engine);
    for (int k = 0; k < model.triangleTree.nodeCount(); ++k) {
        const BDTreeNode& node = model.triangleTree.nodes[static_cast<std::size_t>(k)];
        const Eigen::Vector3f centre =
            model.triangleTree.restCentres.col(k) + model.triangleTree.centreBasis.middleRows<3>(3 * k) * q;
        const float radius =
            model.triangleTree.restRadii[k] + model.triangleTree.radiusCoefficients.col(k).dot(q.cwiseAbs());
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i)
            for (int c = 0; c < 3; ++c) {
                const int v = model.surface.triangles(c, model.triangleTree.items[static_cast<std::size_t>(i)]);
                const Eigen::Vector3f x =
                    model.surface.positions.col(v).cast<float>() + model.surfaceBasis.middleRows<3>(3 * v) * q;
                ASSERT_LE((x - centre).norm(), radius * 1.000001f);
            }
    }
}

/// Tetrahedra or bricks, three laws, free or held.
struct Case {
    ElementKind kind;
    bool held;
};

class EditMaterials : public ::testing::TestWithParam<Case> {
protected:
    void SetUp() override {
        VolumeMesh mesh = test::lopsidedBricks();
        if (GetParam().kind == ElementKind::Tetrahedron) mesh = test::tetrahedra(mesh);
        mesh.materials.push_back(test::orthotropicMaterial());
        mesh.materials.push_back(test::generalMaterial());
        for (int e = 0; e < mesh.elementCount(); e += 3)
            mesh.elementMaterial[static_cast<std::size_t>(e)] = 2 + e / 3 % 2;
        writeVeg(mesh, m_folder.file("shape.veg"));
        ReduceOptions options;
        options.modes = 4;
        options.dimension = 8;
        if (GetParam().held) options.fixedVertices = m_folder.write("held.bou", "1,2,3,4,5,6\n");
        m_model = reduceFile(m_folder.file("shape.veg"), options);
    }
    test::InputFolder m_folder;
    std::shared_ptr<const ReducedModel> m_model;
};
INSTANTIATE_TEST_SUITE_P(Shapes, EditMaterials,
                         ::testing::Values(Case{ElementKind::Brick, false}, Case{ElementKind::Brick, true},
                                           Case{ElementKind::Tetrahedron, false},
                                           Case{ElementKind::Tetrahedron, true}));

TEST_P(EditMaterials, UneditedGroupsAddUp) {
    expectReductionOfItsMesh(*m_model);
    const auto same = withMaterial(*m_model, {});
    EXPECT_EQ(same->energy.quartic, m_model->energy.quartic);
    EXPECT_EQ(same->restEigenvalues, m_model->restEigenvalues);
    EXPECT_EQ(same->elasticEigenvalues, m_model->elasticEigenvalues);
}

TEST_P(EditMaterials, StiffnessEqualsAReductionOfTheEditedMesh) {
    const auto edited = withMaterial(*m_model, {{0, 7e6, 0.1, {}, {}}, {2, {}, {}, 3.0, {}}, {3, {}, {}, 0.25, {}}});
    EXPECT_EQ(edited->mesh.materials[0].poissonRatio, 0.1);
    EXPECT_EQ(edited->mesh.materials[2].orthotropic.shearModuli,
              3.0 * test::orthotropicMaterial().orthotropic.shearModuli);
    EXPECT_EQ(edited->basis, m_model->basis);
    expectReductionOfItsMesh(*edited);
    EXPECT_EQ(edited->elasticEigenvalues.size(), 0);
    checkModel(*edited, "edited");
    // and back
    const ElasticMaterial& first = m_model->mesh.materials[0];
    const auto back = withMaterial(
        *edited,
        {{0, first.youngsModulus, first.poissonRatio, {}, {}}, {2, {}, {}, 1.0 / 3.0, {}}, {3, {}, {}, 4.0, {}}});
    expectNear(back->energy, m_model->energy, 1e-12);
}

TEST_P(EditMaterials, DensityEqualsAReductionOfTheEditedMesh) {
    const auto edited =
        withMaterial(*m_model, {{0, {}, {}, {}, 4000.0}, {3, {}, {}, 2.0, 100.0}, {1, 3e6, {}, {}, {}}});
    EXPECT_GT((edited->meshFromBody.translation - m_model->meshFromBody.translation).norm(), 1e-3);
    expectReductionOfItsMesh(*edited);
    expectSurfaceFollows(*edited);
    checkModel(*edited, "edited");
    // The same subspace, and the same spans of the first columns.
    const Eigen::MatrixXd before = withTranslations(test::meshBasis(*m_model)), U = test::meshBasis(*edited);
    for (const int s : {1, 3, 8}) {
        Eigen::MatrixXd span(before.rows(), s + 3);
        span << before.leftCols(s), before.rightCols(3);
        const Eigen::MatrixXd Us = U.leftCols(s);
        EXPECT_LT((test::projectedOnto(span, Us) - Us).norm(), 1e-9 * Us.norm()) << s;
    }
    // Editing an edited model again works on its own coordinates.
    const auto twice = withMaterial(*edited, {{1, {}, {}, {}, 50.0}});
    expectReductionOfItsMesh(*twice);
}

TEST_P(EditMaterials, ScalingTheWholeBodyScalesItsEigenvalues) {
    std::vector<MaterialEdit> edits;
    for (int m = 0; m < 4; ++m)
        edits.push_back({m, {}, {}, 3.0, 2.0 * m_model->mesh.materials[static_cast<std::size_t>(m)].density});
    const auto edited = withMaterial(*m_model, edits);
    EXPECT_LT((edited->elasticEigenvalues - 1.5 * m_model->elasticEigenvalues).norm(),
              1e-12 * m_model->elasticEigenvalues.norm());
    EXPECT_LT((edited->restEigenvalues - 1.5 * m_model->restEigenvalues).norm(),
              1e-9 * m_model->restEigenvalues.norm());
    EXPECT_LT((edited->basis - m_model->basis / std::sqrt(2.0)).norm(), 1e-9 * m_model->basis.norm());
    expectReductionOfItsMesh(*edited);
}

TEST_P(EditMaterials, FewerCoordinatesEqualAReductionWithThem) {
    const auto cut = truncated(*m_model, 5);
    EXPECT_EQ(cut->basis, m_model->basis.leftCols(5));
    expectReductionOfItsMesh(*cut);
    expectSurfaceFollows(*cut);
    checkModel(*cut, "cut");
    const auto edited = withMaterial(*cut, {{0, {}, {}, {}, 3000.0}});
    expectReductionOfItsMesh(*edited);
    EXPECT_THROW(truncated(*m_model, 0), Error);
    EXPECT_THROW(truncated(*m_model, 9), Error);
}

TEST_P(EditMaterials, DampingFollowsTheCoordinates) {
    ReducedModel model = *m_model;
    const std::vector<Matrix6> viscosity(4, isotropicViscosity(2.0, 3.0));
    model.damping = reduceDamping(model.mesh, test::meshBasis(model), viscosity);
    for (const auto& changed : {truncated(model, 4), withMaterial(model, {{1, {}, {}, {}, 9000.0}})}) {
        const MatrixX expected = reduceDamping(changed->mesh, test::meshBasis(*changed), viscosity).gram;
        EXPECT_LT((changed->damping.gram - expected).norm(), 1e-9 * expected.norm());
        EXPECT_EQ(changed->damping.r, changed->dimension());
    }
}

TEST_P(EditMaterials, LumpedMassHasItsOwnParts) {
    const FullModel full(m_model->mesh, MassKind::Lumped);
    ReducedModel model = *m_model;
    model.meshFromBody = bodyFrame(full).meshFromBody;
    model.basis = m_model->basis;
    model.materialGroups = materialGroups(full, reduceEnergyParts(model.mesh, test::meshBasis(model)), model);
    std::vector<MaterialEdit> edits = {{0, {}, {}, {}, 1234.0}};
    expectReductionOfItsMesh(*withMaterial(model, edits), MassKind::Lumped);
}

TEST_P(EditMaterials, OneYoungsModulusCannotReplaceTheConstantsOfAnotherLaw) {
    ReduceOptions options;
    options.youngsModulus = 1e6;
    std::string message;
    try {
        reduceFile(m_folder.file("shape.veg"), options);
    } catch (const Error& error) {
        message = error.what();
    }
    EXPECT_NE(message.find("material \"grain\": it is not isotropic"), std::string::npos) << message;
}

TEST_P(EditMaterials, RefusesImpossibleEdits) {
    const auto problem = [&](const MaterialEdit& edit) {
        try {
            withMaterial(*m_model, {edit});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    EXPECT_NE(problem({4, 1e6, {}, {}, {}}).find("there is no material 4: its mesh has 4"), std::string::npos);
    EXPECT_NE(problem({0, {}, 0.5, {}, {}}).find("Poisson ratio 0.5 means incompressible"), std::string::npos);
    EXPECT_NE(problem({2, 1e6, {}, {}, {}}).find("material \"grain\": it is not isotropic"), std::string::npos);
    EXPECT_NE(problem({2, {}, {}, -1.0, {}}).find("scaled by no positive number"), std::string::npos);
    EXPECT_NE(problem({1, {}, {}, {}, 0.0}).find("density 0 kg/m^3 is not positive"), std::string::npos);
    ReducedModel bare = *m_model;
    bare.materialGroups.clear();
    EXPECT_THROW(withMaterial(bare, {{0, 1e6, {}, {}, {}}}), Error);
}

}  // namespace
