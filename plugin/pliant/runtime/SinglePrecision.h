// SPDX-License-Identifier: Zlib
// Whether the products of K1 and K2 of a model may be taken in single precision. Private to runtime/.
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// False where terms of the energy are beyond floats (they grow by the fourth power as bodies become smaller: those of
/// one of 10 um), and where rounding could be seen: bent along one of its softest modes by a tenth of its size, the
/// terms of a body cancel each other to less than ten times what is lost of them. A thin rod's do, whose stretch is
/// (length / thickness)^2 times as stiff as its bend: of one of 1:400 in floats the energy of a bend is rounding, and
/// may be negative without bound.
bool fitsSinglePrecision(const ReducedModel& model);

}  // namespace pliant
