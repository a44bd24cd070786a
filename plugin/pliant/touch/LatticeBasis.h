// SPDX-License-Identifier: Zlib
// How points that a lattice carries move with q.
#pragma once

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

}  // namespace pliant
