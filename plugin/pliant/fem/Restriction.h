// SPDX-License-Identifier: Zlib
// Some of the 3n coordinates are held at zero: what is left of vectors and matrices.
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"

namespace pliant {

class Restriction {
public:
    /// @param size 3n; @param heldCoordinates numbers in [0, size), any order, repeats allowed
    Restriction(Eigen::Index size, const std::vector<int>& heldCoordinates);
    /// Holds all three coordinates of the vertices (0-based). @throws Error for a vertex that does not exist.
    static Restriction ofVertices(const VolumeMesh& mesh, const std::vector<int>& fixedVertices);

    Eigen::Index fullSize() const { return static_cast<Eigen::Index>(m_position.size()); }  ///< 3n
    Eigen::Index freeSize() const { return static_cast<Eigen::Index>(m_free.size()); }      ///< m
    const std::vector<int>& freeCoordinates() const { return m_free; }                      ///< ascending

    SparseMatrix reduced(const SparseMatrix& full) const;  ///< m x m out of 3n x 3n
    MatrixX reduced(const MatrixX& full) const;            ///< m x k out of 3n x k
    VectorX reduced(const VectorX& full) const;
    MatrixX expand(const MatrixX& restricted) const;  ///< 3n x k out of m x k, zero where held
    VectorX expand(const VectorX& restricted) const;

private:
    std::vector<int> m_position;  ///< 3n: row among the free ones, or -1
    std::vector<int> m_free;
};

}  // namespace pliant
