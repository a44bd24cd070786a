// SPDX-License-Identifier: Zlib
// LatticeModel <-> the section "lattice" of a character's file. Private to model/.
#pragma once

#include <string>

#include "pliant/model/LatticeModel.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {

SectionBytes encodeLattice(const LatticeModel& lattice);

/// The same back, without surface, bones and clips. @param surfaceVertices d
void decodeLattice(const ModelContainer& container, Eigen::Index surfaceVertices, LatticeModel& lattice);

/// @throws Error at `where`, naming the section, for sizes that differ, numbers out of range, lists that do not ascend
/// and matrices that are not symmetric
void checkLattice(const LatticeModel& lattice, const std::string& where);

}  // namespace pliant
