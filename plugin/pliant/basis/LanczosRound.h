// SPDX-License-Identifier: Zlib
// One run of shift-invert block Lanczos on the complement of modes that are already known.
#pragma once

#include "pliant/basis/LinearModes.h"

namespace pliant {

/// The `count + extra` softest elastic modes that are M-orthogonal to the columns of `known` (3n x c): shapes
/// M-orthonormal, eigenvalues ascending. A single Krylov space may miss copies of repeated eigenvalues; the caller
/// counts them.
/// @param extra modes beyond `count`, to six digits only (eigenvalues to twelve)
/// @param round numbers the start vector, which is fixed otherwise
LinearModes lanczosRound(const StaticCompliance& compliance, const MatrixX& known, int count, int extra, int round,
                         const ProgressCallback& progress);

/// All elastic modes by a dense solver, for meshes so small that Lanczos has no room.
LinearModes denseModes(const StaticCompliance& compliance);

}  // namespace pliant
