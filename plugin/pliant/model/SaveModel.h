// SPDX-License-Identifier: Zlib
// Writing of model files that have more than a reduced model in them. Private to model/.
#pragma once

#include <string>
#include <vector>

#include "pliant/model/ModelContainer.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Of characters: a reader that knows no bones would take their flesh for a body that hangs in the air.
inline constexpr std::uint32_t characterFileVersion = 3;

/// Writes the model's textures and file, with more sections after its own. @param version at least that of the model
void writeModel(const ReducedModel& model, std::vector<SectionBytes> more, std::uint32_t version,
                const std::string& path);

}  // namespace pliant
