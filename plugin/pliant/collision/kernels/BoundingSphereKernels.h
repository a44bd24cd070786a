// SPDX-License-Identifier: Zlib
// The inner loops of updating a body, for the widest vectors that the machine has. Internal to collision/. Products and
// sums are separate and in one order everywhere, so every instruction set gives the same bits.
#pragma once

#include <cstddef>

namespace pliant {

/// Sums: spheres[4 i + k] = entry_i[k] + sum_j entry_i[4 + 4 j + k] packedCoordinates[4 j + k], k < 4, in four partial
/// sums (j mod 4).
/// @param stride floats from entry to entry, 4 + 16 m @param packedCoordinates 16 m floats
void sumSpheres(const float* entries, std::size_t stride, int count, const float* packedCoordinates, float* spheres);

/// Lower corner and negated upper corner (4 floats each, the last 0) of the box around the listed spheres.
void boxAround(const float* spheres, const int* list, int count, float* box);
/// Takes the smaller numbers of two boxes into the first.
void joinBoxes(const float* first, const float* second, float* box);

}  // namespace pliant
