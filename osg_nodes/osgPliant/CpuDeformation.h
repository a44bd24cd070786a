// SPDX-License-Identifier: Zlib
/// @file
/// The deformed surface evaluated on the CPU: what the vertex shader must agree with, and what picking intersects.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"

namespace osgPliant {

/// Positions x = X + U q and unit normals n = normalise(N + dN q) of the drawn surface, body frame.
/// @param model     with d drawn vertices
/// @param q         r reduced coordinates
/// @param positions 3 x d, m, written
/// @param normals   3 x d, written; unit length (the rest normal where N + dN q vanishes)
PLIANT_API void deformOnCpu(const pliant::ReducedModel& model, const double* q, pliant::PointsF& positions,
                            pliant::PointsF& normals);

/// The positions x = X + U q alone, 3 x d, body frame, m.
PLIANT_API void deformOnCpu(const pliant::ReducedModel& model, const double* q, pliant::PointsF& positions);

}  // namespace osgPliant
