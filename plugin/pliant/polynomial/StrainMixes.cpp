// SPDX-License-Identifier: Zlib
#include "pliant/polynomial/StrainMixes.h"

#include <array>
#include <cmath>
#include <vector>

#include "pliant/math/EigenvalueSolver.h"
#include "pliant/polynomial/GaussPoints.h"

namespace pliant {
namespace {

using Degrees = std::array<int, 3>;

/// Gauss points of a strain component of a brick along each axis: 1 where it does not depend on the coordinate.
Degrees pointsOf(int component) {
    Degrees count = {3, 3, 3};
    if (component < 3) {
        count[static_cast<std::size_t>(component)] = 1;
        return count;
    }
    const int third = component - 3;  // yz, xz, xy
    for (int axis = 0; axis < 3; ++axis)
        if (axis != third) count[static_cast<std::size_t>(axis)] = 2;
    return count;
}

int firstRow(int component) {
    return component < 3 ? 9 * component : 27 + 12 * (component - 3);
}

bool has(int component, const Degrees& f) {
    const Degrees count = pointsOf(component);
    return f[0] < count[0] && f[1] < count[1] && f[2] < count[2];
}

/// Root of the weight of Gauss point g among `count`, times the polynomial of degree `degree` there.
double weighted(int count, int g, int degree) {
    const auto at = static_cast<std::size_t>(g);
    if (count == 1) return 1.0;
    if (count == 2) return std::sqrt(0.5) * legendre(degree, gauss2[at]);
    return std::sqrt(weight3[at]) * legendre(degree, gauss3[at]);
}

/// Coefficient of a component in the Legendre product f, as a row over the samples of the element.
Eigen::RowVectorXd coefficientRow(int component, const Degrees& f) {
    Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(63);
    const Degrees count = pointsOf(component);
    const double scale = component < 3 ? std::sqrt(0.5) : 1.0;  // samples of normal strains carry sqrt(2)
    int at = firstRow(component);
    for (int z = 0; z < count[2]; ++z)
        for (int y = 0; y < count[1]; ++y)
            for (int x = 0; x < count[0]; ++x)
                row[at++] =
                    scale * weighted(count[0], x, f[0]) * weighted(count[1], y, f[1]) * weighted(count[2], z, f[2]);
    return row;
}

std::vector<Degrees> polynomials() {
    std::vector<Degrees> all;
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 3; ++y)
            for (int x = 0; x < 3; ++x) all.push_back({x, y, z});
    return all;
}

/// Symmetric root of a positive semidefinite matrix.
Eigen::MatrixXd symmetricRoot(const Eigen::MatrixXd& C) {
    const EigenvalueSolver solver(C);
    const Eigen::VectorXd roots = solver.eigenvalues().cwiseMax(0.0).cwiseSqrt();
    return solver.eigenvectors() * roots.asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace

MatrixX traceMix(ElementKind kind) {
    if (kind == ElementKind::Tetrahedron) {
        MatrixX mix = MatrixX::Zero(1, 6);
        mix.leftCols<3>().setConstant(std::sqrt(0.5));
        return mix;
    }
    MatrixX mix(19, 63);
    Eigen::Index next = 0;
    for (const Degrees& f : polynomials()) {
        if (f[0] > 0 && f[1] > 0 && f[2] > 0) continue;
        Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(63);
        for (int component = 0; component < 3; ++component)
            if (has(component, f)) row += coefficientRow(component, f);
        mix.row(next++) = row;
    }
    return mix;
}

MatrixX materialMix(ElementKind kind, const Matrix6& C) {
    if (kind == ElementKind::Tetrahedron) {
        MatrixX mix = symmetricRoot(C);
        mix.leftCols<3>() *= std::sqrt(0.5);
        return mix;
    }
    MatrixX mix(63, 63);
    Eigen::Index next = 0;
    for (const Degrees& f : polynomials()) {
        std::vector<int> present;
        for (int component = 0; component < 6; ++component)
            if (has(component, f)) present.push_back(component);
        const auto count = static_cast<Eigen::Index>(present.size());
        if (count == 0) continue;
        Eigen::MatrixXd rows(count, 63), among(count, count);
        for (Eigen::Index i = 0; i < count; ++i) {
            const int component = present[static_cast<std::size_t>(i)];
            rows.row(i) = coefficientRow(component, f);
            for (Eigen::Index j = 0; j < count; ++j) among(i, j) = C(component, present[static_cast<std::size_t>(j)]);
        }
        mix.middleRows(next, count) = symmetricRoot(among) * rows;
        next += count;
    }
    return mix;
}

}  // namespace pliant
