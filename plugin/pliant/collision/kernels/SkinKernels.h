// SPDX-License-Identifier: Zlib
// Spheres of flesh carried by bones: linear blend skinning in single precision. Internal to collision/ and touch/. In
// registers of four numbers, which every processor has: the same bits everywhere, alone and beside others.
#pragma once

namespace pliant {

constexpr int kSkinBones = 4;    ///< bones of a point, at most
constexpr int kBoneFloats = 16;  ///< of a bone's map x -> L x + t: columns of L, each with a 0; t with the scale of L

/// spheres[i] = (sum_b w_b (L_b x + t_b), r sum_b w_b scale_b) from (x, r), in place.
/// @param columns kBoneFloats a bone  @param bones, weights kSkinBones a sphere; weights fall, the first zero ends them
/// @param spheres 4 floats each
void skinSpheres(const float* columns, const int* bones, const float* weights, int count, float* spheres);

}  // namespace pliant
