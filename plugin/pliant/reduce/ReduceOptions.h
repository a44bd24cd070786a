// SPDX-License-Identifier: Zlib
// Every choice of the reduction, with units and defaults.
#pragma once

#include <optional>
#include <string>

#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct ReduceOptions {
    int modes = 20;             ///< k: elastic linear modes (after the six rigid ones of a free body)
    int dimension = 30;         ///< r: columns of the basis, at most k + k(k+1)/2
    std::string fixedVertices;  ///< .bou file of vertices to hold (1-based, of the simulation mesh); empty = free body

    /// What one unit of the coordinates in `input` and `surface` is, metres (MeshSize.h reads "mm"). Materials are SI
    /// always.
    double metresPerUnit = 1.0;

    // Making a simulation mesh from a surface (.obj); ignored where the input already has elements.
    int voxels = 0;      ///< bricks along the longest side of the bounding box; 0 = chosen from the surface
    bool solid = false;  ///< fill the inside too (closed surfaces); otherwise only bricks that touch the surface

    // Material: where set, replaces that of every region of the input; otherwise the input's, or ElasticMaterial's
    // defaults.
    std::optional<double> youngsModulus;  ///< Pa
    std::optional<double> poissonRatio;
    std::optional<double> density;  ///< kg/m^3

    std::string surface;  ///< drawn surface (.obj) when the input is a simulation mesh; empty = its boundary faces
    int threads = 0;      ///< workers; 0 = all cores. Does not change the result

    /// "key=value;..." of every option that changes the result (not `threads`), for provenance and caches.
    std::string canonical() const;
};

}  // namespace pliant
