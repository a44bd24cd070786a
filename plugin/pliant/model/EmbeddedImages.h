// SPDX-License-Identifier: Zlib
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Pictures of the model that are no files yet, by the names that they get in the folder of the model file `path`:
/// STEM_texture_1.png and so on.
std::vector<std::pair<std::string, std::shared_ptr<const EmbeddedImage>>> embeddedImages(const ReducedModel& model,
                                                                                         const std::string& path);

}  // namespace pliant
