// SPDX-License-Identifier: Zlib
// mesh -> finite elements -> modes -> derivatives -> basis -> polynomials -> ReducedModel, on one screen.
#pragma once

#include <memory>
#include <string>

#include "pliant/math/Progress.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ReduceOptions.h"
#include "pliant/reduce/ReductionReport.h"

namespace pliant {

/// Reads `input` (a surface, or a simulation mesh) and reduces it. Same input and options give the same bits, whatever
/// the number of threads, cached shapes or not.
/// @param progress stages "mesh", those of basis/Basis.h, "polynomials", "surface", "trees" and others of contact
/// @param report   filled as the work goes on: `estimate` and `notes` before the first stage after "mesh" is told, the
///                 rest at the end; may be null
/// @throws Error for bad input, Cancelled when the callback says so; nothing is written but the cache
std::shared_ptr<const ReducedModel> reduceFile(const std::string& input, const ReduceOptions& options,
                                               const ProgressCallback& progress = {},
                                               ReductionReport* report = nullptr);

}  // namespace pliant
