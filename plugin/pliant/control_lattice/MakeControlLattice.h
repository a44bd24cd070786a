// SPDX-License-Identifier: Zlib
/// @file
/// A control lattice made for a rig: what the paper's users draw by hand for hours [C02 4.1].
#pragma once

#include <string>

#include "pliant/control_lattice/ControlLattice.h"
#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// Every choice in making a control lattice.
struct ControlLatticeOptions {
    double spacing = 0.0;  ///< Between vertices, m; 0: a tenth of the longest side of the surface.
};

/// Tetrahedra around a rig: vertices along the bones, a body-centred lattice around them as far as the surface and one
/// spacing beyond, Delaunay's tetrahedra between them, without those that no flesh is in. Where bones are not edges of
/// them, they are split. Same input, same bits.
/// @param rig with bones that have ends and a closed surface
/// @throws Error at `where`, naming the bone that cannot be made of edges, and for spacings that would give more than
/// 200000 vertices
PLIANT_API ControlLattice makeControlLattice(const Rig& rig, const ControlLatticeOptions& options,
                                             const std::string& where);

/// The same, told. @param progress told the stage "lattice"  @throws Error likewise; Cancelled
PLIANT_API ControlLattice makeControlLattice(const Rig& rig, const ControlLatticeOptions& options,
                                             const std::string& where, const ProgressCallback& progress);

}  // namespace pliant
