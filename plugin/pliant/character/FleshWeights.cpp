// SPDX-License-Identifier: Zlib
#include "pliant/character/FleshWeights.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

#include "pliant/fem/SymmetricSolver.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/Quadrature.h"

namespace pliant {
namespace {

constexpr double surfacePull = 100.0;
constexpr double smallest = 0.01;  // weights below are left out

using Triplets = std::vector<Eigen::Triplet<double>>;

/// int grad N_a . grad N_b.
void addLaplacian(const VolumeMesh& mesh, Triplets& triplets) {
    std::vector<ElementPoint> points;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        elementPoints(mesh, e, points, GaussRule::Cubic);
        for (Eigen::Index a = 0; a < mesh.elements.rows(); ++a)
            for (Eigen::Index b = 0; b < mesh.elements.rows(); ++b) {
                double sum = 0.0;
                for (const ElementPoint& p : points) sum += p.weight * p.gradients.row(a).dot(p.gradients.row(b));
                triplets.emplace_back(mesh.elements(a, e), mesh.elements(b, e), sum);
            }
    }
}

VectorX vertexAreas(const SurfaceMesh& surface) {
    VectorX areas = VectorX::Zero(surface.vertexCount());
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        const auto v = surface.triangles.col(t);
        const Vector3 a = surface.positions.col(v[0]), b = surface.positions.col(v[1]), c = surface.positions.col(v[2]);
        const double third = (b - a).cross(c - a).norm() / 6.0;
        for (int i = 0; i < 3; ++i) areas[v[i]] += third;
    }
    return areas;
}

/// The pull of the surface: matrix and right-hand sides, n x B.
void addSurface(const Rig& rig, const VolumeMesh& mesh, Triplets& triplets, MatrixX& right) {
    const std::vector<MaterialPoint> points = embed(mesh, rig.surface.positions);
    const VectorX areas = vertexAreas(rig.surface);
    const double pull = surfacePull / meanEdge(mesh);
    for (Eigen::Index s = 0; s < areas.size(); ++s) {
        const MaterialPoint& point = points[static_cast<std::size_t>(s)];
        for (std::size_t a = 0; a < 8; ++a) {
            if (point.weight[a] == 0.0) continue;
            for (std::size_t b = 0; b < 8; ++b)
                if (point.weight[b] != 0.0)
                    triplets.emplace_back(point.vertex[a], point.vertex[b],
                                          pull * areas[s] * point.weight[a] * point.weight[b]);
            for (Eigen::Index i = 0; i < 4; ++i)
                right(point.vertex[a], rig.weights.bones(i, s)) +=
                    pull * areas[s] * point.weight[a] * rig.weights.weights(i, s);
        }
    }
}

/// Four largest of a row, with the sum 1; the lower bone of equals.
void keepFour(const Eigen::Ref<const Eigen::RowVectorXd>& row, Eigen::Index vertex, SkinWeights& skin) {
    std::vector<std::pair<double, int>> all;
    for (Eigen::Index b = 0; b < row.size(); ++b)
        if (row[b] >= smallest) all.emplace_back(-row[b], static_cast<int>(b));
    if (all.empty()) {  // very many bones, each with very little
        Eigen::Index largest = 0;
        row.maxCoeff(&largest);
        all.emplace_back(-1.0, static_cast<int>(largest));
    }
    std::sort(all.begin(), all.end());
    if (all.size() > 4) all.resize(4);
    double sum = 0.0;
    for (const auto& [minus, bone] : all) sum -= minus;
    for (std::size_t i = 0; i < all.size(); ++i) {
        skin.bones(static_cast<Eigen::Index>(i), vertex) = all[i].second;
        skin.weights(static_cast<Eigen::Index>(i), vertex) = -all[i].first / sum;
    }
}

}  // namespace

SkinWeights fleshWeights(const Rig& rig, const VolumeMesh& mesh, const BoneCores& cores) {
    const Eigen::Index n = mesh.vertexCount(), B = rig.skeleton.boneCount();
    MatrixX right = MatrixX::Zero(n, B);
    Triplets triplets;
    addLaplacian(mesh, triplets);
    addSurface(rig, mesh, triplets, right);
    MatrixX fields = MatrixX::Zero(n, B);
    std::vector<int> freeNumber(static_cast<std::size_t>(n), -1);
    int freeCount = 0;
    for (Eigen::Index v = 0; v < n; ++v) {
        const int bone = cores.boneOf[static_cast<std::size_t>(v)];
        if (bone >= 0)
            fields(v, bone) = 1.0;
        else
            freeNumber[static_cast<std::size_t>(v)] = freeCount++;
    }
    Triplets inner;
    MatrixX b(freeCount, B);
    for (Eigen::Index v = 0; v < n; ++v)
        if (const int f = freeNumber[static_cast<std::size_t>(v)]; f >= 0) b.row(f) = right.row(v);
    for (const auto& t : triplets) {
        const int row = freeNumber[static_cast<std::size_t>(t.row())];
        const int column = freeNumber[static_cast<std::size_t>(t.col())];
        if (row >= 0 && column >= 0) inner.emplace_back(row, column, t.value());
        if (row >= 0 && column < 0) b.row(row) -= t.value() * fields.row(t.col());
    }
    SparseMatrix A(freeCount, freeCount);
    A.setFromTriplets(inner.begin(), inner.end());
    SymmetricSolver solver(SymmetricSolver::Kind::PositiveDefinite);
    solver.factor(A);
    const MatrixX solved = solver.solve(b);
    SkinWeights skin;
    skin.bones.setZero(4, n);
    skin.weights.setZero(4, n);
    for (Eigen::Index v = 0; v < n; ++v) {
        const int f = freeNumber[static_cast<std::size_t>(v)];
        keepFour(f >= 0 ? Eigen::RowVectorXd(solved.row(f)) : Eigen::RowVectorXd(fields.row(v)), v, skin);
    }
    return skin;
}

}  // namespace pliant
