// SPDX-License-Identifier: Zlib
// Internal: which points of pairs that ask for distributed contact touch (btPliantTouch.h).
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// Gives the pair what it needs for distributed contact where somebody has asked for it since the last call, or takes
/// it away. Not for several threads.
void updateTouch(ContactPair& pair);
/// Finds the points of a pair with `touch`; bodies and fields up to date. Of them up to four, far from each other,
/// become the pair's contacts, for manifolds and callbacks. @param step s
void findTouch(ContactPair& pair, const PlacedShape& placed, double step);
/// Notes the size that a shape has now: one that has another later has grown, and nothing near it rests.
void rememberShape(const btCollisionShape& shape, TouchRole& role);

}  // namespace btPliantInternal
