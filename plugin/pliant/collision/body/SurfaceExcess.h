// SPDX-License-Identifier: Zlib
// How far the drawn surface may stand out of the skeleton's spheres, for any q. Internal to CollisionModel.
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// A drawn vertex v keeps to one sphere b: |x_v - c_b| <= |X_v - C_b| + sum_j |U_v,j - U_b,j| |q_j|. Over all vertices,
/// with for each the sphere that it stands out of least at rest:
///     distance from the union of the spheres <= rest + sum_j growth_j |q_j|
struct SurfaceExcess {
    double rest = 0.0;  ///< Distance at q = 0, m, >= 0.
    VectorX growth;     ///< Growth of the distance by each |q_j|, r.
};

SurfaceExcess surfaceExcess(const ReducedModel& model);

}  // namespace pliant
