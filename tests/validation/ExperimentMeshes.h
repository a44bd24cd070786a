// SPDX-License-Identifier: Zlib
// Bodies like those of the papers' experiments, made of bricks: of a hundred or so, or cut as finely as theirs.
#pragma once

#include <vector>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant::test {

/// Whether PLIANT_PAPERS_SIZES is set, as in ./nightly: the experiments run on meshes cut as finely as the papers'.
bool isOfPapersSize();

/// A spoon along x, 26 cm: bowl at the far end, handle 1 cm thick. E = 200 MPa.
/// @param fineness bricks along a centimetre; 1: 128 bricks, 2.5: 2,138 ([BJ05]: 2,005)
VolumeMesh spoonMesh(double fineness = 1.0);
/// A hollow tower, 1 x 1 x 3 m, with a window and a balcony, so that it has no symmetry; its walls are 25 cm thick.
/// @param fineness bricks along 25 cm; 1: 144 bricks, 4.25: 10,640 ([BJ05]: 11,304)
VolumeMesh towerMesh(double fineness = 1.0);
/// A solid heart, 10 cm.
/// @param fineness bricks along a centimetre; 1: 224 bricks, 4: 14,288 ([BJ05]: 14,444)
VolumeMesh heartMesh(double fineness = 1.0);

/// Vertices whose coordinate along `axis` is least, 0-based.
std::vector<int> lowestVertices(const VolumeMesh& mesh, int axis);

/// The vertex nearest to a point.
int nearestVertex(const VolumeMesh& mesh, const Vector3& point);

/// 3n loads, `force` at one vertex.
VectorX loadAt(const VolumeMesh& mesh, int vertex, const Vector3& force);

/// 3n loads, `force` evenly over the vertices within `radius` of a point: at a single vertex the dent grows without
/// bound as bricks are cut smaller.
VectorX loadAround(const VolumeMesh& mesh, const Vector3& point, double radius, const Vector3& force);

}  // namespace pliant::test
