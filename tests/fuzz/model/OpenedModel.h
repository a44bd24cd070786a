// SPDX-License-Identifier: Zlib
// A model file taken apart into its sections, and sealed again with right checksums.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "pliant/model/ModelContainer.h"

namespace pliant::fuzz {

struct OpenedModel {
    std::uint32_t version = 1;
    std::vector<SectionBytes> sections;
};

/// Nothing where the bytes are not laid out as a model file; checksums are not looked at.
std::optional<OpenedModel> openModel(const std::uint8_t* data, std::size_t size);
/// The file (docs/model-file.md).
std::vector<std::uint8_t> sealModel(const OpenedModel& model);
/// Changes one thing: mostly a number by a little, which a loader may accept, else bytes, words or whole sections.
void editModel(OpenedModel& model, std::mt19937& engine);

}  // namespace pliant::fuzz
