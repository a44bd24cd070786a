// SPDX-License-Identifier: Zlib
// A number that tells models apart, for data that belongs to one of them.
#pragma once

#include <cstdint>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// XXH3-64 of everything that the motion of a body follows from: frame, basis, energy, inertia integrals, contact
/// skeleton. Two models with the same number move alike, whatever their names and pictures are.
std::uint64_t fingerprint(const ReducedModel& model);

}  // namespace pliant
