// SPDX-License-Identifier: Zlib
// The free step of many bodies by implicit Newmark (NewmarkStep.cpp has the equations). Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// Strain energies of a block of bodies, J, one for each.
void strainEnergiesOfBlock(BatchStorage& batch, const int* bodies, int count, double* energies);

}  // namespace pliant
