// SPDX-License-Identifier: Zlib
// Distributed contact in a scene.
#pragma once

#include "btPliantScene/SceneData.h"

namespace btPliantInternal {

/// Has the pairs of data.scene.touches touch by distributed contact. @throws pliant::Error for bodies that are no
/// solids
void addTouches(SceneData& data);

}  // namespace btPliantInternal
