// SPDX-License-Identifier: Zlib
// Internal: coordinates beyond a body's level of detail.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Lets the coordinates beyond `detail` fade in a step of h seconds, and moves the body to its smaller batch when they
/// are zero.
void fadeDetail(BodyData& data, double h);

}  // namespace btPliantInternal
