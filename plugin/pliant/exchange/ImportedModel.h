// SPDX-License-Identifier: Zlib
// A model that was read from files of others.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant {

struct ImportedModel {
    std::shared_ptr<const ReducedModel> model;
    std::vector<std::string> notes;  ///< what was taken, guessed or fitted, one sentence each, for the user to see
};

}  // namespace pliant
