// SPDX-License-Identifier: Zlib
#include "pliant/math/StrainEnergyPolynomial.h"

#include <algorithm>

namespace pliant {
namespace {

/// Calls visit(coefficient, i, j, k) for every stored cubic monomial i <= j <= k.
template <typename Visit>
void forEachCubic(const StrainEnergyPolynomial& polynomial, const Visit& visit) {
    const int r = polynomial.dimension();
    Eigen::Index next = 0;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j)
            for (int k = j; k < r; ++k) visit(polynomial.cubic[next++], i, j, k);
}

/// Calls visit(coefficient, i, j, k, l) for every stored quartic monomial i <= j <= k <= l.
template <typename Visit>
void forEachQuartic(const StrainEnergyPolynomial& polynomial, const Visit& visit) {
    const int r = polynomial.dimension();
    Eigen::Index next = 0;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j)
            for (int k = j; k < r; ++k)
                for (int l = k; l < r; ++l) visit(polynomial.quartic[next++], i, j, k, l);
}

}  // namespace

double StrainEnergyPolynomial::energy(const VectorX& q) const {
    double sum = 0.5 * q.dot(linearStiffness * q);
    forEachCubic(*this, [&](double c, int i, int j, int k) { sum += c * q[i] * q[j] * q[k]; });
    forEachQuartic(*this, [&](double c, int i, int j, int k, int l) { sum += c * q[i] * q[j] * q[k] * q[l]; });
    return sum;
}

VectorX StrainEnergyPolynomial::force(const VectorX& q) const {
    VectorX f = linearStiffness * q;
    // The derivative of a monomial is the sum over its factors, each left out once; repeated factors count repeatedly.
    forEachCubic(*this, [&](double c, int i, int j, int k) {
        f[i] += c * q[j] * q[k];
        f[j] += c * q[i] * q[k];
        f[k] += c * q[i] * q[j];
    });
    forEachQuartic(*this, [&](double c, int i, int j, int k, int l) {
        f[i] += c * q[j] * q[k] * q[l];
        f[j] += c * q[i] * q[k] * q[l];
        f[k] += c * q[i] * q[j] * q[l];
        f[l] += c * q[i] * q[j] * q[k];
    });
    return f;
}

MatrixX StrainEnergyPolynomial::stiffness(const VectorX& q) const {
    MatrixX K = linearStiffness;
    const auto add = [&K](int a, int b, double value) {
        K(a, b) += value;
        K(b, a) += value;
    };
    forEachCubic(*this, [&](double c, int i, int j, int k) {
        add(i, j, c * q[k]);
        add(i, k, c * q[j]);
        add(j, k, c * q[i]);
    });
    forEachQuartic(*this, [&](double c, int i, int j, int k, int l) {
        add(i, j, c * q[k] * q[l]);
        add(i, k, c * q[j] * q[l]);
        add(i, l, c * q[j] * q[k]);
        add(j, k, c * q[i] * q[l]);
        add(j, l, c * q[i] * q[k]);
        add(k, l, c * q[i] * q[j]);
    });
    return K;
}

MatrixX stiffnessCoefficients(const StrainEnergyPolynomial& polynomial) {
    const auto r = static_cast<std::size_t>(polynomial.dimension());
    const auto pairs = static_cast<Eigen::Index>(StrainEnergyPolynomial::pairCount(r));
    MatrixX coefficients = MatrixX::Zero(pairs, static_cast<Eigen::Index>(r) + pairs);
    const auto pair = [r](int a, int b) {
        const auto [low, high] = std::minmax(a, b);
        return static_cast<Eigen::Index>(pairIndex(r, static_cast<std::size_t>(low), static_cast<std::size_t>(high)));
    };
    // An off-diagonal entry (a, b) is reached once from the ordered factor pair, a diagonal one counts twice
    // (d2/dq_a^2).
    const auto weight = [](int a, int b) { return a == b ? 2.0 : 1.0; };
    forEachCubic(polynomial, [&](double c, int i, int j, int k) {
        coefficients(pair(i, j), k) += weight(i, j) * c;
        coefficients(pair(i, k), j) += weight(i, k) * c;
        coefficients(pair(j, k), i) += weight(j, k) * c;
    });
    const auto column = [&](int a, int b) { return static_cast<Eigen::Index>(r) + pair(a, b); };
    forEachQuartic(polynomial, [&](double c, int i, int j, int k, int l) {
        coefficients(pair(i, j), column(k, l)) += weight(i, j) * c;
        coefficients(pair(i, k), column(j, l)) += weight(i, k) * c;
        coefficients(pair(i, l), column(j, k)) += weight(i, l) * c;
        coefficients(pair(j, k), column(i, l)) += weight(j, k) * c;
        coefficients(pair(j, l), column(i, k)) += weight(j, l) * c;
        coefficients(pair(k, l), column(i, j)) += weight(k, l) * c;
    });
    return coefficients;
}

}  // namespace pliant
