// SPDX-License-Identifier: Zlib
// How points that a lattice carries move with q.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

/// A point in a cell of a lattice.
struct LatticePoint {
    int cell = -1;
    Vector3 place = Vector3::Zero();  ///< Place in the cell, in its widths.
};

/// The cell that carries a point at rest; beyond the cells at the edge it moves as their border does. @param rest mesh
/// frame, m
PLIANT_INTERNAL_API LatticePoint latticePointAt(const ContactLattice& lattice, const Vector3& rest);

/// Velocities along several directions per unit q': out[k r + j] = directions[k] . U_j at the point.
/// @param directions mesh frame @param out count x r, written
PLIANT_INTERNAL_API void latticeBasisAlong(const ContactLattice& lattice, const LatticePoint& point,
                                           const Vector3* directions, int count, double* out);

/// The same for many points one after the other, of which those of a cell follow each other: what the corners of the
/// last cell move by is kept side by side, where the lattice has it column by column.
class PLIANT_INTERNAL_API LatticeCellBasis {
public:
    /// To be called before a lattice may be another one at the same address.
    void forget() { m_lattice = nullptr; }
    /// As latticeBasisAlong(), but for roundings; the same bits whatever was asked for before. Allocates where a
    /// lattice has more coordinates than those before.
    void along(const ContactLattice& lattice, const LatticePoint& point, const Vector3* directions, int count,
               double* out);

private:
    void gather(const ContactLattice& lattice, int cell);

    const ContactLattice* m_lattice = nullptr;
    int m_cell = -1;
    int m_stride = 0;                   ///< Numbers from one row to the next, r and zeros.
    std::vector<double> m_rows, m_sum;  ///< Of x, y and z of eight corners; working memory.
};

}  // namespace pliant
