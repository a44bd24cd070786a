// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/LatticeMatrices.h"

#include <optional>
#include <vector>

#include "pliant/fem/FullModel.h"

namespace pliant {
namespace {

constexpr double negligible = 1e-9;  // shares below are none: they add nothing but rounding

/// The tetrahedra that count, with the vertices that they use.
struct Part {
    VolumeMesh mesh;
    std::vector<int> vertices;  ///< of the whole mesh
};

std::optional<Part> partOf(const IntegrationMesh& cut, const VectorX& weight) {
    std::vector<Eigen::Index> elements;
    for (Eigen::Index e = 0; e < weight.size(); ++e)
        if (weight[e] > negligible) elements.push_back(e);
    if (elements.empty()) return std::nullopt;
    Part part;
    std::vector<int> number(static_cast<std::size_t>(cut.mesh.positions.cols()), -1);
    part.mesh.kind = cut.mesh.kind;
    part.mesh.materials = cut.mesh.materials;
    part.mesh.elements.resize(4, static_cast<Eigen::Index>(elements.size()));
    part.mesh.elementShare.resize(part.mesh.elements.cols());
    for (Eigen::Index k = 0; k < part.mesh.elements.cols(); ++k) {
        const Eigen::Index e = elements[static_cast<std::size_t>(k)];
        for (int c = 0; c < 4; ++c) {
            int& local = number[static_cast<std::size_t>(cut.mesh.elements(c, e))];
            if (local < 0) {
                local = static_cast<int>(part.vertices.size());
                part.vertices.push_back(cut.mesh.elements(c, e));
            }
            part.mesh.elements(c, k) = local;
        }
        part.mesh.elementMaterial.push_back(cut.mesh.elementMaterial[static_cast<std::size_t>(e)]);
        part.mesh.elementShare[k] = weight[e];
    }
    part.mesh.positions.resize(3, static_cast<Eigen::Index>(part.vertices.size()));
    for (std::size_t v = 0; v < part.vertices.size(); ++v)
        part.mesh.positions.col(static_cast<Eigen::Index>(v)) = cut.mesh.positions.col(part.vertices[v]);
    return part;
}

/// Rows of P at the part's vertices, `axes` times side by side.
SparseMatrix valuesAt(const SparseMatrix& values, const std::vector<int>& vertices, int axes) {
    std::vector<int> number(static_cast<std::size_t>(values.rows()), -1);
    for (std::size_t v = 0; v < vertices.size(); ++v)
        number[static_cast<std::size_t>(vertices[v])] = static_cast<int>(v);
    std::vector<Eigen::Triplet<double>> triplets;
    for (Eigen::Index a = 0; a < values.cols(); ++a)
        for (SparseMatrix::InnerIterator at(values, a); at; ++at)
            if (const int v = number[static_cast<std::size_t>(at.row())]; v >= 0 && at.value() != 0.0)
                for (int k = 0; k < axes; ++k)
                    triplets.emplace_back(axes * v + k, axes * static_cast<int>(a) + k, at.value());
    SparseMatrix part(axes * static_cast<Eigen::Index>(vertices.size()), axes * values.cols());
    part.setFromTriplets(triplets.begin(), triplets.end());
    return part;
}

/// Every third row and column of a matrix that is the same for all axes.
SparseMatrix oneAxis(const SparseMatrix& all) {
    std::vector<Eigen::Triplet<double>> triplets;
    for (Eigen::Index column = 0; column < all.cols(); column += 3)
        for (SparseMatrix::InnerIterator at(all, column); at; ++at)
            if (at.row() % 3 == 0)
                triplets.emplace_back(static_cast<int>(at.row() / 3), static_cast<int>(column / 3), at.value());
    SparseMatrix one(all.rows() / 3, all.cols() / 3);
    one.setFromTriplets(triplets.begin(), triplets.end());
    return one;
}

/// P' A P, symmetric to the last bit.
SparseMatrix projected(const SparseMatrix& A, const SparseMatrix& P) {
    const SparseMatrix product = SparseMatrix(P.transpose()) * SparseMatrix(A * P);
    return 0.5 * (product + SparseMatrix(product.transpose()));
}

}  // namespace

LatticeMatrices latticeMatrices(const IntegrationMesh& cut, const SparseMatrix& values, const VectorX& weight) {
    const std::optional<Part> part = partOf(cut, weight);
    if (!part) return {SparseMatrix(values.cols(), values.cols()), SparseMatrix(3 * values.cols(), 3 * values.cols())};
    const FullModel full(part->mesh);
    return {projected(oneAxis(full.massMatrix()), valuesAt(values, part->vertices, 1)),
            projected(full.restStiffness(), valuesAt(values, part->vertices, 3))};
}

SparseMatrix latticeProducts(const IntegrationMesh& cut, const SparseMatrix& values, const VectorX& weight) {
    const std::optional<Part> part = partOf(cut, weight);
    if (!part) return SparseMatrix(values.cols(), values.cols());
    const FullModel full(part->mesh);
    const SparseMatrix products = full.massMatrixOf(std::vector<double>(part->mesh.materials.size(), 1.0));
    return projected(oneAxis(products), valuesAt(values, part->vertices, 1));
}

}  // namespace pliant
