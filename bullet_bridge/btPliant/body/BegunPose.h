// SPDX-License-Identifier: Zlib
// Internal: whether the pose of a character at the end of the substep under way is known (CharacterPoses.h).
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Whatever was begun is asked for anew: the user has changed what drives a character, or how it falls. Wakes it.
void forgetBegun(BodyData& data);

}  // namespace btPliantInternal
