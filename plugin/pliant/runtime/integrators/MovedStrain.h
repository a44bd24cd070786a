// SPDX-License-Identifier: Zlib
// Strain energies of the bodies whose last move may have gained, side by side. Private to runtime/.
#pragma once

#include <vector>

#include "pliant/runtime/BatchStorage.h"
#include "pliant/runtime/Workers.h"

namespace pliant {

/// Evaluates V(q) for bodies with BodyRecord::Move::mayHaveGained, sixteen at once: the coefficients of the polynomial
/// are read once for all of them. Same bits as elasticForce(). Writes BodyRecord::move.
/// @param bodies each once
void evaluateMoves(BatchStorage& batch, const std::vector<int>& bodies, const Workers& workers);

}  // namespace pliant
