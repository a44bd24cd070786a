// SPDX-License-Identifier: Zlib
// The drawn surface as the skeleton builder wants it: vertices joined by position, triangles cut to the sample spacing,
// normals outward where the surface tells what outward is. Internal to buildSkeleton.
#pragma once

#include <vector>

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// Samples are points of the surface: first the joined vertices, then those that cutting added, then triangle centres.
struct SampledSurface {
    Points points;                         ///< 3 x k
    Points normals;                        ///< 3 x k, unit; outward where `trusted`
    std::vector<char> trusted;             ///< of a closed, consistently oriented part: its normal tells the inside
    std::vector<char> closed;              ///< of a part without borders, whatever its orientation
    Triangles triangles;                   ///< after cutting, sample numbers
    Matrix<int, 2, Eigen::Dynamic> edges;  ///< neighbours on the surface, sample numbers; centres to their corners too
    int vertexCount = 0;                   ///< joined vertices of the drawn surface
    int cornerCount = 0;                   ///< and those added by cutting; the rest are triangle centres

    int count() const { return static_cast<int>(points.cols()); }
};

/// @param spacing metres; edges are halved until none is longer @throws Error when no triangle has an area
SampledSurface sampleSurface(const SurfaceMesh& surface, double spacing);

}  // namespace pliant
