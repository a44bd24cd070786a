// SPDX-License-Identifier: Zlib
// Craig-Bampton components that are made here of a full model: what is imported vibrates and yields as that does.
#include <algorithm>

#include "../mesh/TemporaryFolder.h"
#include "../reduce/InputMeshes.h"
#include "pliant/basis/DenseSolvers.h"
#include "pliant/exchange/ImportCraigBampton.h"
#include "pliant/exchange/MatrixMarket.h"
#include "pliant/fem/FullModel.h"
#include "pliant/mesh/ReadVeg.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::lopsidedBricks;
using pliant::test::TemporaryFolder;
using testing::Contains;
using testing::HasSubstr;
using Numbers = std::vector<Eigen::Index>;

/// Three coordinates a vertex.
Numbers coordinatesOf(const std::vector<int>& vertices) {
    Numbers all;
    for (const int v : vertices)
        for (Eigen::Index k = 0; k < 3; ++k) all.push_back(3 * Eigen::Index(v) + k);
    return all;
}

Numbers without(const Numbers& some, Eigen::Index count) {
    Numbers rest;
    for (Eigen::Index i = 0; i < count; ++i)
        if (std::find(some.begin(), some.end(), i) == some.end()) rest.push_back(i);
    return rest;
}

MatrixX part(const MatrixX& A, const Numbers& rows, const Numbers& columns) {
    MatrixX result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
    for (Eigen::Index i = 0; i < result.rows(); ++i)
        for (Eigen::Index j = 0; j < result.cols(); ++j)
            result(i, j) = A(rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)]);
    return result;
}

/// A^-1 B, A symmetric.
MatrixX solvedBy(const MatrixX& A, const MatrixX& B) {
    MatrixX X(B.rows(), B.cols());
    for (Eigen::Index j = 0; j < B.cols(); ++j) X.col(j) = solveSymmetric(A, B.col(j));
    return X;
}

class CraigBampton : public testing::Test {
protected:
    CraigBampton() : m_full(lopsidedBricks()), m_K(m_full.restStiffness()), m_M(m_full.massMatrix()) {
        const int last = m_full.mesh().vertexCount() - 1;
        m_held = {0, 1, 2, 3};
        m_loaded = {last - 1, last};
        m_interface = m_held;
        m_interface.insert(m_interface.end(), m_loaded.begin(), m_loaded.end());
    }

    /// T: the interface's coordinates, and as many fixed-interface modes.
    MatrixX recovery(Eigen::Index modes) {
        const Numbers b = coordinatesOf(m_interface), i = without(b, m_K.rows());
        const MatrixX Kii = part(m_K, i, i);
        const SymmetricEigen fixed = symmetricEigen(Kii, part(m_M, i, i));
        m_fixedInterface = fixed.values;
        MatrixX inside(Kii.rows(), static_cast<Eigen::Index>(b.size()) + modes);
        inside << -solvedBy(Kii, part(m_K, i, b)), fixed.vectors.leftCols(modes);
        MatrixX T = MatrixX::Zero(m_K.rows(), inside.cols());
        for (std::size_t j = 0; j < b.size(); ++j) T(b[j], static_cast<Eigen::Index>(j)) = 1.0;
        for (std::size_t row = 0; row < i.size(); ++row) T.row(i[row]) = inside.row(static_cast<Eigen::Index>(row));
        return T;
    }

    /// Writes the component's folder.
    CraigBamptonImport written(const MatrixX& T) const {
        writeMatrixMarket(T.transpose() * m_M * T, m_folder.path("mass.mtx"));
        writeMatrixMarket(T.transpose() * m_K * T, m_folder.path("stiffness.mtx"));
        writeMatrixMarket(T, m_folder.path("recovery.mtx"));
        writeVeg(m_full.mesh(), m_folder.path("part.veg"));
        CraigBamptonImport files;
        findCraigBamptonFiles(m_folder.path(""), files);
        return files;
    }

    std::string hold(const std::vector<int>& vertices) const {
        std::string text;
        for (const int v : vertices) text += (text.empty() ? "" : ",") + std::to_string(v + 1);
        return m_folder.write("held.bou", text);
    }

