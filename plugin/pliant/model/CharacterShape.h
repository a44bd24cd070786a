// SPDX-License-Identifier: Zlib
/// @file
/// Where the points of a character are: p = s(x) + B(x) U(x) q, on the CPU and in double precision. The reference of
/// what is drawn, and what full simulations are compared with.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant {

/// The d drawn vertices. @param bones T_b, one a bone, body frame -> world
/// @param q r reduced coordinates; null: the skin alone  @param points 3 x d, world, resized
PLIANT_API void surfacePoints(const CharacterModel& character, const std::vector<MovingFrame>& bones, const double* q,
                              Points& points);

/// The n simulation vertices, likewise. @param points 3 x n, world, resized
PLIANT_API void fleshPoints(const CharacterModel& character, const std::vector<MovingFrame>& bones, const double* q,
                            Points& points);

}  // namespace pliant
