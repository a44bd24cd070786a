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

    /// Number 3n of all coordinates.
    Eigen::Index fullSize() const { return static_cast<Eigen::Index>(m_position.size()); }
    /// Number m of free coordinates.
    Eigen::Index freeSize() const { return static_cast<Eigen::Index>(m_free.size()); }
    /// Numbers of the free coordinates, ascending.
    const std::vector<int>& freeCoordinates() const { return m_free; }

    /// Part of a matrix on the free coordinates, m x m out of 3n x 3n.
    SparseMatrix reduced(const SparseMatrix& full) const;
    MatrixX reduced(const MatrixX& full) const;  ///< Rows of the free coordinates, m x k out of 3n x k.
    VectorX reduced(const VectorX& full) const;
    /// Rows of all coordinates, 3n x k out of m x k, zero where held.
    MatrixX expand(const MatrixX& restricted) const;
    VectorX expand(const VectorX& restricted) const;

private:
    std::vector<int> m_position;  ///< 3n: row among the free ones, or -1
    std::vector<int> m_free;
};

}  // namespace pliant
