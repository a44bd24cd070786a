// SPDX-License-Identifier: Zlib
// The drawn surface as the skeleton builder wants it: vertices joined by position, triangles cut to the sample spacing,
// normals outward where the surface tells what outward is. Internal to buildSkeleton.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Samples are points of the surface: first the joined vertices, then those that cutting added, then triangle centres.
struct SampledSurface {
    Points points;   ///< Samples, 3 x k.
    Points normals;  ///< Unit normals, 3 x k; they look outwards where `trusted`.
    std::vector<char>
        trusted;  ///< Whether a sample is of a closed part of one orientation, whose normal tells the inside.
    std::vector<char> closed;  ///< Whether a sample is of a part without borders, whatever its orientation.
    Triangles triangles;       ///< Triangles after cutting, sample numbers.
    Matrix<int, 2, Eigen::Dynamic>
        edges;  ///< Neighbours on the surface, sample numbers; triangle centres and their corners are neighbours, too.
    int vertexCount = 0;  ///< Number of joined vertices of the drawn surface, which come first.
    int cornerCount = 0;  ///< Number of these and of those that cutting has added; the rest are triangle centres.

    int count() const { return static_cast<int>(points.cols()); }
};

/// @param spacing metres; edges are halved until none is longer @throws Error when no triangle has an area
SampledSurface sampleSurface(const SurfaceMesh& surface, double spacing);

}  // namespace pliant
