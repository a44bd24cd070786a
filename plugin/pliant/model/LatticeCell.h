// SPDX-License-Identifier: Zlib
// Which cell of a lattice carries a point of the rest shape.
#pragma once

#include "pliant/math/InstructionTargets.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

/// Of a cell of the box the lattice cell that carries its points; those beyond the box belong to the cell beside them.
PLIANT_INLINE int latticeCellAt(const ContactLattice& lattice, const Vector3& rest) {
    int place[3];
    const double perSpacing = 1.0 / lattice.spacing;
    for (int k = 0; k < 3; ++k) {
        const double at = (rest[k] - lattice.origin[k]) * perSpacing, last = lattice.cells[k] - 1;
        place[k] = static_cast<int>(at > 0.0 ? (at < last ? at : last) : 0.0);  // what is no number lands at 0
    }
    const auto row = static_cast<std::size_t>(lattice.cells[0]), layer = static_cast<std::size_t>(lattice.cells[1]);
    return lattice.cellNumbers[static_cast<std::size_t>(place[0]) +
                               row * (static_cast<std::size_t>(place[1]) + layer * static_cast<std::size_t>(place[2]))];
}

/// A place of the rest shape as its cell sees it.
struct LatticePlace {
    int cell = 0;
    float within[3] = {0.0f, 0.0f, 0.0f};  ///< Local coordinates in [0, 1].
    float beyond[3] = {0.0f, 0.0f, 0.0f};  ///< What is left of them.
};

/// @param rest mesh frame, m
PLIANT_INLINE LatticePlace latticePlace(const ContactLattice& lattice, const Vector3& rest) {
    LatticePlace place;
    place.cell = latticeCellAt(lattice, rest);
    const double perSpacing = 1.0 / lattice.spacing;
    for (int k = 0; k < 3; ++k) {
        const double at = (rest[k] - lattice.origin[k]) * perSpacing - lattice.cellPlaces(k, place.cell);
        const double inside = at > 0.0 ? (at < 1.0 ? at : 1.0) : 0.0;
        place.within[k] = static_cast<float>(inside);
        place.beyond[k] = static_cast<float>(at - inside);
    }
    return place;
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
