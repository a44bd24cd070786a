// SPDX-License-Identifier: Zlib
// Bodies of known physics, reduced from meshes in memory.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant::test {

/// a x b x c bricks from the origin, sides in metres; nu = 0 unless said otherwise.
struct BlockShape {
    int a = 2, b = 2, c = 2;
    Vector3 size = Vector3(0.2, 0.2, 0.2);
    double density = 500.0, young = 1e5, poisson = 0.0;
};
VolumeMesh blockMesh(const BlockShape& shape);

/// What a body of an experiment collides with: what `pliant reduce` makes of its mesh, as everybody's body does, or, as
/// a second line, small spheres below its surface that a test has laid.
enum class Contact { AsReduced, LaidByHand };

/// Reduces `mesh` as `pliant reduce` does. @param held 0-based vertices
std::shared_ptr<ReducedModel> reduceMesh(const VolumeMesh& mesh, ReduceOptions options,
                                         const std::vector<int>& held = {});

/// Replaces what collides: spheres of one radius that move as the material at their centres does.
/// @param centres 3 x n, mesh frame @param segments pairs of spheres
void setSkeleton(ReducedModel& model, const Points& centres, double radius,
                 const std::vector<std::array<int, 2>>& segments);

/// Spheres below the surface of a block, a lattice of (nx + 1) x (ny + 1) x (nz + 1) points of which those on the
/// surface are kept, joined along its lines.
void setBlockSkeleton(ReducedModel& model, const BlockShape& shape, int nx, int ny, int nz, double radius);

}  // namespace pliant::test
