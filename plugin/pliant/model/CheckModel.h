// SPDX-License-Identifier: Zlib
/// @file
/// What must be true of every model, wherever it comes from, before the run time may trust it.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Checks that sizes agree with r, n and d, indices are in range, numbers are finite, and trees are well-formed.
/// @param model the model
/// @param where file name for messages
/// @throws Error naming `where`, the section and the reason
PLIANT_API void checkModel(const ReducedModel& model, const std::string& where);
/// Checks the part of a model that bodies move and collide by. Models made in memory may do without a mesh or a drawn
/// surface.
/// @param model the model
/// @param where name for messages
/// @throws Error naming `where`, the section and the reason
PLIANT_API void checkMotion(const ReducedModel& model, const std::string& where);

}  // namespace pliant
