// SPDX-License-Identifier: Zlib
// Every instruction set against plain double arithmetic, and independence of a body's bits of its neighbours.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstring>

#include "DenseAlgebra.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

using kernels::InstructionSet;
using kernels::lanes;

std::vector<InstructionSet> supportedSets() {
    std::vector<InstructionSet> sets;
    for (const InstructionSet set : {InstructionSet::Sse2, InstructionSet::Avx2, InstructionSet::Avx512})
        if (kernels::isSupported(set)) sets.push_back(set);
    return sets;
}

class Kernel : public ::testing::TestWithParam<InstructionSet> {
protected:
    void SetUp() override { kernels::force(GetParam()); }
    void TearDown() override { kernels::forceNone(); }
};

TEST_P(Kernel, ForcedSetIsUsed) {
    EXPECT_EQ(kernels::active().set, GetParam());
}

TEST_P(Kernel, PolynomialEqualsThePlainOne) {
    for (const int r : {1, 3, 8, 13}) {
        test::LumpedOptions options;
        options.dimension = r;
        const StrainEnergyPolynomial energy = test::makeLumpedSystem(options).model->energy;
        const MatrixX matrix = stiffnessCoefficients(energy);
        const kernels::CoefficientPanels<double> panels(matrix);
        const kernels::CoefficientPanels<float> singlePanels(matrix);
        const auto count = static_cast<std::size_t>(lanes);
        const auto columns = static_cast<std::size_t>(panels.columns), rows = static_cast<std::size_t>(panels.rows);
        std::vector<double> q(static_cast<std::size_t>(r) * count), x(columns * count), tangent(rows * count),
            secant(rows * count);
        std::vector<float> xSingle(x.size()), tangentSingle(tangent.size()), secantSingle(tangent.size());
        for (std::size_t i = 0; i < q.size(); ++i) q[i] = 0.3 * std::sin(1.7 * static_cast<double>(i));
        const kernels::Table& table = kernels::active();
        table.monomialsDouble(r, q.data(), x.data());
        table.monomialsSingle(r, q.data(), xSingle.data());
        table.polynomialDouble(panels.values.data(), panels.rows, r, panels.columns, 1, x.data(), tangent.data(),
                               secant.data());
        table.polynomialSingle(singlePanels.values.data(), panels.rows, r, panels.columns, 1, xSingle.data(),
                               tangentSingle.data(), secantSingle.data());
        for (int lane = 0; lane < lanes; lane += 5) {
            VectorX position(r);
            for (int j = 0; j < r; ++j) position[j] = q[static_cast<std::size_t>(j * lanes + lane)];
            const MatrixX K = energy.stiffness(position) - energy.linearStiffness;
            VectorX force = energy.force(position) - energy.linearStiffness * position;
            for (int a = 0; a < r; ++a)
                for (int b = a; b < r; ++b) {
                    const auto at = static_cast<std::size_t>(kernels::packedIndex(r, a, b) * lanes + lane);
                    EXPECT_NEAR(tangent[at], K(a, b), 1e-12 * K.norm());
                    EXPECT_NEAR(tangentSingle[at], K(a, b), 2e-6 * K.norm());
                    EXPECT_NEAR(secantSingle[at], secant[at], 2e-6 * K.norm());
                    force[a] -= secant[at] * position[b];
                    if (a != b) force[b] -= secant[at] * position[a];
                }
            EXPECT_LE(force.norm(), 1e-12 * K.norm());
            // One body alone: the same bits.
            std::vector<double> one(columns), oneTangent(rows), oneSecant(rows);
            std::vector<float> oneSingle(columns), oneTangentSingle(rows), oneSecantSingle(rows);
            for (std::size_t k = 0; k < columns; ++k) {
                one[k] = x[k * count + static_cast<std::size_t>(lane)];
                oneSingle[k] = xSingle[k * count + static_cast<std::size_t>(lane)];
            }
            table.polynomialOneDouble(panels.values.data(), panels.rows, r, panels.columns, one.data(),
                                      oneTangent.data(), oneSecant.data());
            table.polynomialOneSingle(singlePanels.values.data(), panels.rows, r, panels.columns, oneSingle.data(),
                                      oneTangentSingle.data(), oneSecantSingle.data());
            for (std::size_t row = 0; row < rows; ++row) {
                EXPECT_EQ(oneTangent[row], tangent[row * count + static_cast<std::size_t>(lane)]);
                EXPECT_EQ(oneSecant[row], secant[row * count + static_cast<std::size_t>(lane)]);
                EXPECT_EQ(oneTangentSingle[row], tangentSingle[row * count + static_cast<std::size_t>(lane)]);
                EXPECT_EQ(oneSecantSingle[row], secantSingle[row * count + static_cast<std::size_t>(lane)]);
            }
        }
    }
}

