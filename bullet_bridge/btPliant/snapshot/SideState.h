// SPDX-License-Identifier: Zlib
// Internal: from which side the points of solids have come to each other (SurfaceSides), in a saved state.
#pragma once

#include <vector>

#include "btPliant/snapshot/StateNumbers.h"
#include "pliant/touch/SurfaceSides.h"

namespace btPliantInternal {

/// Sides of the points of one body.
struct SavedSides {
    pliant::Vector3 apart = pliant::Vector3::Zero();
    std::vector<pliant::SurfaceSide> entries;
};

void putSides(const pliant::SurfaceSides& sides, pliant::StateWriter& out);
void getSides(pliant::StateReader& in, SavedSides& sides);
/// Leaves out what a body of so many segments has not. @param sides of a pair that is there again
void applySides(const SavedSides& saved, int segments, pliant::SurfaceSides& sides);

}  // namespace btPliantInternal
