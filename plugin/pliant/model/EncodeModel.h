// SPDX-License-Identifier: Zlib
// ReducedModel -> sections of the model file.
#pragma once

#include <string>
#include <vector>

#include "pliant/model/ModelContainer.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// @param path the file that it is for: texture paths are stored relative to its folder where that is possible
std::vector<SectionBytes> encodeModel(const ReducedModel& model, const std::string& path);

/// The oldest file version whose readers understand the model: 5 for filled boxes, 4 for bricks that are turned, 2 for
/// materials that are not isotropic, else 1.
std::uint32_t neededVersion(const ReducedModel& model);

}  // namespace pliant