TEST_P(Kernel, FactorisationSolvesAndReportsIndefiniteLanes) {
    const kernels::Table& table = kernels::active();
    for (const int n : {4, 8, 12, 20}) {
        const int size = kernels::packedSize(n);
        std::vector<double> system(static_cast<std::size_t>(size * lanes)), b(static_cast<std::size_t>(n * lanes));
        std::vector<Eigen::MatrixXd> matrices;
        for (int lane = 0; lane < lanes; ++lane) {
            Eigen::MatrixXd A = Eigen::MatrixXd::NullaryExpr(n, n, [&](Eigen::Index i, Eigen::Index j) {
                return std::sin(1.0 + 3.1 * static_cast<double>(i) + 1.7 * static_cast<double>(j) + lane);
            });
            A = A * A.transpose() + Eigen::MatrixXd::Identity(n, n);
            if (lane % 7 == 3) A(n - 1, n - 1) -= 100.0;
            matrices.push_back(A);
            for (int i = 0; i < n; ++i) b[static_cast<std::size_t>(i * lanes + lane)] = std::cos(i + lane);
            for (int i = 0; i < n; ++i)
                for (int j = i; j < n; ++j)
                    system[static_cast<std::size_t>(kernels::packedIndex(n, i, j) * lanes + lane)] = A(i, j);
        }
        const std::vector<double> rhs = b;
        EXPECT_EQ(table.factor(n, system.data()), 1u << 3 | 1u << 10);
        table.solve(n, system.data(), b.data());
        std::vector<double> one(static_cast<std::size_t>(size)), many = rhs;
        for (int i = 0; i < size; ++i)
            one[static_cast<std::size_t>(i)] = system[static_cast<std::size_t>(i * lanes + 5)];
        table.solveMany(n, one.data(), many.data());
        std::vector<double> half = rhs;
        table.solveHalfMany(n, one.data(), half.data());
        for (int lane = 0; lane < lanes; ++lane) {
            Eigen::VectorXd x(n), load(n), y(n);
            for (int i = 0; i < n; ++i) {
                const auto at = static_cast<std::size_t>(i * lanes + lane);
                x[i] = b[at];
                load[i] = rhs[at];
                y[i] = many[at];
            }
            EXPECT_LT((matrices[5] * y - load).norm(), 1e-10 * y.norm() * matrices[5].norm());
            double square = 0.0;  // |U'^-1 b|^2 = b'S^-1 b
            for (int i = 0; i < n; ++i) square += std::pow(half[static_cast<std::size_t>(i * lanes + lane)], 2);
            EXPECT_NEAR(square, load.dot(y), 1e-10 * square);
            if (lane % 7 == 3) continue;
            EXPECT_LT((matrices[static_cast<std::size_t>(lane)] * x - load).norm(),
                      1e-13 * x.norm() * matrices[static_cast<std::size_t>(lane)].norm());
        }
    }
}

