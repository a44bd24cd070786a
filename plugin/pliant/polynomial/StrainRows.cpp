// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/StrainRows.h"

#include <array>
#include <cmath>

#include "pliant/mesh/ElementShape.h"

namespace pliant {
namespace {

constexpr int brickRows = 63;

// Gauss points and weights on [0, 1].
const std::array<double, 2> gauss2 = {0.5 - std::sqrt(1.0 / 12.0), 0.5 + std::sqrt(1.0 / 12.0)};
const std::array<double, 3> gauss3 = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
const std::array<double, 3> weight3 = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};

/// Orthonormal Legendre polynomial of degree `degree` <= 2 on [0, 1].
double legendre(int degree, double x) {
    const double s = 2.0 * x - 1.0;
    if (degree == 0) return 1.0;
    return degree == 1 ? std::sqrt(3.0) * s : std::sqrt(5.0) * 0.5 * (3.0 * s * s - 1.0);
}

/// dN_c / dX_axis of the eight corners at a point whose other two coordinates, in the order of the axes, are s and t.
Eigen::VectorXd brickSlopeWeights(int axis, double side, double s, double t) {
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    Eigen::VectorXd weights(8);
    for (std::size_t c = 0; c < 8; ++c) {
        const auto farEnd = [c](int k) { return brickCornerBit[c][static_cast<std::size_t>(k)] == 1; };
        weights[static_cast<Eigen::Index>(c)] =
            (farEnd(axis) ? 1.0 : -1.0) / side * (farEnd(first) ? s : 1.0 - s) * (farEnd(second) ? t : 1.0 - t);
    }
    return weights;
}

/// Sides of a brick as the full model sees it: at any point, dN/dx summed over the corners of the far face is 1 / side.
Vector3 brickSides(const ElementPoint& point) {
    return point.gradients.cwiseMax(0.0).colwise().sum().cwiseInverse().transpose();
}

/// C^(1/2) of `count` normal strains, lambda 11' + 2 mu 1, is root 1 + spread 11'.
struct NormalRoot {
    NormalRoot(double lambda, double mu, int count)
        : root(std::sqrt(2.0 * mu)), spread((std::sqrt(count * lambda + 2.0 * mu) - root) / count) {}
    double root, spread;
};

}  // namespace

StrainRows::StrainRows(const VolumeMesh& mesh, const MatrixX& basis) : m_mesh(mesh), m_basis(basis) {}

Eigen::Index StrainRows::rowsPerElement() const {
    return m_mesh.kind == ElementKind::Brick ? brickRows : 6;
}

Eigen::Index StrainRows::monomials() const {
    const Eigen::Index r = m_basis.cols();
    return r + r * (r + 1) / 2;
}

void StrainRows::fill(int element, double* columns) const {
    if (m_mesh.kind == ElementKind::Brick)
        fillBrick(element, columns);
    else
        fillTetrahedron(element, columns);
}

StrainRows::Slope StrainRows::slope(int element, const Eigen::VectorXd& cornerWeights) const {
    Slope result = Slope::Zero(m_basis.cols(), 3);
    for (Eigen::Index c = 0; c < cornerWeights.size(); ++c)
        result.matrix() +=
            cornerWeights[c] * m_basis.middleRows<3>(3 * Eigen::Index(m_mesh.elements(c, element))).transpose();
    return result;
}

// E_bb = d_b u_b + 1/2 |d_b u|^2
void StrainRows::normalStrain(const Slope& slope, Eigen::Index axis, Row row) const {
    const Eigen::Index r = m_basis.cols();
    row.head(r) = slope.col(axis);
    Eigen::Index at = r;
    for (Eigen::Index i = 0; i < r; ++i) {
        const Eigen::Index rest = r - i;
        row.segment(at, rest) = slope(i, 0) * slope.col(0).tail(rest) + slope(i, 1) * slope.col(1).tail(rest) +
                                slope(i, 2) * slope.col(2).tail(rest);
        row[at] *= 0.5;
        at += rest;
    }
}

// 2 E_ab = d_a u_b + d_b u_a + d_a u . d_b u
void StrainRows::shearStrain(const Slope& slopeA, Eigen::Index axisA, const Slope& slopeB, Eigen::Index axisB,
                             double scale, Row row) const {
    const Eigen::Index r = m_basis.cols();
    row.head(r) = slopeA.col(axisB) + slopeB.col(axisA);
    Eigen::Index at = r;
    for (Eigen::Index i = 0; i < r; ++i) {
        const Eigen::Index rest = r - i;
        row.segment(at, rest) = slopeA(i, 0) * slopeB.col(0).tail(rest) + slopeA(i, 1) * slopeB.col(1).tail(rest) +
                                slopeA(i, 2) * slopeB.col(2).tail(rest) + slopeB(i, 0) * slopeA.col(0).tail(rest) +
                                slopeB(i, 1) * slopeA.col(1).tail(rest) + slopeB(i, 2) * slopeA.col(2).tail(rest);
        row[at] *= 0.5;
        at += rest;
    }
    row *= scale;
}

