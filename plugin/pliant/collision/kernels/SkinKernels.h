// SPDX-License-Identifier: Zlib
// Spheres of flesh carried by bones: linear blend skinning in single precision. Internal to collision/ and touch/. In
// registers of four numbers, which every processor has: the same bits everywhere, alone and beside others.
#pragma once

#include "pliant/math/InstructionSet.h"

namespace pliant {

constexpr int kSkinBones = 4;  ///< Most bones of a point.
constexpr int kBoneFloats =
    16;  ///< Floats of a bone's map x -> scale R x + t: columns of R, each with a 0; t with the scale.

/// Where bones carry what rests at x and is bent by u: spheres[i] = (sum_b w_b (R_b (scale_b x + u) + t_b), r sum_b w_b
/// scale_b) from (x + u, r), in place. Bones scale the shape at rest; u is in metres of the world (docs/characters.md).
/// @param columns kBoneFloats a bone  @param bones, weights kSkinBones a sphere; weights fall, the first zero ends them
/// @param spheres 4 floats each  @param rest x, 4 floats each, or null where no bone is scaled
void skinSpheres(const float* columns, const int* bones, const float* weights, int count, float* spheres,
                 const float* rest);

constexpr int kGrowthColumns = 8;  ///< Columns of a panel of sumGrowth().

/// How far coordinates may move things: sums[c] = sum_j |q_j| panel[j][c] in double, row by row and each column by
/// itself, so that every instruction set gives the same bits; of q and of p in one pass.
/// @param panels `count` of them, panelRows x kGrowthColumns, row by row  @param q, p `rows` numbers, at most panelRows
/// @param sumsOfQ, sumsOfP kGrowthColumns a panel
void sumGrowth(const double* panels, int count, int panelRows, int rows, const float* q, const float* p,
               double* sumsOfQ, double* sumsOfP);
/// The same with the instructions of a set that the processor has, for tests.
void sumGrowthWith(InstructionSet set, const double* panels, int count, int panelRows, int rows, const float* q,
                   const float* p, double* sumsOfQ, double* sumsOfP);

}  // namespace pliant
