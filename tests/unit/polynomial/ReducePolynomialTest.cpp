// SPDX-License-Identifier: Zlib
// The polynomial is the projected full model: same energy, force and stiffness at large displacements.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "PolynomialMeshes.h"
#include "ReferenceData.h"
#include "pliant/fem/FullModel.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "unit/mesh/UnevenBoxes.h"

namespace {

using namespace pliant;
using test::block;
using test::mixedBlock;
using test::randomBasis;

class LawsAndElements : public ::testing::TestWithParam<ElementKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, LawsAndElements, ::testing::Values(ElementKind::Brick, ElementKind::Tetrahedron));

/// At random q that move the body by up to a third of its size.
void expectProjectedFullModel(const VolumeMesh& mesh) {
    const int r = 7;
    const FullModel full(mesh);
    const MatrixX U = randomBasis(mesh, r);
    const StrainEnergyPolynomial polynomial = reducePolynomial(mesh, U);
    const double body = (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).maxCoeff();
    unsigned seed = 10;
    for (const double size : {1e-3, 0.1, 1.0 / 3.0}) {
        VectorX q = test::randomMatrix(r, 1, seed++);
        q *= size * body / (U * q).cwiseAbs().maxCoeff();
        const VectorX u = U * q;
        const double energy = full.energy(u);
        EXPECT_NEAR(polynomial.energy(q), energy, 1e-9 * energy) << size;
        const VectorX force = U.transpose() * full.internalForce(u);
        EXPECT_LT((polynomial.force(q) - force).norm(), 1e-9 * force.norm()) << size;
        const MatrixX stiffness = U.transpose() * MatrixX(full.stiffness(u) * U);
        EXPECT_LT((polynomial.stiffness(q) - stiffness).norm(), 1e-9 * stiffness.norm()) << size;
    }
}

TEST_P(LawsAndElements, IsotropicRegionsEqualTheProjectedFullModel) {
    expectProjectedFullModel(block(GetParam(), 4, 2, 3));
}

TEST_P(LawsAndElements, OneOrthotropicMaterialEqualsTheProjectedFullModel) {
    VolumeMesh mesh = block(GetParam(), 2, 2, 2);
    mesh.materials = {test::orthotropicMaterial()};
    mesh.elementMaterial.assign(mesh.elementMaterial.size(), 0);
    expectProjectedFullModel(mesh);
}

TEST_P(LawsAndElements, OneGeneralMaterialEqualsTheProjectedFullModel) {
    VolumeMesh mesh = block(GetParam(), 2, 2, 2);
    mesh.materials = {test::generalMaterial()};
    mesh.elementMaterial.assign(mesh.elementMaterial.size(), 0);
    expectProjectedFullModel(mesh);
}

TEST_P(LawsAndElements, AllLawsSideBySideEqualTheProjectedFullModel) {
    expectProjectedFullModel(mixedBlock(GetParam(), 3, 2, 2));
}

TEST_P(LawsAndElements, CutElementsEqualTheProjectedFullModel) {
    VolumeMesh mesh = mixedBlock(GetParam(), 3, 2, 2);
    mesh.elementShare = VectorX::LinSpaced(mesh.elementCount(), 1.0, 0.05);
    if (GetParam() == ElementKind::Brick) mesh.elementBending = VectorX::LinSpaced(mesh.elementCount(), 0.01, 1.0);
    mesh.bendingFill = Vector3(0.4, 1.0, 0.7);
    expectProjectedFullModel(mesh);
}

TEST(ReducePolynomial, TurnedBricksEqualTheProjectedFullModel) {
    VolumeMesh mesh = block(ElementKind::Brick, 3, 2, 2);
    mesh.elementBending = VectorX::LinSpaced(mesh.elementCount(), 0.01, 1.0);
    mesh.bendingFill = Vector3(0.4, 1.0, 0.7);
    Matrix3 Q;
    Q << 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6;
    mesh.positions = (Q * mesh.positions).eval();
    expectProjectedFullModel(mesh);
}

TEST(ReducePolynomial, BricksInBoxesEqualTheProjectedFullModel) {
    for (const bool isThin : {false, true}) {
        VolumeMesh mesh = block(ElementKind::Brick, 3, 2, 2);
        mesh.elementShare = VectorX::LinSpaced(mesh.elementCount(), 1.0, 0.05);
        mesh.filledBoxes = test::unevenBoxes(mesh.elementCount());
        if (isThin) mesh.elementBending = VectorX::LinSpaced(mesh.elementCount(), 0.01, 1.0);
        expectProjectedFullModel(mesh);
        Matrix3 Q;
        Q << 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6;
        mesh.positions = (Q * mesh.positions).eval();
        expectProjectedFullModel(mesh);
    }
}

