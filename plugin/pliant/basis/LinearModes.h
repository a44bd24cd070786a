// SPDX-License-Identifier: Zlib
// Elastic vibration modes about rest: K psi = lambda M psi.
#pragma once

#include "pliant/basis/StaticCompliance.h"
#include "pliant/math/Progress.h"

namespace pliant {

struct LinearModes {
    /// Mode shapes psi, 3n x k, psi' M psi = 1, zero at fixed vertices or M-orthogonal to the rigid modes.
    MatrixX shapes;
    /// Eigenvalues lambda, k of them, (rad/s)^2, ascending, > 0; the six zeros of a free body are not among them.
    VectorX eigenvalues;
};

/// The `count` softest elastic modes, none missed (Sturm count). Shift-invert Lanczos at zero, on the complement of the
/// rigid modes for a free body. Signs, and the rotation within repeated eigenvalues, are canonical: they depend on the
/// mesh, not on the solver's path. @param start numbers the start vector of the iteration
/// @throws Error when there are not that many modes; Cancelled.
LinearModes linearModes(const StaticCompliance& compliance, int count, const ProgressCallback& progress = {},
                        int start = 0);

}  // namespace pliant
