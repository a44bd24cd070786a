// SPDX-License-Identifier: Zlib
// The polynomial is the projected full model: same energy, force and stiffness at large displacements.
#include <gtest/gtest.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cmath>
#include <random>

#include "ReferenceData.h"
#include "pliant/fem/FullModel.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/polynomial/ReducePolynomial.h"

namespace {

using namespace pliant;

/// a x b x c bricks of unequal sides, in two materials, one of them with a negative Poisson ratio.
VolumeMesh brickBlock(int a, int b, int c) {
    VolumeMesh mesh;
    mesh.kind = ElementKind::Brick;
    mesh.positions.resize(3, (a + 1) * (b + 1) * (c + 1));
    const auto number = [&](int i, int j, int k) { return (i * (b + 1) + j) * (c + 1) + k; };
    for (int i = 0; i <= a; ++i)
        for (int j = 0; j <= b; ++j)
            for (int k = 0; k <= c; ++k) mesh.positions.col(number(i, j, k)) = Vector3(0.1 * i, 0.15 * j, 0.08 * k);
    mesh.elements.resize(8, a * b * c);
    int e = 0;
    for (int i = 0; i < a; ++i)
        for (int j = 0; j < b; ++j)
            for (int k = 0; k < c; ++k, ++e)
                mesh.elements.col(e) << number(i, j, k), number(i + 1, j, k), number(i + 1, j + 1, k),
                    number(i, j + 1, k), number(i, j, k + 1), number(i + 1, j, k + 1), number(i + 1, j + 1, k + 1),
                    number(i, j + 1, k + 1);
    mesh.materials = {{"soft", 1000.0, 1e5, 0.45}, {"auxetic", 700.0, 3e6, -0.3}};
    for (e = 0; e < mesh.elementCount(); ++e) mesh.elementMaterial.push_back(e % 2);
    return mesh;
}

/// Every brick cut into six tetrahedra around its diagonal from corner 0 to corner 6.
VolumeMesh tetrahedraOf(const VolumeMesh& bricks) {
    const int around[] = {1, 2, 3, 7, 4, 5, 1};
    VolumeMesh mesh = bricks;
    mesh.kind = ElementKind::Tetrahedron;
    mesh.elements.resize(4, 6 * bricks.elementCount());
    mesh.elementMaterial.clear();
    for (int e = 0; e < bricks.elementCount(); ++e)
        for (int t = 0; t < 6; ++t) {
            const auto corner = [&](int c) { return bricks.elements(c, e); };
            mesh.elements.col(6 * e + t) << corner(0), corner(around[t]), corner(around[t + 1]), corner(6);
            mesh.elementMaterial.push_back(t % 2);
        }
    return mesh;
}

MatrixX randomBasis(const VolumeMesh& mesh, int r) {
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    MatrixX basis(3 * mesh.vertexCount(), r);
    for (Eigen::Index i = 0; i < basis.size(); ++i) basis.data()[i] = uniform(engine);
    return basis;
}

void expectProjectedFullModel(const VolumeMesh& mesh) {
    const int r = 7;
    const FullModel full(mesh);
    const MatrixX U = randomBasis(mesh, r);
    const StrainEnergyPolynomial polynomial = reducePolynomial(mesh, U);
    const double body = (mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff()).maxCoeff();
    for (const double size : {1e-3, 0.1, 1.0 / 3.0}) {
        VectorX q = VectorX::LinSpaced(r, -1.0, 0.8);
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

TEST(ReducePolynomial, BricksEqualTheProjectedFullModel) {
    expectProjectedFullModel(brickBlock(4, 2, 3));
}

TEST(ReducePolynomial, TetrahedraEqualTheProjectedFullModel) {
    expectProjectedFullModel(tetrahedraOf(brickBlock(3, 2, 2)));
}

// Uniform stretch of a block, worked by hand: u_x = q x, E_xx = q + q^2 / 2, energy V (lambda / 2 + mu) E_xx^2.
TEST(ReducePolynomial, StretchedBlockMatchesCalculus) {
    VolumeMesh mesh = brickBlock(2, 2, 2);
    mesh.elementMaterial.assign(8, 0);
    MatrixX U = MatrixX::Zero(3 * mesh.vertexCount(), 1);
    for (int v = 0; v < mesh.vertexCount(); ++v) U(3 * v, 0) = mesh.positions(0, v);
    const double c = 0.2 * 0.3 * 0.16 * (0.5 * mesh.materials[0].lameLambda() + mesh.materials[0].lameMu());
    for (const VolumeMesh& m : {mesh, tetrahedraOf(mesh)}) {
        VolumeMesh one = m;
        one.elementMaterial.assign(one.elementMaterial.size(), 0);
        const StrainEnergyPolynomial polynomial = reducePolynomial(one, U);
        EXPECT_NEAR(polynomial.linearStiffness(0, 0), 2.0 * c, 1e-12 * c);
        EXPECT_NEAR(polynomial.cubic[0], c, 1e-12 * c);
        EXPECT_NEAR(polynomial.quartic[0], 0.25 * c, 1e-12 * c);
    }
}

TEST(ReducePolynomial, SameBitsForAnyNumberOfThreads) {
    const VolumeMesh mesh = brickBlock(6, 5, 4);
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

TEST(ReducePolynomial, RefusesAForeignBasisAndStops) {
    const VolumeMesh mesh = brickBlock(1, 1, 1);
    EXPECT_THROW(reducePolynomial(mesh, MatrixX::Zero(9, 2)), Error);
    EXPECT_THROW(reducePolynomial(mesh, randomBasis(mesh, 2), [](const std::string&, double) { return false; }),
                 Cancelled);
}

void expectOracle(const std::string& name, double tolerance) {
    PLIANT_NEEDS_REFERENCE("oracles/" + name + ".json");
    const nlohmann::json oracle = test::readReferenceJson("oracles/" + name + ".json");
    const VolumeMesh mesh = readVeg(test::referencePath("meshes/" + oracle["mesh"].get<std::string>()));
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

TEST(ReducePolynomial, OracleOfTheBrickBeam) {
    expectOracle("beam3", 1e-6);
}

TEST(ReducePolynomial, OracleOfTheTetrahedralBeam) {
    expectOracle("beam3_tet", 1e-9);
}

}  // namespace