TEST_P(LawsAndElements, FullElementsHaveTheBitsOfThoseWithoutShares) {
    VolumeMesh mesh = mixedBlock(GetParam(), 3, 2, 2);
    const MatrixX U = randomBasis(mesh, 6);
    const StrainEnergyPolynomial plain = reducePolynomial(mesh, U);
    mesh.elementShare = mesh.elementBending = VectorX::Ones(mesh.elementCount());
    const StrainEnergyPolynomial full = reducePolynomial(mesh, U);
    EXPECT_EQ(full.linearStiffness, plain.linearStiffness);
    EXPECT_EQ(full.cubic, plain.cubic);
    EXPECT_EQ(full.quartic, plain.quartic);
}

// More coordinates than a chunk of the vectorised loops, and not a multiple of one.
TEST_P(LawsAndElements, ManyCoordinatesEqualTheProjectedFullModel) {
    const VolumeMesh mesh = mixedBlock(GetParam(), 2, 2, 1);
    const MatrixX U = randomBasis(mesh, 19);
    const VectorX q = 0.02 * test::randomMatrix(19, 1, 4);
    const VectorX force = U.transpose() * FullModel(mesh).internalForce(U * q);
    EXPECT_LT((reducePolynomial(mesh, U).force(q) - force).norm(), 1e-11 * force.norm());
}

// Editing constants is a weighted sum; nothing of the old ones is left.
TEST_P(LawsAndElements, PartsGiveEveryIsotropicMaterial) {
    VolumeMesh mesh = mixedBlock(GetParam(), 2, 2, 2);
    mesh.materials.push_back({"nowhere", 1.0, 1.0, 0.0});
    const MatrixX U = randomBasis(mesh, 5);
    const std::vector<EnergyParts> parts = reduceEnergyParts(mesh, U);
    ASSERT_EQ(parts.size(), 5u);
    EXPECT_EQ(parts[0].size(), 2u);
    EXPECT_EQ(parts[3].size(), 1u);
    EXPECT_EQ(parts[4][1].quartic.norm(), 0.0);
    EXPECT_EQ(parts[4][0].dimension(), 5);
    VolumeMesh edited = mesh;
    edited.materials[0].youngsModulus = 7e5;
    edited.materials[0].poissonRatio = 0.0;
    edited.materials[1].poissonRatio = 0.49;
    const StrainEnergyPolynomial sum = totalEnergy(edited, parts), whole = reducePolynomial(edited, U);
    EXPECT_LT((sum.linearStiffness - whole.linearStiffness).norm(), 1e-12 * whole.linearStiffness.norm());
    EXPECT_LT((sum.cubic - whole.cubic).norm(), 1e-12 * whole.cubic.norm());
    EXPECT_LT((sum.quartic - whole.quartic).norm(), 1e-12 * whole.quartic.norm());
}

// Uniform stretch of a block, worked by hand: u_x = q x, E_xx = q + q^2 / 2, energy V (lambda / 2 + mu) E_xx^2.
TEST(ReducePolynomial, StretchedBlockMatchesCalculus) {
    for (const ElementKind kind : {ElementKind::Brick, ElementKind::Tetrahedron}) {
        VolumeMesh mesh = block(kind, 2, 2, 2);
        mesh.elementMaterial.assign(mesh.elementMaterial.size(), 0);
        MatrixX U = MatrixX::Zero(3 * mesh.vertexCount(), 1);
        for (int v = 0; v < mesh.vertexCount(); ++v) U(3 * v, 0) = mesh.positions(0, v);
        const double c = 0.2 * 0.3 * 0.16 * (0.5 * mesh.materials[0].lameLambda() + mesh.materials[0].lameMu());
        const StrainEnergyPolynomial polynomial = reducePolynomial(mesh, U);
        EXPECT_NEAR(polynomial.linearStiffness(0, 0), 2.0 * c, 1e-12 * c);
        EXPECT_NEAR(polynomial.cubic[0], c, 1e-12 * c);
        EXPECT_NEAR(polynomial.quartic[0], 0.25 * c, 1e-12 * c);
    }
}

TEST(ReducePolynomial, SameBitsForAnyNumberOfThreads) {
    const VolumeMesh mesh = mixedBlock(ElementKind::Brick, 6, 5, 4);
    const MatrixX U = randomBasis(mesh, 18);
    const tbb::global_control allow(tbb::global_control::max_allowed_parallelism, 8);
    StrainEnergyPolynomial one;
    tbb::task_arena(1).execute([&] { one = reducePolynomial(mesh, U); });
    for (const int threads : {2, 5, 8}) {
        StrainEnergyPolynomial many;
        tbb::task_arena(threads).execute([&] { many = reducePolynomial(mesh, U); });
        EXPECT_EQ(one.linearStiffness, many.linearStiffness) << threads;
        EXPECT_EQ(one.cubic, many.cubic) << threads;
        EXPECT_EQ(one.quartic, many.quartic) << threads;
    }
}

