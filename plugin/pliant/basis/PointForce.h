// SPDX-License-Identifier: Zlib
// Forces at single points of a body, as users record them.
#pragma once

#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct PointForce {
    int vertex = -1;                     ///< simulation vertex, 0-based; -1: the force acts at `position`
    Vector3 position = Vector3::Zero();  ///< point of the material at rest, mesh frame, m (nearest one outside)
    Vector3 force = Vector3::Zero();     ///< N, mesh frame
};

/// Sum of the forces as loads on the vertices, 3n, N: a force inside an element is shared by its corners.
/// @throws Error for a vertex that does not exist or a number that is not finite
VectorX vertexLoads(const VolumeMesh& mesh, const std::vector<PointForce>& forces);

}  // namespace pliant
