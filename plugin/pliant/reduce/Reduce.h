// SPDX-License-Identifier: Zlib
// mesh -> finite elements -> modes -> derivatives -> basis -> polynomials -> ReducedModel, on one screen.
#pragma once

#include <memory>
#include <string>

#include "pliant/math/Progress.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

/// Reads `input` (.obj surface, or .veg simulation mesh) and reduces it. Same input and options give the same bits,
/// whatever the number of threads. @throws Error for bad input, Cancelled when the callback says so.
std::shared_ptr<const ReducedModel> reduceFile(const std::string& input, const ReduceOptions& options,
                                               const ProgressCallback& progress = {});

}  // namespace pliant
