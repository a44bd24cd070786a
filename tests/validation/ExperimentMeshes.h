// SPDX-License-Identifier: Zlib
// Small bodies like those of the papers' experiments, made of bricks.
#pragma once

#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant::test {

/// A spoon along x, 26 cm: bowl at the far end, handle one brick thick. E = 200 MPa.
VolumeMesh spoonMesh();
/// A hollow tower, 4 x 4 x 12 bricks of 25 cm, with a window and a balcony, so that it has no symmetry.
VolumeMesh towerMesh();
/// A solid heart, 10 cm.
VolumeMesh heartMesh();

/// Vertices whose coordinate along `axis` is least, 0-based.
std::vector<int> lowestVertices(const VolumeMesh& mesh, int axis);

/// The vertex nearest to a point.
int nearestVertex(const VolumeMesh& mesh, const Vector3& point);

/// 3n loads, `force` at one vertex.
VectorX loadAt(const VolumeMesh& mesh, int vertex, const Vector3& force);

}  // namespace pliant::test
