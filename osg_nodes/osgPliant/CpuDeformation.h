// SPDX-License-Identifier: Zlib
// The deformed surface evaluated on the CPU: what the vertex shader must agree with, and what picking intersects.
#pragma once

#include "pliant/model/ReducedModel.h"

namespace osgPliant {

/// Positions x = X + U q and unit normals n = normalise(N + dN q) of the drawn surface, body frame.
/// @param q         r reduced coordinates
/// @param positions 3 x d, written
/// @param normals   3 x d, written; unit length (the rest normal where N + dN q vanishes)
void deformOnCpu(const pliant::ReducedModel& model, const double* q, pliant::PointsF& positions,
                 pliant::PointsF& normals);

/// The positions alone.
void deformOnCpu(const pliant::ReducedModel& model, const double* q, pliant::PointsF& positions);

}  // namespace osgPliant
