// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/fem/FullModel.h"
#include "pliant/reduce/ReduceOptions.h"
#include "pliant/reduce/ReductionReport.h"

namespace pliant {

/// Time and memory of a reduction, from the order in which the stiffness will be eliminated (an analysis of the graph
/// of the vertices, a fraction of a second) and the counts of elements, shapes and columns. Sketches and snapshots,
/// whose Newton iterations nobody knows beforehand, are counted at six factorisations per load step and three per time
/// step.
CostEstimate estimateCost(const VolumeMesh& mesh, const std::vector<int>& fixedVertices, const ReduceOptions& options);

}  // namespace pliant
