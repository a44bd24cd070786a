// SPDX-License-Identifier: Zlib
// Whether a body may be too soft to bear its own weight.
#pragma once

#include <string>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// The law of St. Venant and Kirchhoff bears no more than a pressure of E / (3 sqrt(3)): pressed together to 0.58 of
/// its length a column of it gives way. Where a block as high as the body has more than that at its bottom, on the
/// ground of the earth, the body may collapse, and its elements turn inside out.
/// @return that, what it takes and the cure, as a sentence; empty where the body can lie, where it is held, and
/// where its law is no isotropic one
std::string ownWeightNote(const ReducedModel& model);

}  // namespace pliant