void disturb(BodyBatch& batch, int body, int kind) {
    for (int j = 0; j < batch.q(body).size(); ++j) {
        batch.q(body)[j] = 0.05 * std::sin(j + 3.0 * kind);
        batch.velocity(body)[j] = std::cos(2.0 * j + kind);
    }
    batch.resetAcceleration(body);
    FrameMotion frame;
    frame.angularVelocity = Vector3(1.0, 2.0, 0.5 + kind);
    batch.setFrame(body, frame);
}

// The same body alone, first of 3 and 29th of 40: the same bits after 20 steps.
TEST_P(Kernel, BitsDoNotDependOnTheNeighbours) {
    test::LumpedOptions options;
    options.dimension = 9;
    const test::LumpedSystem system = test::makeLumpedSystem(options);
    for (const bool doublePrecision : {false, true}) {
        std::vector<VectorX> results;
        for (const int count : {1, 3, 40}) {
            BatchSettings settings;
            settings.doublePrecision = doublePrecision;
            BodyBatch batch(system.model, settings);
            std::vector<int> bodies;
            for (int i = 0; i < count; ++i) bodies.push_back(batch.add());
            const int watched = count == 40 ? 29 : 0;
            for (const int body : bodies) disturb(batch, body, body == watched ? 7 : body);
            const Workers workers(1);
            for (int step = 0; step < 20; ++step) batch.step(0.01, bodies, workers);
            results.emplace_back(batch.q(watched));
        }
        EXPECT_EQ(results[0], results[1]);
        EXPECT_EQ(results[0], results[2]);
        EXPECT_TRUE(results[0].allFinite());
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, Kernel, ::testing::ValuesIn(supportedSets()));

// Known eigenvalues, some negative or small: those are raised, the rest and all eigenvectors stay.
TEST(SymmetricSystem, DefiniteInverseTakesAbsoluteEigenvaluesAndRaisesSmallOnes) {
    for (const int n : {1, 2, 3, 6, 11, 24}) {
        const Eigen::MatrixXd random = Eigen::MatrixXd::NullaryExpr(n, n, [](Eigen::Index i, Eigen::Index j) {
            return std::sin(1.3 * static_cast<double>((i + 1) * (j + 2)));
        });
        const Eigen::MatrixXd V = test::orthogonalFactor(random);
        const Eigen::VectorXd values = Eigen::VectorXd::LinSpaced(n, -3.0, 40.0);
        const auto size = static_cast<std::size_t>(kernels::packedSize(n));
        const auto full = [&](const std::vector<double>& packed) {
            Eigen::MatrixXd X(n, n);
            for (int i = 0; i < n; ++i)
                for (int j = i; j < n; ++j)
                    X(i, j) = X(j, i) = packed[static_cast<std::size_t>(kernels::packedIndex(n, i, j))];
            return X;
        };
        std::vector<double> S(size), inverse(size);
        const Eigen::MatrixXd A = V * values.asDiagonal() * V.transpose();
        for (int i = 0; i < n; ++i)
            for (int j = i; j < n; ++j) S[static_cast<std::size_t>(kernels::packedIndex(n, i, j))] = A(i, j);
        DefiniteInverse definite(n);
        ASSERT_TRUE(definite.compute(1.5, S.data(), inverse.data()));
        const Eigen::MatrixXd expected = V * values.cwiseAbs().cwiseMax(1.5).asDiagonal() * V.transpose();
        EXPECT_LT((full(S) - expected).norm(), 1e-12 * expected.norm()) << n;
        EXPECT_LT((expected * full(inverse) - Eigen::MatrixXd::Identity(n, n)).norm(), 1e-12 * n) << n;
    }
}

TEST(SymmetricSystem, DefiniteInverseRefusesNaN) {
    double S[3] = {1.0, std::nan(""), 4.0}, inverse[3];
    EXPECT_FALSE(DefiniteInverse(2).compute(1.0, S, inverse));
}

}  // namespace
}  // namespace pliant
