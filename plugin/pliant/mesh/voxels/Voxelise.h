// SPDX-License-Identifier: Zlib
// A drawn surface (polygon soup allowed) becomes a simulation mesh of bricks.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct VoxeliseOptions {
    int resolution = 0;  ///< Bricks along the longest side of the bounding box, 1..256; 0: chooseVoxelResolution().
    bool solid = false;  ///< Whether the inside is filled as well (closed surfaces); else there are only bricks that
                         ///< the surface touches, or that its wall is in (thickness).
    /// Bricks count with what is in them (VolumeMesh::elementShare, filledBoxes, elementBending) and fit the bounding
    /// box, so that they are cubes no more: solid: of a closed surface, cavities stay empty; otherwise of a sheet of
    /// `thickness`.
    bool filledShares = false;
    double thickness = 0.0;    ///< Thickness of a sheet, m; above 0 with filledShares and without solid.
    ElasticMaterial material;  ///< Material of the one region.
};

/// Bricks that the surface touches (exact triangle-box overlap), plus the inside when solid, plus the bricks that close
/// hinges: around every vertex of the result, bricks hang together by faces. The grid is centred on the bounding box.
/// An open surface has no inside: solid then adds only what the shell happens to enclose.
/// Vertices and bricks are numbered along x, then y, then z (z fastest).
/// @throws Error  filled shares of a surface that is not closed, or of a sheet without thickness; empty surface, NaN,
/// index or resolution out of range; bricks in several parts that share no face
VolumeMesh voxelise(const SurfaceMesh& surface, const VoxeliseOptions& options = {});

/// A resolution (>= 8) that gives about 2,000 to 6,000 bricks in one part, if there is one.
int chooseVoxelResolution(const SurfaceMesh& surface, bool solid = false);

}  // namespace pliant
