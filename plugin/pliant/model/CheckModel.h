// SPDX-License-Identifier: Zlib
// What must be true of every model, wherever it comes from, before the run time may trust it.
#pragma once

#include <string>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Sizes agree with r, n and d, indices are in range, numbers are finite, trees are well-formed.
/// @param where file name for messages. @throws Error naming `where`, the section and the reason.
void checkModel(const ReducedModel& model, const std::string& where);
/// The part of it that bodies move and collide by. Models made in memory may do without a mesh or a drawn surface.
/// @throws Error likewise
void checkMotion(const ReducedModel& model, const std::string& where);

}  // namespace pliant