void StrainRows::fillTetrahedron(int element, double* columns) const {
    std::vector<ElementPoint> points;
    elementPoints(m_mesh, element, points);
    const ElasticMaterial& material = m_mesh.materials[static_cast<std::size_t>(points[0].material)];
    const double lambda = material.lameLambda(), mu = material.lameMu(), scale = std::sqrt(points[0].weight);
    const Eigen::Index N = monomials();
    const std::array<Slope, 3> slopes = {slope(element, points[0].gradients.col(0)),
                                         slope(element, points[0].gradients.col(1)),
                                         slope(element, points[0].gradients.col(2))};
    for (int axis = 0; axis < 3; ++axis)
        normalStrain(slopes[static_cast<std::size_t>(axis)], axis, Row(columns + axis * N, N));
    const NormalRoot C(lambda, mu, 3);
    Eigen::Map<Eigen::ArrayXXd> normal(columns, N, 3);
    const Eigen::ArrayXd trace = normal.rowwise().sum();
    normal = scale * (C.root * normal + C.spread * trace.replicate(1, 3));
    for (int k = 0; k < 3; ++k) {  // yz, zx, xy
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        shearStrain(slopes[static_cast<std::size_t>(a)], a, slopes[static_cast<std::size_t>(b)], b,
                    scale * std::sqrt(mu), Row(columns + (3 + k) * N, N));
    }
}

void StrainRows::fillBrick(int element, double* columns) const {
    std::vector<ElementPoint> points;
    elementPoints(m_mesh, element, points, GaussRule::Cubic);
    const ElasticMaterial& material = m_mesh.materials[static_cast<std::size_t>(points[0].material)];
    const double lambda = material.lameLambda(), mu = material.lameMu();
    const Vector3 sides = brickSides(points[0]);
    const double volume = sides.prod();
    const Eigen::Index N = monomials();

    // d u / dX_axis at 3 x 3 Gauss points of the other two axes, in their order, the first of them fastest.
    std::array<std::vector<Slope>, 3> fine;
    for (int axis = 0; axis < 3; ++axis)
        for (const double t : gauss3)
            for (const double s : gauss3)
                fine[static_cast<std::size_t>(axis)].push_back(
                    slope(element, brickSlopeWeights(axis, sides[axis], s, t)));
    fillNormalRows(fine.data(), lambda, mu, volume, columns);
    columns += 27 * N;

    // Shear of axes a < b: degree 1 along both, degree 2 along the third axis c.
    for (int c = 0; c < 3; ++c) {
        const int a = c == 0 ? 1 : 0, b = c == 2 ? 1 : 2;
        for (std::size_t k = 0; k < 3; ++k) {
            std::array<Slope, 2> alongA, alongB;  // at the two points of the other axis
            for (std::size_t g = 0; g < 2; ++g) {
                const auto at = [&](int axis, int other) {  // other: a or b; the second coordinate is along c
                    return other < c ? brickSlopeWeights(axis, sides[axis], gauss2[g], gauss3[k])
                                     : brickSlopeWeights(axis, sides[axis], gauss3[k], gauss2[g]);
                };
                alongA[g] = slope(element, at(a, b));
                alongB[g] = slope(element, at(b, a));
            }
            const double scale = std::sqrt(0.25 * weight3[k] * volume * mu);
            for (const Slope& slopeA : alongA)
                for (const Slope& slopeB : alongB) {
                    shearStrain(slopeA, a, slopeB, b, scale, Row(columns, N));
                    columns += N;
                }
        }
    }
}

// Coefficients of E_xx, E_yy and E_zz in products of Legendre polynomials (degree <= 2 along each axis, 0 along the own
// one); polynomials that several of the three have are coupled through C.
void StrainRows::fillNormalRows(const std::vector<Slope>* slopes, double lambda, double mu, double volume,
                                double* columns) const {
    const Eigen::Index N = monomials();
    Eigen::ArrayXd strain(N);
    std::array<Eigen::ArrayXXd, 3> coefficients;  // N x 9, column 3 * (degree of the second axis) + that of the first
    for (std::size_t axis = 0; axis < 3; ++axis) {
        coefficients[axis] = Eigen::ArrayXXd::Zero(N, 9);
        for (std::size_t point = 0; point < 9; ++point) {
            const std::size_t s = point % 3, t = point / 3;
            normalStrain(slopes[axis][point], static_cast<Eigen::Index>(axis), Row(strain.data(), N));
            for (int k = 0; k < 9; ++k)
                coefficients[axis].col(k) +=
                    (weight3[s] * weight3[t] * legendre(k % 3, gauss3[s]) * legendre(k / 3, gauss3[t])) * strain;
        }
    }
    const double scale = std::sqrt(volume);
    for (int f = 0; f < 27; ++f) {
        const std::array<int, 3> degree = {f % 3, f / 3 % 3, f / 9};
        std::array<Eigen::Index, 3> column{};
        int count = 0;
        Eigen::ArrayXd trace = Eigen::ArrayXd::Zero(N);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            column[axis] = -1;
            if (degree[axis] != 0) continue;
            column[axis] = degree[axis == 0 ? 1 : 0] + 3 * degree[axis == 2 ? 1 : 2];
            trace += coefficients[axis].col(column[axis]);
            ++count;
        }
        if (count == 0) continue;
        const NormalRoot C(lambda, mu, count);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (column[axis] < 0) continue;
            Row(columns, N) = scale * (C.root * coefficients[axis].col(column[axis]) + C.spread * trace);
            columns += N;
        }
    }
}

}  // namespace pliant
