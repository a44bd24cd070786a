// SPDX-License-Identifier: Zlib
/// @file
/// The pull of a pose on the flesh of one character (SkinForces.h has it for crowds, with what inertia adds):
///
///     f_pose,j = - sum_b/=c G_bc,j : [R_b' L_c - scale_b | R_b' (t_c - t_b)]
///
/// Where bones stand still, flesh of RestShape::Flesh comes to rest at q_s = K^-1 f_pose.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant {

/// Writes f_pose of the pairs of a character, in double precision. Allocates nothing once `force` has its size.
/// @param bones T_b, B of them, rest space (body frame) -> world
/// @param force r, N / sqrt(kg), resized and written
PLIANT_INTERNAL_API void poseForce(const CharacterModel& character, const std::vector<AffineMap>& bones,
                                   VectorX& force);

}  // namespace pliant
