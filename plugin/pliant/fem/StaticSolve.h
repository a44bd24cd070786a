// SPDX-License-Identifier: Zlib
// Static equilibrium of the full model: f(u) = F with some vertices held.
#pragma once

#include "pliant/fem/FullModel.h"
#include "pliant/fem/Restriction.h"

namespace pliant {

struct StaticOptions {
    int loadSteps = 1;         ///< the load grows in equal steps, each starting from the last equilibrium
    int iterations = 50;       ///< Newton iterations per load step
    double tolerance = 1e-10;  ///< of |f(u) - F| relative to |F|, on the free coordinates
    int maximumHalvings = 12;  ///< of a load step that does not converge, before giving up
};

/// Newton's method with a line search on the total energy; a load step that fails is halved.
/// @param load 3n, N; its entries at held coordinates are ignored
/// @return u, 3n, zero where held. @throws Error when no equilibrium is found.
VectorX solveStatic(const FullModel& model, const Restriction& free, const VectorX& load,
                    const StaticOptions& options = {});

/// K(0) u = F, one linear solve. @return u, 3n
VectorX solveLinearStatic(const FullModel& model, const Restriction& free, const VectorX& load);

}  // namespace pliant
