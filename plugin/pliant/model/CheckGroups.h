// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Material groups (none, or one per material with parts of the right number and size, whose weighted sum is the
/// model's energy and mass) and damping. @throws Error as checkModel
void checkGroups(const ReducedModel& model, const std::string& where);

}  // namespace pliant
