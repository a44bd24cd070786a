// SPDX-License-Identifier: Zlib
// Which bones of a rig points follow.
#pragma once

#include <vector>

#include "pliant/rig/Rig.h"

namespace pliant {

/// One a bone: whether any point follows it.
std::vector<bool> carriesSkin(const Rig& rig);

}  // namespace pliant
