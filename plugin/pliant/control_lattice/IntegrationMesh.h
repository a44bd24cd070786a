// SPDX-License-Identifier: Zlib
// The finest subdivision of a control lattice cut to tetrahedra, on which functions are linear: what integrals run
// over [C02 3.3], with the share of each tetrahedron that lies inside the surface.
#pragma once

#include <string>
#include <vector>

#include "pliant/control_lattice/LatticeHierarchy.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct IntegrationMesh {
    VolumeMesh mesh;          ///< Whole tetrahedra; vertices are those of the finest subdivision.
    std::vector<int> cellOf;  ///< Cell of the lattice that each tetrahedron is in.
    VectorX share;            ///< Share of each tetrahedron that lies inside, 0 to 1.
    VectorX signedDistance;   ///< Signed distance of each vertex, m.
};

/// @param surface closed, m
/// @param materials at least one  @param cellMaterial of each cell of the lattice; empty: the first everywhere
/// @throws Error at `where`, naming the cell, where a bent one is turned inside out between its corners, and for a
/// surface of which nothing lies in the lattice
IntegrationMesh cutLattice(const LatticeHierarchy& hierarchy, const SurfaceMesh& surface,
                           std::vector<ElasticMaterial> materials, const std::vector<int>& cellMaterial,
                           const std::string& where);

}  // namespace pliant
