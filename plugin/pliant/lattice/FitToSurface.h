// SPDX-License-Identifier: Zlib
// Makes a lattice move a surface as the simulation mesh moves it. Internal to makeContactLattice.
#pragma once

#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

/// A cell that is wider than the elements inside of it cannot have all their displacements: this is the least squares
/// choice of its vertices' rows at points of the surface, the drawn vertices and others no farther apart than half a
/// cell. What it adds to the given rows is smooth where there is no surface. Lattices that have the displacement of the
/// surface already keep their bits.
/// @param rows 3v x r, of the lattice's vertices @param meshBasis 3n x r
void fitToSurface(const SurfaceMesh& surface, const PointLocator& locator, const MatrixX& meshBasis,
                  const ContactLattice& lattice, MatrixX& rows);

}  // namespace pliant
