// SPDX-License-Identifier: Zlib
// The lattice that carries a distance field along with the deformation, made offline.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

struct ContactLatticeOptions {
    int maximumVertices = 3000;  ///< Most vertices: the spacing is doubled until there are no more.
    double spacing = 0.0;        ///< Width of a cell, m; 0: that of the simulation mesh's elements.
};

/// Cells that the surface touches and those next to them, faces, edges and corners alike. Where the simulation mesh is
/// cubic bricks, cells are aligned with them. Vertices have the displacement of the simulation mesh, extrapolated from
/// the nearest element outside of it; where that does not give the surface's displacement (cells wider than elements,
/// tetrahedra), rows are those that give it best (fitToSurface).
///
/// Two parts of a body that share a cell (fingers closer to each other than a cell is wide) share its eight vertices,
/// and so one displacement field: each vertex takes that of the nearest element, and what is carried is a mean of both
/// parts' motion. The drawn surface and the shell still move apart; the field of either is then displaced by up to the
/// difference of their motions. A smaller spacing separates them.
///
/// @param surface drawn surface @param mesh simulation mesh @param meshBasis 3n x r, over its vertices; all in the mesh
/// frame
/// @throws Error when there is nothing to cover (no triangles, no elements) or an input is not finite
ContactLattice makeContactLattice(const SurfaceMesh& surface, const VolumeMesh& mesh, const MatrixX& meshBasis,
                                  const ContactLatticeOptions& options = {});

}  // namespace pliant
