// SPDX-License-Identifier: Zlib
// Static equilibrium of the full model: f(u) = F, with some vertices held or the load of a free body balanced.
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/fem/Restriction.h"
#include "pliant/math/Progress.h"

namespace pliant {

struct StaticOptions {
    /// Number of equal steps in which the load grows, each starting from the last equilibrium.
    int loadSteps = 1;
    int iterations = 50;       ///< Most Newton iterations per load step.
    double tolerance = 1e-10;  ///< Tolerance for |f(u) - F| relative to |F|, on the free coordinates.
    int maximumHalvings = 12;  ///< Most halvings of a load step that does not converge, before giving up.
};

/// What keeps a body in its place.
struct StaticSupport {
    Restriction free;  ///< Coordinates that move; all of them for a free body.
    /// Rg, 3n x 6 mass-normalised rigid modes of a free body, else 3n x 0. Equilibrium is then that of inertia relief:
    /// (1 - M Rg Rg')(F - f(u)) = 0 with Rg' M u = 0, the load being balanced by the rigid acceleration that it causes.
    MatrixX rigid;
};

/// Newton's method with a line search on the total energy. A load step that fails is halved, and steps grow again after
/// success.
/// @param load 3n, N; its entries at held coordinates are ignored
/// @param progress told the share of the load that is in equilibrium, as stage "static solve"
/// @return u (3n) at each of the equal load steps, the last under the whole load
/// @throws Error naming the share of the load beyond which no equilibrium was found; Cancelled
std::vector<VectorX> staticPath(const FullModel& model, const StaticSupport& support, const VectorX& load,
                                const StaticOptions& options = {}, const ProgressCallback& progress = {});

/// Of an anchored body, the answer to the whole load. @return u, 3n, zero where held. @throws Error as above
VectorX solveStatic(const FullModel& model, const Restriction& free, const VectorX& load,
                    const StaticOptions& options = {}, const ProgressCallback& progress = {});

/// K(0) u = F, one linear solve. @return u, 3n
VectorX solveLinearStatic(const FullModel& model, const Restriction& free, const VectorX& load);

}  // namespace pliant
