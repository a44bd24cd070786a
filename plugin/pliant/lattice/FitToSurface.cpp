// SPDX-License-Identifier: Zlib
#include "pliant/lattice/FitToSurface.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace pliant {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Entry = Eigen::Triplet<double>;

/// Drawn vertices, and the centres of the pieces of every triangle with sides longer than `spacing`, which are cut into
/// pieces that are not.
Points pointsOf(const SurfaceMesh& surface, double spacing) {
    constexpr int mostPieces = 64;
    std::vector<Vector3> points;
    for (int v = 0; v < surface.vertexCount(); ++v) points.emplace_back(surface.positions.col(v));
    for (int t = 0; t < surface.triangleCount(); ++t) {
        const auto corner = [&](int k) -> Vector3 { return surface.positions.col(surface.triangles(k % 3, t)); };
        double longest = 0.0;
        for (int k = 0; k < 3; ++k) longest = std::max(longest, (corner(k) - corner(k + 1)).norm());
        const int n = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, mostPieces);
        for (int i = 0; n > 1 && i < n; ++i)
            for (int k = 0; i + k < n; ++k) {
                const double u = (i + 1.0 / 3.0) / n, v = (k + 1.0 / 3.0) / n;
                points.push_back((1.0 - u - v) * corner(0) + u * corner(1) + v * corner(2));
            }
    }
    Points result(3, static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) result.col(static_cast<Eigen::Index>(i)) = points[i];
    return result;
}

/// Trilinear weights of the lattice's vertices at points, k x v.
Sparse interpolation(const ContactLattice& lattice, const Points& points, Eigen::Index vertices) {
    std::vector<Entry> entries;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
        const Vector3 t = (points.col(i) - lattice.origin) / lattice.spacing;
        Eigen::Vector3i at;
        for (int k = 0; k < 3; ++k) at[k] = std::clamp(static_cast<int>(std::floor(t[k])), 0, lattice.cells[k] - 1);
        const int cell =
            lattice
                .cellNumbers[static_cast<std::size_t>(at[0] + lattice.cells[0] * (at[1] + lattice.cells[1] * at[2]))];
        const Vector3 inside = t - lattice.cellPlaces.col(cell).cast<double>();
        for (int c = 0; c < 8; ++c) {
            double weight = 1.0;
            for (int k = 0; k < 3; ++k) weight *= (c >> k & 1) != 0 ? inside[k] : 1.0 - inside[k];
            entries.emplace_back(static_cast<int>(i), lattice.cellVertices(c, cell), weight);
        }
    }
    Sparse W(points.cols(), vertices);
    W.setFromTriplets(entries.begin(), entries.end());
    return W;
}

/// The sum over all sides of the cells of (difference of their ends)^2, and a little of each value's square: where
/// there is no surface, what is added fades.
Sparse roughness(const ContactLattice& lattice, Eigen::Index vertices) {
    std::vector<Entry> entries;
    for (int v = 0; v < vertices; ++v) entries.emplace_back(v, v, 0.01);
    for (Eigen::Index cell = 0; cell < lattice.cellVertices.cols(); ++cell)
        for (int c = 0; c < 8; ++c)
            for (const int side : {1, 2, 4}) {
                if ((c & side) != 0) continue;
                const int a = lattice.cellVertices(c, cell), b = lattice.cellVertices(c | side, cell);
                entries.emplace_back(a, a, 1.0);
                entries.emplace_back(b, b, 1.0);
                entries.emplace_back(a, b, -1.0);
                entries.emplace_back(b, a, -1.0);
            }
    Sparse L(vertices, vertices);
    L.setFromTriplets(entries.begin(), entries.end());
    return L;
}

/// 3k x r -> k x 3r: a point a row.
MatrixX byPoint(const MatrixX& rows) {
    MatrixX result(rows.rows() / 3, 3 * rows.cols());
    for (Eigen::Index j = 0; j < rows.cols(); ++j)
        for (Eigen::Index i = 0; i < result.rows(); ++i)
            for (int k = 0; k < 3; ++k) result(i, 3 * j + k) = rows(3 * i + k, j);
    return result;
}

}  // namespace

void fitToSurface(const SurfaceMesh& surface, const PointLocator& locator, const MatrixX& meshBasis,
                  const ContactLattice& lattice, MatrixX& rows) {
    const Eigen::Index v = rows.rows() / 3;
    const Points points = pointsOf(surface, 0.5 * lattice.spacing);
    std::vector<MaterialPoint> material;
    for (Eigen::Index i = 0; i < points.cols(); ++i) material.push_back(locator.locate(points.col(i)));
    const MatrixX wanted = byPoint(interpolateBasis(material, meshBasis));
    const Sparse W = interpolation(lattice, points, v);
    const MatrixX missing = wanted - W * byPoint(rows);
    if (missing.cwiseAbs().maxCoeff() <= 1e-7 * wanted.cwiseAbs().maxCoeff()) return;

    const Sparse normal = W.transpose() * W;
    constexpr double smoothing = 1e-3;  // of the roughness, against the mean weight of a point
    const double scale = normal.diagonal().sum() / static_cast<double>(v);
    const Eigen::SimplicialLDLT<Sparse> solver(normal + smoothing * scale * roughness(lattice, v));
    const MatrixX change = solver.solve(MatrixX(W.transpose() * missing));
    if (solver.info() != Eigen::Success || !change.allFinite()) return;  // no better than it was
    for (Eigen::Index j = 0; j < rows.cols(); ++j)
        for (Eigen::Index i = 0; i < v; ++i)
            for (int k = 0; k < 3; ++k) rows(3 * i + k, j) += change(i, 3 * j + k);
}

}  // namespace pliant
