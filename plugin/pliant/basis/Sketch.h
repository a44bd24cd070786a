// SPDX-License-Identifier: Zlib
// A basis from a sketch [BJ05 section 5.2]: forces that a user recorded on a linear model become shapes of the full
// one.
#pragma once

#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/basis/StaticCompliance.h"
#include "pliant/fem/StaticSolve.h"
#include "pliant/math/Progress.h"
#include "pliant/math/WorkShares.h"

namespace pliant {

/// Columns of X (3n x c) that keep at least `distance` from all chosen before them, in the metric of M; zero ones
/// never.
std::vector<int> separated(const SparseMatrix& M, const MatrixX& X, double distance);

/// Static deformations of the full model under each chosen force alone, 3n x c, in m; M-orthogonal to the rigid modes
/// of a free body. Forces are chosen by their linear answers, deformations among all equilibria along their ways.
/// @param progress stage "sketch"  @param shares processes that each have the model and solve for a share of the forces
/// @throws Error naming the force and the share of its load where there is no equilibrium, or when nothing is left
MatrixX sketchShapes(const StaticCompliance& compliance, const std::vector<PointForce>& forces,
                     const SketchOptions& options = {}, const ProgressCallback& progress = {},
                     const WorkShares& shares = {});

}  // namespace pliant
