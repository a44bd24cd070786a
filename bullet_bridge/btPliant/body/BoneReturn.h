// SPDX-License-Identifier: Zlib
// Internal: bones on their way from where a ragdoll left them to what drives them.
//
// With x the share of the time that has passed and s(x) = 6 x^5 - 15 x^4 + 10 x^3, every bone is turned from its parent
// by the share s of the way from the ragdoll's turn to that of the drive, and so is its head in axes of the parent; the
// first bone likewise in the world. What the ragdoll did goes on with the velocity that it had, fading as 1 - s. So
// velocities and accelerations have no jump at either end, and the flesh feels none.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Notes how limbs stand and move. @param seconds that the way takes
BoneReturn beginReturn(const CharacterData& character, double seconds);
/// Makes of the drive's bones those on the way. @param elapsed s, since it began  @param bones T_b of the drive in,
/// those of the way out
void returnBones(const pliant::Skeleton& skeleton, double elapsed, BoneReturn& from,
                 std::vector<pliant::AffineMap>& bones);

}  // namespace btPliantInternal
