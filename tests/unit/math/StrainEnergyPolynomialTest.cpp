// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <random>

#include "pliant/math/StrainEnergyPolynomial.h"

namespace {

using pliant::MatrixX;
using pliant::StrainEnergyPolynomial;
using pliant::VectorX;

StrainEnergyPolynomial seededPolynomial(int r, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    const auto fill = [&](auto& values) {
        for (Eigen::Index i = 0; i < values.size(); ++i) values.data()[i] = uniform(engine);
    };
    StrainEnergyPolynomial p;
    MatrixX A(r, r);
    fill(A);
    p.linearStiffness = A + A.transpose();
    p.cubic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(static_cast<std::size_t>(r))));
    p.quartic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(static_cast<std::size_t>(r))));
    fill(p.cubic);
    fill(p.quartic);
    return p;
}

// One coordinate: E = 3/2 q^2 + 5 q^3 + 7 q^4, worked by hand.
TEST(StrainEnergyPolynomial, OneCoordinateMatchesCalculus) {
    StrainEnergyPolynomial p;
    p.linearStiffness = MatrixX::Constant(1, 1, 3.0);
    p.cubic = VectorX::Constant(1, 5.0);
    p.quartic = VectorX::Constant(1, 7.0);
    const VectorX q = VectorX::Constant(1, 0.5);
    EXPECT_DOUBLE_EQ(p.energy(q), 1.5 * 0.25 + 5.0 * 0.125 + 7.0 * 0.0625);
    EXPECT_DOUBLE_EQ(p.force(q)[0], 3.0 * 0.5 + 15.0 * 0.25 + 28.0 * 0.125);
    EXPECT_DOUBLE_EQ(p.stiffness(q)(0, 0), 3.0 + 30.0 * 0.5 + 84.0 * 0.25);
}

TEST(StrainEnergyPolynomial, EulerTheoremGivesForceFromStiffness) {
    const int r = 6;
    const StrainEnergyPolynomial p = seededPolynomial(r, 7);
    VectorX q = VectorX::LinSpaced(r, -0.7, 0.9);
    // Parts of K by degree, from K(q), K(-q) and K0: even part minus K0 is K2, odd part is K1.
    const MatrixX plus = p.stiffness(q), minus = p.stiffness(-q);
    const MatrixX K1 = 0.5 * (plus - minus), K2 = 0.5 * (plus + minus) - p.linearStiffness;
    const VectorX euler = p.linearStiffness * q + 0.5 * (K1 * q) + (1.0 / 3.0) * (K2 * q);
    EXPECT_LT((euler - p.force(q)).norm(), 1e-12 * p.force(q).norm());
}

TEST(StrainEnergyPolynomial, StiffnessCoefficientsReproduceStiffness) {
    const int r = 5;
    const StrainEnergyPolynomial p = seededPolynomial(r, 11);
    const VectorX q = VectorX::LinSpaced(r, -1.0, 0.6);
    const Eigen::Index pairs = r * (r + 1) / 2;
    VectorX monomials(r + pairs);
    monomials.head(r) = q;
    Eigen::Index next = r;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j) monomials[next++] = q[i] * q[j];
    const VectorX packed = pliant::stiffnessCoefficients(p) * monomials;
    const MatrixX K = p.stiffness(q);
    Eigen::Index row = 0;
    for (int a = 0; a < r; ++a)
        for (int b = a; b < r; ++b, ++row) EXPECT_NEAR(packed[row] + p.linearStiffness(a, b), K(a, b), 1e-12);
}

// Slopes of the Taylor remainders: 2 for energy -> force and for force -> stiffness.
TEST(StrainEnergyPolynomial, DerivativesConvergeWithOrderTwo) {
    const int r = 7;
    const StrainEnergyPolynomial p = seededPolynomial(r, 3);
    const VectorX q = VectorX::LinSpaced(r, -0.5, 0.5), d = VectorX::LinSpaced(r, 1.0, -0.3);
    double lastEnergy = 0.0, lastForce = 0.0;
    for (const double h : {1e-2, 5e-3}) {
        const double e = std::abs(p.energy(q + h * d) - p.energy(q) - h * d.dot(p.force(q)));
        const double f = (p.force(q + h * d) - p.force(q) - h * (p.stiffness(q) * d)).norm();
        if (lastEnergy > 0.0) {
            EXPECT_NEAR(std::log2(lastEnergy / e), 2.0, 0.05);
            EXPECT_NEAR(std::log2(lastForce / f), 2.0, 0.05);
        }
        lastEnergy = e;
        lastForce = f;
    }
}

}  // namespace
