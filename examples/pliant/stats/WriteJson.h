// SPDX-License-Identifier: Zlib
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace pliant::program {

/// @throws Error; nothing is left half-written
void writeJson(const std::string& path, const nlohmann::ordered_json& json);

}  // namespace pliant::program
