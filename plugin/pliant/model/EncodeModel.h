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

}  // namespace pliant
