// SPDX-License-Identifier: Zlib
// What cells could hold of flesh, and what of it they miss.
#pragma once

#include <string>
#include <vector>

#include "pliant/control_lattice/IntegrationMesh.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// Of each function the mean mass of the cells of the lattice around its vertex, were they full, N, kg.
VectorX fullCellMasses(const LatticeHierarchy& hierarchy, const IntegrationMesh& cut, const ControlLattice& lattice);

/// Mean shear modulus of flesh, N/m^2, by volume times `weight`; of no weight that of all flesh.
/// @param weight of each tetrahedron
double meanShearModulus(const IntegrationMesh& cut, const VectorX& weight);

/// Tells of skin around which cells hold no flesh, bone by bone, and of flesh that weighs much less or more than the
/// surface encloses. Flesh thinner than the tetrahedra that integrals run over has no corner of them inside, so that
/// fins, ears and fingers would weigh nothing without a word.
/// @param points of the rig's surface, in `cut`
void noteLostFlesh(const Rig& rig, const IntegrationMesh& cut, const std::vector<MaterialPoint>& points,
                   const std::string& where, std::vector<std::string>& notes);

}  // namespace pliant