    Eigen::Index allModes() const { return m_K.rows() - 3 * static_cast<Eigen::Index>(m_interface.size()); }

    TemporaryFolder m_folder;
    FullModel m_full;
    MatrixX m_K, m_M;
    std::vector<int> m_held, m_loaded, m_interface;
    VectorX m_fixedInterface;
};

TEST_F(CraigBampton, AFreeComponentWithAllModesHasTheWholeModelsFrequencies) {
    const ImportedModel it = importCraigBampton(written(recovery(allModes())));
    const VectorX full = symmetricEigen(m_K, m_M).values;
    ASSERT_EQ(it.model->dimension(), 60);
    EXPECT_FALSE(it.model->anchored);
    EXPECT_THAT(it.notes,
                Contains(HasSubstr("the first 60 of " + std::to_string(full.size() - 6) + " modes are taken")));
    for (Eigen::Index k = 0; k < 60; ++k) EXPECT_NEAR(it.model->restEigenvalues[k] / full[k + 6], 1.0, 1e-8) << k;
    EXPECT_NEAR(it.model->totalMass(), m_full.totalMass(), 1e-10 * m_full.totalMass());
    EXPECT_LT(it.model->inertia.translation.norm(), 1e-8 * std::sqrt(m_full.totalMass()));
}

TEST_F(CraigBampton, FewerModesComeDownToTheTrueFrequencies) {
    const VectorX full = symmetricEigen(m_K, m_M).values;
    VectorX last = VectorX::Constant(4, 1e300);
    for (const Eigen::Index modes : {2, 6, 14, 40}) {
        const ImportedModel it = importCraigBampton(written(recovery(modes)));
        EXPECT_EQ(it.model->dimension(), 18 + modes - 6);
        const VectorX now = it.model->restEigenvalues.head(4);
        for (Eigen::Index k = 0; k < 4; ++k) {
            EXPECT_LE(now[k], last[k] * (1.0 + 1e-9)) << k;  // a larger space (Rayleigh and Ritz)
            EXPECT_GE(now[k], full[k + 6] * (1.0 - 1e-9)) << k;
        }
        last = now;
    }
}

TEST_F(CraigBampton, HeldAtItsInterfaceItHasTheModesOfThat) {
    const MatrixX T = recovery(10);
    CraigBamptonImport files = written(T);
    files.fixedVertices = hold(m_interface);
    const ImportedModel it = importCraigBampton(files);
    EXPECT_TRUE(it.model->anchored);
    ASSERT_EQ(it.model->dimension(), 10);
    for (Eigen::Index k = 0; k < 10; ++k)
        EXPECT_NEAR(it.model->restEigenvalues[k] / m_fixedInterface[k], 1.0, 1e-9) << k;
}

// Constraint modes are the static answers to what pulls at the interface, so one mode of vibration is enough for these.
TEST_F(CraigBampton, YieldsToALoadAtItsInterfaceAsTheWholeModelDoes) {
    CraigBamptonImport files = written(recovery(1));
    files.fixedVertices = hold(m_held);
    const std::shared_ptr<const ReducedModel> shared = importCraigBampton(files).model;
    const ReducedModel& model = *shared;
    const Numbers loaded = coordinatesOf(m_loaded), freely = without(coordinatesOf(m_held), m_K.rows());
    const MatrixX U = pliant::test::meshBasis(model), stiffness = part(m_K, freely, freely);
    for (const Eigen::Index load : loaded) {
        VectorX force = VectorX::Zero(m_K.rows());
        force[load] = 3.0;
        const VectorX q = solveSymmetric(model.energy.linearStiffness, U.transpose() * force);
        const VectorX exact = solveSymmetric(stiffness, part(force, freely, {0}));
        EXPECT_LT((part(U * q, freely, {0}) - exact).norm(), 1e-8 * exact.norm()) << load;
    }
}

