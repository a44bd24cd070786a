// SPDX-License-Identifier: Zlib
// Bones as edges of a control lattice [C02 3.1 (ii)].
#pragma once

#include <string>
#include <vector>

#include "pliant/control_lattice/ControlLattice.h"
#include "pliant/rig/Rig.h"

namespace pliant {

struct LatticeBones {
    std::vector<int> boneOf;  ///< Bone that each of n vertices lies on, or -1; of a joint the bone that begins there.
    std::vector<std::array<int, 2>> edges;  ///< Edges of cells that lie on bones.
};

/// Finds the chains of edges that bones which carry skin lie along.
/// @param tolerance of places, m
/// @throws Error naming the bone, where an end of it is no vertex of the lattice, or a part of it no edge of a cell
LatticeBones findLatticeBones(const ControlLattice& lattice, const Rig& rig, double tolerance,
                              const std::string& where);

}  // namespace pliant
