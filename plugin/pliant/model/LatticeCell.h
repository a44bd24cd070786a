// SPDX-License-Identifier: Zlib
// Which cell of a lattice carries a point of the rest shape.
#pragma once

#include "pliant/math/InstructionTargets.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

/// Of a cell of the box the lattice cell that carries its points; those beyond the box belong to the cell beside them.
PLIANT_INLINE int latticeCellAt(const ContactLattice& lattice, const Vector3& rest) {
    int place[3];
    for (int k = 0; k < 3; ++k) {
        const double at = (rest[k] - lattice.origin[k]) / lattice.spacing, last = lattice.cells[k] - 1;
        place[k] = static_cast<int>(at > 0.0 ? (at < last ? at : last) : 0.0);  // what is no number lands at 0
    }
    const auto row = static_cast<std::size_t>(lattice.cells[0]), layer = static_cast<std::size_t>(lattice.cells[1]);
    return lattice.cellNumbers[static_cast<std::size_t>(place[0]) +
                               row * (static_cast<std::size_t>(place[1]) + layer * static_cast<std::size_t>(place[2]))];
}

/// Of a point in a cell, in widths of it from its lower corner.
inline Vector3 placeInLatticeCell(const ContactLattice& lattice, int cell, const Vector3& rest) {
    const Vector3 corner = lattice.origin + lattice.spacing * lattice.cellPlaces.col(cell).cast<double>();
    return (rest - corner) / lattice.spacing;
}

/// Whether a point of a shell, in widths from the lower corner of the cell that carries it, is where it may be: no more
/// than a cell outside, as far as the cell's polynomial is trusted. What is no number is not.
inline bool isCarried(const Vector3& place) {
    return place.minCoeff() >= -1.0 && place.maxCoeff() <= 2.0;
}

}  // namespace pliant
