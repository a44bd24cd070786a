// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <random>

#include "pliant/math/PolynomialSums.h"

namespace {

using namespace pliant;

MatrixX randomMatrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    MatrixX matrix(rows, columns);
    for (Eigen::Index i = 0; i < matrix.size(); ++i) matrix.data()[i] = uniform(engine);
    return matrix;
}

StrainEnergyPolynomial randomPolynomial(int r, unsigned seed) {
    StrainEnergyPolynomial polynomial = zeroPolynomial(r);
    const MatrixX K = randomMatrix(r, r, seed);
    polynomial.linearStiffness = K + K.transpose();
    polynomial.cubic = randomMatrix(polynomial.cubic.size(), 1, seed + 1);
    polynomial.quartic = randomMatrix(polynomial.quartic.size(), 1, seed + 2);
    return polynomial;
}

TEST(PolynomialSums, OtherCoordinatesHaveTheSameEnergy) {
    const StrainEnergyPolynomial polynomial = randomPolynomial(6, 1);
    for (const int s : {1, 4, 6, 8}) {
        const MatrixX T = randomMatrix(6, s, 20);
        const StrainEnergyPolynomial changed = transformed(polynomial, T);
        EXPECT_EQ(changed.dimension(), s);
        for (const unsigned seed : {30u, 31u}) {
            const VectorX x = randomMatrix(s, 1, seed);
            EXPECT_NEAR(changed.energy(x), polynomial.energy(T * x), 1e-11);
            EXPECT_LT((changed.force(x) - T.transpose() * polynomial.force(T * x)).norm(), 1e-11);
            EXPECT_LT((changed.stiffness(x) - T.transpose() * polynomial.stiffness(T * x) * T).norm(), 1e-10);
        }
    }
}

TEST(PolynomialSums, TheSameCoordinatesChangeNothing) {
    const StrainEnergyPolynomial polynomial = randomPolynomial(5, 3);
    const StrainEnergyPolynomial same = transformed(polynomial, MatrixX::Identity(5, 5));
    EXPECT_LT((same.quartic - polynomial.quartic).norm(), 1e-14 * polynomial.quartic.norm());
    EXPECT_LT((same.cubic - polynomial.cubic).norm(), 1e-14 * polynomial.cubic.norm());
}

TEST(PolynomialSums, FewerCoordinatesAreTheOthersHeldAtZero) {
    const StrainEnergyPolynomial polynomial = randomPolynomial(6, 5);
    for (const int s : {1, 3, 6}) {
        const StrainEnergyPolynomial fewer = truncated(polynomial, s);
        const VectorX x = randomMatrix(s, 1, 9);
        VectorX q = VectorX::Zero(6);
        q.head(s) = x;
        EXPECT_NEAR(fewer.energy(x), polynomial.energy(q), 1e-13);
        EXPECT_LT((fewer.stiffness(x) - polynomial.stiffness(q).topLeftCorner(s, s)).norm(), 1e-13);
    }
}

TEST(PolynomialSums, WeightedSums) {
    StrainEnergyPolynomial sum = zeroPolynomial(4);
    const StrainEnergyPolynomial a = randomPolynomial(4, 7), b = randomPolynomial(4, 8);
    addScaled(2.0, a, sum);
    addScaled(-3.0, b, sum);
    const VectorX q = randomMatrix(4, 1, 2);
    EXPECT_NEAR(sum.energy(q), 2.0 * a.energy(q) - 3.0 * b.energy(q), 1e-12);
}

}  // namespace
