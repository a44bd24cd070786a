// SPDX-License-Identifier: Zlib
#include "pliant/fem/Restriction.h"

#include "pliant/math/Error.h"

namespace pliant {

Restriction::Restriction(Eigen::Index size, const std::vector<int>& heldCoordinates)
    : m_position(static_cast<std::size_t>(size), 0) {
    for (const int held : heldCoordinates) m_position[static_cast<std::size_t>(held)] = -1;
    for (std::size_t i = 0; i < m_position.size(); ++i) {
        if (m_position[i] < 0) continue;
        m_position[i] = static_cast<int>(m_free.size());
        m_free.push_back(static_cast<int>(i));
    }
}

Restriction Restriction::ofVertices(const VolumeMesh& mesh, const std::vector<int>& fixedVertices) {
    std::vector<int> held;
    for (const int v : fixedVertices) {
        if (v < 0 || v >= mesh.vertexCount())
            throw Error("fixed vertices", "vertex " + std::to_string(v + 1) + " does not exist; the mesh has " +
                                              std::to_string(mesh.vertexCount()));
        for (int i = 0; i < 3; ++i) held.push_back(3 * v + i);
    }
    return Restriction(3 * static_cast<Eigen::Index>(mesh.vertexCount()), held);
}

SparseMatrix Restriction::reduced(const SparseMatrix& full) const {
    const auto position = [this](Eigen::Index i) { return m_position[static_cast<std::size_t>(i)]; };
    const auto entriesOf = [&](Eigen::Index j) {
        return SparseMatrix::InnerIterator(full, m_free[static_cast<std::size_t>(j)]);
    };
    SparseMatrix result(freeSize(), freeSize());
    int* outer = result.outerIndexPtr();
    outer[0] = 0;
    for (Eigen::Index j = 0; j < freeSize(); ++j) {
        outer[j + 1] = outer[j];
        for (auto it = entriesOf(j); it; ++it)
            if (position(it.row()) >= 0) ++outer[j + 1];
    }
    // Free coordinates keep their order, so rows stay sorted.
    result.resizeNonZeros(outer[freeSize()]);
    int slot = 0;
    for (Eigen::Index j = 0; j < freeSize(); ++j)
        for (auto it = entriesOf(j); it; ++it) {
            if (position(it.row()) < 0) continue;
            result.innerIndexPtr()[slot] = position(it.row());
            result.valuePtr()[slot++] = it.value();
        }
    return result;
}

MatrixX Restriction::reduced(const MatrixX& full) const {
    MatrixX result(freeSize(), full.cols());
    for (Eigen::Index j = 0; j < full.cols(); ++j)
        for (Eigen::Index i = 0; i < freeSize(); ++i) result(i, j) = full(m_free[static_cast<std::size_t>(i)], j);
    return result;
}

VectorX Restriction::reduced(const VectorX& full) const {
    VectorX result(freeSize());
    for (Eigen::Index i = 0; i < freeSize(); ++i) result[i] = full[m_free[static_cast<std::size_t>(i)]];
    return result;
}

MatrixX Restriction::expand(const MatrixX& restricted) const {
    MatrixX result = MatrixX::Zero(fullSize(), restricted.cols());
    for (Eigen::Index j = 0; j < restricted.cols(); ++j)
        for (Eigen::Index i = 0; i < freeSize(); ++i) result(m_free[static_cast<std::size_t>(i)], j) = restricted(i, j);
    return result;
}

VectorX Restriction::expand(const VectorX& restricted) const {
    VectorX result = VectorX::Zero(fullSize());
    for (Eigen::Index i = 0; i < freeSize(); ++i) result[m_free[static_cast<std::size_t>(i)]] = restricted[i];
    return result;
}

}  // namespace pliant
