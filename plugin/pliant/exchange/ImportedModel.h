// SPDX-License-Identifier: Zlib
/// @file
/// A model that was read from the files of another program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// A model that was read from the files of another program.
struct ImportedModel {
    std::shared_ptr<const ReducedModel> model;  ///< The model.
    /// What was taken, guessed or fitted, one sentence each, for the user to see.
    std::vector<std::string> notes;
};

}  // namespace pliant
