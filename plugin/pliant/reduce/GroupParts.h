// SPDX-License-Identifier: Zlib
// The parts of a model's energy and mass that belong to each material.
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/polynomial/ReducePolynomial.h"

namespace pliant {

/// @param full   of the model's mesh; its kind of mass is that of the parts
/// @param parts  of the energy, one entry per material of the mesh
/// @param model  with body frame and basis
std::vector<MaterialGroup> materialGroups(const FullModel& full, std::vector<EnergyParts> parts,
                                          const ReducedModel& model);

}  // namespace pliant
