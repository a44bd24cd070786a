// SPDX-License-Identifier: Zlib
// Internal: by how much contacts of solids close in a step. Steps in seconds, distances in metres.
#pragma once

#include "btPliant/data/ContactPair.h"
#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// What of a solid closes with a shape in a step: nothing, a round side, or a flat one.
enum class Closing { None, Round, Flat };

/// Says of contacts by how much they close in the step where they would end inside: else those of a side that swings
/// down behind one that touches first are taken for open. What is ahead of a wheel that rolls comes down, too, but does
/// not get deeper inside than what it rolls on, and a row of its own would stop the wheel (docs/internals/landings.md).
/// @return what closes of the whole pair; None where the other is a reduced body too
Closing noteClosing(const ContactPair& pair, const PlacedShape& placed, double step, SkeletonContacts& found);

}  // namespace btPliantInternal
