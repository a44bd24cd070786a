// SPDX-License-Identifier: Zlib
// A basis from a full simulation [BJ05 section 5, "re-simulation"]: the unreduced body is shaken, and pictures of its
// deformation are kept.
#pragma once

#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Progress.h"

namespace pliant {

/// Displacements of the full model at rest frame, 3n x count, m. The rigid motion of a free body is taken out: its best
/// fitting rotation about the centre of mass (in M), then what is left of the six rigid modes.
/// @param fixedVertices 0-based; empty = free body  @param progress stage "snapshots"
/// @throws Error naming the time where the simulation does not converge, or when nothing moved; Cancelled
MatrixX snapshotShapes(const FullModel& model, const std::vector<int>& fixedVertices, const SnapshotRun& run,
                       const ProgressCallback& progress = {});

/// The deformation in u (3n, m): u itself less the rigid motion nearest to it, as described above.
/// @param rigid 3n x 6 mass-normalised rigid modes
VectorX withoutLargeRigidMotion(const FullModel& model, const MatrixX& rigid, const VectorX& u);

}  // namespace pliant
