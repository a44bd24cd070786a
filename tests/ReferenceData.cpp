// SPDX-License-Identifier: Zlib
#include "ReferenceData.h"

#include <nlohmann/json.hpp>

namespace pliant::test {

nlohmann::json readReferenceJson(const std::string& name) {
    std::ifstream file(referencePath(name));
    return nlohmann::json::parse(file);
}

}  // namespace pliant::test