TEST_F(CraigBampton, TheMeshGetsTheMassOfTheMatrix) {
    const CraigBamptonImport files = written(recovery(8));
    VolumeMesh light = m_full.mesh();
    for (ElasticMaterial& material : light.materials) material.density *= 0.25;
    writeVeg(light, files.mesh);
    const ImportedModel it = importCraigBampton(files);
    EXPECT_NEAR(it.model->totalMass(), m_full.totalMass(), 1e-10 * m_full.totalMass());
    EXPECT_THAT(it.notes, testing::Not(Contains(HasSubstr("differ"))));
    light.materials[0].density *= 9.0;  // another centre of mass
    writeVeg(light, files.mesh);
    EXPECT_THAT(importCraigBampton(files).notes, Contains(HasSubstr("centre of mass or inertia differ")));
}

TEST_F(CraigBampton, StiffnessIsScaledAndModesAreChosen) {
    CraigBamptonImport files = written(recovery(8));
    const VectorX before = importCraigBampton(files).model->restEigenvalues;
    files.stiffnessScale = 4.0;
    files.modes = 5;
    const VectorX after = importCraigBampton(files).model->restEigenvalues;
    ASSERT_EQ(after.size(), 5);
    EXPECT_LT((after - 4.0 * before.head(5)).norm(), 1e-9 * after.norm());
}

TEST_F(CraigBampton, WhatDoesNotBelongTogetherIsRefused) {
    const MatrixX T = recovery(4);
    const CraigBamptonImport files = written(T);
    const auto problem = [&] { return errorOf([&] { importCraigBampton(files); }); };
    const MatrixX M = readMatrixMarket(files.mass), K = readMatrixMarket(files.stiffness);

    writeMatrixMarket(M.topLeftCorner(9, 9), files.mass);
    EXPECT_THAT(problem(), HasSubstr("it has s = 22 coordinates, " + files.mass + " has s = 9"));
    writeMatrixMarket(M.leftCols(7), files.mass);
    EXPECT_THAT(problem(), HasSubstr("22 rows and 7 columns"));
    writeMatrixMarket(M.triangularView<Eigen::Lower>(), files.mass);
    EXPECT_THAT(problem(), HasSubstr("the mass matrix is not symmetric"));
    writeMatrixMarket(M - 2.0 * M(0, 0) * MatrixX::Identity(22, 22), files.mass);
    EXPECT_THAT(problem(), HasSubstr("is not positive definite: its least eigenvalue is -"));
    writeMatrixMarket(M, files.mass);

    writeMatrixMarket(-K, files.stiffness);
    EXPECT_THAT(problem(), HasSubstr("is not positive: an eigenvalue is -"));
    writeMatrixMarket(K + 0.1 * K.norm() * MatrixX::Identity(22, 22), files.stiffness);
    EXPECT_THAT(problem(), HasSubstr("it resists rigid motion ("));
    writeMatrixMarket(MatrixX::Zero(22, 22), files.stiffness);
    EXPECT_THAT(problem(), HasSubstr("moves without resistance besides its rigid motion"));
    writeMatrixMarket(K, files.stiffness);

    writeMatrixMarket(T.leftCols(20), files.recovery);
    EXPECT_THAT(problem(), HasSubstr("it has s = 20 columns"));
    writeMatrixMarket(T.topRows(30), files.recovery);
    EXPECT_THAT(problem(), HasSubstr("the basis has 30 rows"));
    writeMatrixMarket(T.array().square().matrix(), files.recovery);
    EXPECT_THAT(problem(), HasSubstr("cannot move the mesh as a rigid body"));
}

TEST_F(CraigBampton, WhatIsMissingOrLooseIsNamed) {
    CraigBamptonImport files = written(recovery(4));
    files.fixedVertices = hold({0});
    EXPECT_THAT(errorOf([&] { importCraigBampton(files); }), HasSubstr("leave the component free to move; hold three"));
    files.fixedVertices.clear();
    files.modes = 400;
    EXPECT_THAT(errorOf([&] { importCraigBampton(files); }), HasSubstr("has 16 elastic modes, 400 are asked for"));
    files.recovery.clear();
    EXPECT_THAT(errorOf([&] { importCraigBampton(files); }), HasSubstr("recovery.mtx is missing"));
    writeVeg(m_full.mesh(), m_folder.path("another.veg"));
    CraigBamptonImport several;
    EXPECT_THAT(errorOf([&] { findCraigBamptonFiles(m_folder.path(""), several); }),
                HasSubstr("several simulation meshes"));
}

}  // namespace
