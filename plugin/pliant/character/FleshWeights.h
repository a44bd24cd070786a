// SPDX-License-Identifier: Zlib
// The weights of a skin, which a file gives on the surface, carried on into the flesh.
#pragma once

#include "pliant/character/BoneCores.h"

namespace pliant {

/// Weights of the vertices of the simulation mesh. Each bone's field is harmonic inside, 1 in the bone's own core and 0
/// in others', and follows the file's weights on the surface, which lies between vertices and is met in the sense of
/// least squares:
///
///     minimise  int |grad w_b|^2 + (100 / h) int_surface (w_b - given)^2,     h the mean edge of the elements.
///
/// Weights below 1 % are left out, four are kept, and the sum is 1.
/// @param rig surface and weights, in the mesh's frame
SkinWeights fleshWeights(const Rig& rig, const VolumeMesh& mesh, const BoneCores& cores);

}  // namespace pliant
