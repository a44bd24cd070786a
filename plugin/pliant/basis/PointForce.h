// SPDX-License-Identifier: Zlib
/// @file
/// Forces at single points of a body, as users record them.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// A force at a vertex or at a point of the material.
struct PointForce {
    int vertex = -1;  ///< Simulation vertex, 0-based; -1: the force acts at `position`.
    /// Point of the material at rest (the nearest one outside), mesh frame, m.
    Vector3 position = Vector3::Zero();
    Vector3 force = Vector3::Zero();  ///< Force, mesh frame, N.
};

/// Sum of the forces as loads on the vertices: a force inside an element is shared by its corners.
/// @return 3n x 1, N
/// @throws Error for a vertex that does not exist or a number that is not finite
PLIANT_API VectorX vertexLoads(const VolumeMesh& mesh, const std::vector<PointForce>& forces);

}  // namespace pliant
