// SPDX-License-Identifier: Zlib
#include "pliant/math/PolynomialSums.h"

#include <algorithm>
#include <array>

namespace pliant {
namespace {

Eigen::Index sizeOf(std::size_t count) {
    return static_cast<Eigen::Index>(count);
}

/// Distinct orders of the factors of a monomial with ascending indices: its coefficient is that many equal entries of
/// the symmetric tensor.
template <std::size_t Degree>
double orders(const std::array<int, Degree>& ascending) {
    double all = 1.0, run = 1.0, repeats = 1.0;
    for (std::size_t i = 1; i < Degree; ++i) {
        all *= static_cast<double>(i + 1);
        run = ascending[i] == ascending[i - 1] ? run + 1.0 : 1.0;
        repeats *= run;
    }
    return all / repeats;
}

Eigen::Index pairOf(int r, int a, int b) {
    const auto [low, high] = std::minmax(a, b);
    return sizeOf(
        pairIndex(static_cast<std::size_t>(r), static_cast<std::size_t>(low), static_cast<std::size_t>(high)));
}

/// Every row holds a symmetric r x r matrix Q as its pairs; returns those of T' Q T.
MatrixX transformedRows(const MatrixX& rows, const MatrixX& T) {
    const int r = static_cast<int>(T.rows()), s = static_cast<int>(T.cols());
    MatrixX result(rows.rows(), sizeOf(StrainEnergyPolynomial::pairCount(static_cast<std::size_t>(s))));
    MatrixX Q(r, r);
    for (Eigen::Index row = 0; row < rows.rows(); ++row) {
        Eigen::Index at = 0;
        for (int i = 0; i < r; ++i)
            for (int j = i; j < r; ++j) Q(i, j) = Q(j, i) = rows(row, at++);
        const MatrixX QT = Q * T, changed = T.transpose() * QT;
        at = 0;
        for (int i = 0; i < s; ++i)
            for (int j = i; j < s; ++j) result(row, at++) = changed(i, j);
    }
    return result;
}

/// Symmetric tensor of the cubic part, r x p.
MatrixX cubicTensor(const StrainEnergyPolynomial& polynomial) {
    const int r = polynomial.dimension();
    MatrixX tensor(r, sizeOf(StrainEnergyPolynomial::pairCount(static_cast<std::size_t>(r))));
    Eigen::Index at = 0;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j)
            for (int k = j; k < r; ++k) {
                const double entry = polynomial.cubic[at++] / orders<3>({i, j, k});
                tensor(i, pairOf(r, j, k)) = tensor(j, pairOf(r, i, k)) = tensor(k, pairOf(r, i, j)) = entry;
            }
    return tensor;
}

/// Symmetric tensor of the quartic part, p x p.
MatrixX quarticTensor(const StrainEnergyPolynomial& polynomial) {
    const int r = polynomial.dimension();
    const Eigen::Index p = sizeOf(StrainEnergyPolynomial::pairCount(static_cast<std::size_t>(r)));
    MatrixX tensor(p, p);
    Eigen::Index at = 0;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j)
            for (int k = j; k < r; ++k)
                for (int l = k; l < r; ++l) {
                    const double entry = polynomial.quartic[at++] / orders<4>({i, j, k, l});
                    const auto put = [&](Eigen::Index a, Eigen::Index b) { tensor(a, b) = tensor(b, a) = entry; };
                    put(pairOf(r, i, j), pairOf(r, k, l));
                    put(pairOf(r, i, k), pairOf(r, j, l));
                    put(pairOf(r, i, l), pairOf(r, j, k));
                }
    return tensor;
}

}  // namespace

StrainEnergyPolynomial zeroPolynomial(int r) {
    const auto count = static_cast<std::size_t>(r);
    StrainEnergyPolynomial zero;
    zero.linearStiffness = MatrixX::Zero(r, r);
    zero.cubic = VectorX::Zero(sizeOf(StrainEnergyPolynomial::cubicCount(count)));
    zero.quartic = VectorX::Zero(sizeOf(StrainEnergyPolynomial::quarticCount(count)));
    return zero;
}

void addScaled(double weight, const StrainEnergyPolynomial& polynomial, StrainEnergyPolynomial& target) {
    target.linearStiffness += weight * polynomial.linearStiffness;
    target.cubic += weight * polynomial.cubic;
    target.quartic += weight * polynomial.quartic;
}

StrainEnergyPolynomial truncated(const StrainEnergyPolynomial& polynomial, int dimension) {
    const int r = polynomial.dimension(), s = dimension;
    StrainEnergyPolynomial result = zeroPolynomial(s);
    result.linearStiffness = polynomial.linearStiffness.topLeftCorner(s, s);
    Eigen::Index cubic = 0, quartic = 0, nextCubic = 0, nextQuartic = 0;
    for (int i = 0; i < r; ++i)
        for (int j = i; j < r; ++j)
            for (int k = j; k < r; ++k) {
                if (k < s) result.cubic[nextCubic++] = polynomial.cubic[cubic];
                ++cubic;
                if (k < s) result.quartic.segment(nextQuartic, s - k) = polynomial.quartic.segment(quartic, s - k);
                if (k < s) nextQuartic += s - k;
                quartic += r - k;
            }
    return result;
}

StrainEnergyPolynomial transformed(const StrainEnergyPolynomial& polynomial, const MatrixX& T) {
    const int s = static_cast<int>(T.cols());
    StrainEnergyPolynomial result = zeroPolynomial(s);
    const MatrixX K0 = T.transpose() * MatrixX(polynomial.linearStiffness * T);
    result.linearStiffness = 0.5 * (K0 + K0.transpose());
    const MatrixX cubic = T.transpose() * transformedRows(cubicTensor(polynomial), T);
    const MatrixX half = transformedRows(quarticTensor(polynomial), T).transpose();  // p' x p
    const MatrixX quartic = transformedRows(half, T);
    Eigen::Index nextCubic = 0, nextQuartic = 0;
    for (int i = 0; i < s; ++i)
        for (int j = i; j < s; ++j)
            for (int k = j; k < s; ++k) {
                result.cubic[nextCubic++] = orders<3>({i, j, k}) * cubic(i, pairOf(s, j, k));
                for (int l = k; l < s; ++l)
                    result.quartic[nextQuartic++] = orders<4>({i, j, k, l}) * quartic(pairOf(s, i, j), pairOf(s, k, l));
            }
    return result;
}

}  // namespace pliant
