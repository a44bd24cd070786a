// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/basis/Basis.h"
#include "pliant/reduce/ReadInput.h"
#include "pliant/reduce/ReductionReport.h"

namespace pliant {

/// The basis stage of the pipeline: options of the user become those of makeBasis (vertex numbers of the mesh, metres),
/// shapes are cached where the options name a file, and the report gets what came of it, implausible frequencies
/// included.
Basis makeBodyBasis(const FullModel& model, const ReductionInput& input, const ReduceOptions& options,
                    const ProgressCallback& progress, ReductionReport& report);

}  // namespace pliant
