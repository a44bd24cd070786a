// SPDX-License-Identifier: Zlib
/// @file
/// The reduction on one screen: mesh, finite elements, modes, derivatives, basis, polynomials, reduced model.
#pragma once

#include <memory>
#include <string>

#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ReduceOptions.h"
#include "pliant/reduce/ReductionReport.h"

namespace pliant {

/// Reads a file (a surface, or a simulation mesh) and reduces it [BJ05]. Same input and options give the same bits,
/// whatever the number of threads, cached shapes or not.
/// @param input    path of the file
/// @param options  every choice
/// @param progress told the stages "mesh", those of the basis, "polynomials", "surface", "trees" and others of contact
/// @param report   filled as the work goes on: `estimate` and `notes` before the first stage after "mesh" is told, the
/// rest at the end; may be null
/// @throws Error for bad input, Cancelled when the callback says so; nothing is written but the cache
PLIANT_API std::shared_ptr<const ReducedModel> reduceFile(const std::string& input, const ReduceOptions& options,
                                                          const ProgressCallback& progress = {},
                                                          ReductionReport* report = nullptr);

}  // namespace pliant
