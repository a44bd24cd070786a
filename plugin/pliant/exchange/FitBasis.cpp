// SPDX-License-Identifier: Zlib
#include "pliant/exchange/FitBasis.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/mesh/Embedding.h"

namespace pliant {
namespace {

using Triplets = std::vector<Eigen::Triplet<double>>;

/// Each pair of corners of each element once: the edges along which smoothness is asked for.
std::vector<std::pair<int, int>> cornerPairs(const VolumeMesh& mesh) {
    std::vector<std::pair<int, int>> pairs;
    for (int e = 0; e < mesh.elementCount(); ++e)
        for (Eigen::Index a = 0; a < mesh.elements.rows(); ++a)
            for (Eigen::Index b = 0; b < a; ++b)
                pairs.emplace_back(std::minmax(mesh.elements(a, e), mesh.elements(b, e)));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

/// Numbers of the free vertices among themselves, -1 for fixed ones.
std::vector<int> freeNumbers(int n, const std::vector<int>& fixed, int& count) {
    std::vector<int> number(static_cast<std::size_t>(n), 0);
    for (const int v : fixed) number[static_cast<std::size_t>(v)] = -1;
    count = 0;
    for (int& i : number)
        if (i == 0) i = count++;
    return number;
}

void addSymmetric(const std::vector<int>& number, int a, int b, double value, Triplets& entries) {
    const int i = number[static_cast<std::size_t>(a)], j = number[static_cast<std::size_t>(b)];
    if (i >= 0 && j >= 0) entries.emplace_back(i, j, value);
}

SparseMatrix normalMatrix(const VolumeMesh& mesh, const std::vector<MaterialPoint>& points,
                          const std::vector<int>& number, int unknowns) {
    constexpr double smoothness = 1e-9;  // against the mean weight of an observation
    Triplets entries;
    double trace = 0.0;
    for (const MaterialPoint& p : points)
        for (std::size_t a = 0; a < 8; ++a)
            for (std::size_t b = 0; b < 8; ++b) {
                const double value = p.weight[a] * p.weight[b];
                if (value == 0.0) continue;
                if (a == b) trace += value;
                addSymmetric(number, p.vertex[a], p.vertex[b], value, entries);
            }
    const double eps = smoothness * trace / mesh.vertexCount();
    for (const auto& [a, b] : cornerPairs(mesh)) {
        addSymmetric(number, a, a, eps, entries);
        addSymmetric(number, b, b, eps, entries);
        addSymmetric(number, a, b, -eps, entries);
        addSymmetric(number, b, a, -eps, entries);
    }
    SparseMatrix A(unknowns, unknowns);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
}

}  // namespace

FittedBasis fitBasis(const VolumeMesh& mesh, const Points& positions, const MatrixX& displacements,
                     const std::vector<int>& fixed) {
    const std::vector<MaterialPoint> points = embed(mesh, positions);
    const Eigen::Index r = displacements.cols();
    int unknowns = 0;
    const std::vector<int> number = freeNumbers(mesh.vertexCount(), fixed, unknowns);
    MatrixX right = MatrixX::Zero(unknowns, 3 * r);  // column 3 j + axis
    for (std::size_t s = 0; s < points.size(); ++s)
        for (std::size_t c = 0; c < 8; ++c) {
            const int row = number[static_cast<std::size_t>(points[s].vertex[c])];
            if (points[s].weight[c] == 0.0 || row < 0) continue;
            for (Eigen::Index j = 0; j < r; ++j)
                for (Eigen::Index k = 0; k < 3; ++k)
                    right(row, 3 * j + k) +=
                        points[s].weight[c] * displacements(3 * static_cast<Eigen::Index>(s) + k, j);
        }
    SymmetricSolver solver(SymmetricSolver::Kind::PositiveDefinite);
    solver.factor(normalMatrix(mesh, points, number, unknowns));
    const MatrixX solution = solver.solve(right);

    FittedBasis result;
    result.basis = MatrixX::Zero(3 * Eigen::Index(mesh.vertexCount()), r);
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (const int row = number[static_cast<std::size_t>(v)]; row >= 0)
            for (Eigen::Index j = 0; j < r; ++j)
                for (Eigen::Index k = 0; k < 3; ++k) result.basis(3 * v + k, j) = solution(row, 3 * j + k);
    result.residual = (interpolateBasis(points, result.basis) - displacements).norm() / displacements.norm();
    return result;
}

double fittedDensity(const VolumeMesh& mesh, const MatrixX& basis) {
    VolumeMesh unit = mesh;
    for (ElasticMaterial& material : unit.materials) material.density = 1.0;
    const FullModel model(std::move(unit));
    const MatrixX MU = model.massMatrix() * basis;
    return static_cast<double>(basis.cols()) / basis.cwiseProduct(MU).sum();
}

double fittedYoungsModulus(const VolumeMesh& mesh, const MatrixX& basis, const MatrixX& K0) {
    VolumeMesh unit = mesh;
    for (ElasticMaterial& material : unit.materials) material.youngsModulus = 1.0;
    const FullModel model(std::move(unit));
    const MatrixX KU = model.restStiffness() * basis;
    const double trace = basis.cwiseProduct(KU).sum(), modulus = K0.trace() / trace;
    return std::isfinite(modulus) && modulus > 0.0 ? modulus : std::numeric_limits<double>::quiet_NaN();
}

Normalisation normalisation(const SparseMatrix& M, const MatrixX& basis) {
    const MatrixX MU = M * basis;
    const MatrixX product = basis.transpose() * MU;
    const MatrixX error = product - MatrixX::Identity(basis.cols(), basis.cols());
    return {error.cwiseAbs().maxCoeff(), product.trace() / static_cast<double>(basis.cols())};
}

double slidingShare(const SparseMatrix& M, const MatrixX& basis) {
    const Eigen::Index n = basis.rows() / 3;
    const MatrixX MU = M * basis;
    double largest = 0.0;
    for (Eigen::Index j = 0; j < MU.cols(); ++j)
        largest = std::max(largest, Eigen::Map<const Points>(MU.col(j).data(), 3, n).rowwise().sum().norm());
    return largest / std::sqrt((M * VectorX::Ones(3 * n)).sum() / 3.0);
}

std::vector<int> heldVertices(const MatrixX& basis, double share) {
    const Eigen::Index n = basis.rows() / 3;
    VectorX size(n);
    for (Eigen::Index v = 0; v < n; ++v) size[v] = basis.middleRows<3>(3 * v).norm();
    const double limit = share * size.maxCoeff();
    std::vector<int> held;
    for (Eigen::Index v = 0; v < n; ++v)
        if (size[v] <= limit) held.push_back(static_cast<int>(v));
    return held;
}

}  // namespace pliant
