// SPDX-License-Identifier: Zlib
// Whether the products of K1 and K2 of a model may be taken in single precision. Private to runtime/.
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// False where terms of the energy are beyond floats (they grow by the fourth power as bodies become smaller: those of
/// one of 10 um), and where rounding could be seen: with a body bent along one of its softest modes by a tenth of its
/// size, half a unit in the last place of the magnitudes of all terms is more than a tenth of the energy of the bend.
/// Coordinates of a thin rod mix its bends with its stretches, whose terms cancel each other: of one of 1:400 in floats
/// the energy of a bend is rounding, and may be negative without bound.
bool fitsSinglePrecision(const ReducedModel& model);

}  // namespace pliant