// Three processes, one after the other: each sums its share, the last one adds all up.
TEST(ReducePolynomial, SharesOfProcessesHaveTheBitsOfOneProcess) {
    const VolumeMesh mesh = mixedBlock(ElementKind::Brick, 5, 4, 4);
    const MatrixX U = randomBasis(mesh, 6);
    std::vector<MatrixX> before;
    std::vector<EnergyParts> last;
    for (int process = 0; process < 3; ++process) {
        std::size_t call = 0;
        WorkShares own;
        own.count = 3;
        own.own = process;
        own.sumOfAll = [&](MatrixX& sum) {
            if (process > 0)
                sum = before[call] + sum;
            else
                before.emplace_back();
            before[call++] = sum;
        };
        last = reduceEnergyParts(mesh, U, {}, own);
    }
    const std::vector<EnergyParts> one = reduceEnergyParts(mesh, U, {}, {3}), plain = reduceEnergyParts(mesh, U);
    for (std::size_t m = 0; m < one.size(); ++m)
        for (std::size_t i = 0; i < one[m].size(); ++i) {
            EXPECT_EQ(last[m][i].quartic, one[m][i].quartic);
            EXPECT_EQ(last[m][i].cubic, one[m][i].cubic);
            EXPECT_LT((one[m][i].quartic - plain[m][i].quartic).norm(), 1e-13 * plain[m][i].quartic.norm());
        }
    EXPECT_THROW(reduceEnergyParts(mesh, U, {}, {2, 2}), Error);
}

TEST(ReducePolynomial, RefusesAForeignBasisAndStops) {
    const VolumeMesh mesh = block(ElementKind::Brick, 1, 1, 1);
    EXPECT_THROW(reducePolynomial(mesh, MatrixX::Zero(9, 2)), Error);
    EXPECT_THROW(reducePolynomial(mesh, randomBasis(mesh, 2), [](const std::string&, double) { return false; }),
                 Cancelled);
}

/// The same material three times, each in the words of another law.
void splitIntoLaws(VolumeMesh& mesh) {
    const ElasticMaterial plain = mesh.materials[0];
    ElasticMaterial orthotropic = plain, general = plain;
    orthotropic.law = MaterialLaw::Orthotropic;
    orthotropic.orthotropic = stableOrthotropic(Vector3::Constant(plain.youngsModulus), plain.poissonRatio);
    orthotropic.orthotropic.axes = test::orthotropicMaterial().orthotropic.axes;
    general.law = MaterialLaw::General;
    general.stiffness = stiffnessMatrix(plain);
    mesh.materials = {plain, orthotropic, general};
    for (int e = 0; e < mesh.elementCount(); ++e) mesh.elementMaterial[static_cast<std::size_t>(e)] = e % 3;
}

void expectOracle(const std::string& name, double tolerance, bool laws = false) {
    const nlohmann::json oracle = test::readReferenceJson("oracles/" + name + ".json");
    VolumeMesh mesh = readVeg(test::referencePath("meshes/" + oracle["mesh"].get<std::string>()));
    if (laws) splitIntoLaws(mesh);
    const double L = oracle["L"];
    MatrixX U(3 * mesh.vertexCount(), 6);
    for (int v = 0; v < mesh.vertexCount(); ++v)
        for (int j = 0; j < 6; ++j) {
            const Vector3 p = mesh.positions.col(v) / L;
            U(3 * v, j) = std::sin((j + 1) * p.y() + p.x() + 0.1 * j);
            U(3 * v + 1, j) = std::cos((j + 2) * p.z() - p.x());
            U(3 * v + 2, j) = std::sin((j + 1) * p.x() + 2.0 * p.y() + 0.2 * j);
        }
    const auto vector = [&](const char* key) {
        const std::vector<double> values = oracle[key].get<std::vector<double>>();
        return VectorX(Eigen::Map<const VectorX>(values.data(), static_cast<Eigen::Index>(values.size())));
    };
    const StrainEnergyPolynomial polynomial = reducePolynomial(mesh, U);
    const VectorX q = vector("reduced_q"), force = vector("reduced_force_q"), K = vector("reduced_stiffness_q");
    EXPECT_LT((polynomial.force(q) - force).norm(), tolerance * force.norm());
    const MatrixX computed = polynomial.stiffness(q);
    EXPECT_LT((Eigen::Map<const VectorX>(computed.data(), 36) - K).norm(), tolerance * K.norm());
}

TEST(ReducePolynomial, OraclesOfMixedMaterials) {
    for (const char* name : {"bar", "arch", "grain"}) expectOracle(name, 1e-12);
}

/// Rounded coordinates make bricks slightly unequal.
double outsideTolerance(const std::string& name) {
    return name == "beam3" || name == "simpleBridge_voxel" ? 1e-6 : 1e-9;
}

class OutsideOracles : public ::testing::TestWithParam<const char*> {};

TEST_P(OutsideOracles, ReducedForceAndStiffness) {
    expectOracle(GetParam(), outsideTolerance(GetParam()));
}

TEST_P(OutsideOracles, OfRegionsOfEveryLaw) {
    expectOracle(GetParam(), outsideTolerance(GetParam()), true);
}

INSTANTIATE_TEST_SUITE_P(Meshes, OutsideOracles,
                         ::testing::ValuesIn(test::outsideNames({"beam3", "beam3_tet", "simpleBridge_voxel",
                                                                 "simpleBridge_tet"})));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OutsideOracles);

}  // namespace
