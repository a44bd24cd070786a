// SPDX-License-Identifier: Zlib
// The simulation mesh: linear tetrahedra or axis-aligned bricks, with a material per region.
#pragma once

#include <vector>

#include "pliant/math/Types.h"
#include "pliant/mesh/ElasticMaterial.h"

namespace pliant {

enum class ElementKind {
    Tetrahedron,  ///< 4 corners, positive volume: (b - a) . ((c - a) x (d - a)) > 0
    Brick         ///< 8 corners of an axis-aligned cuboid in Vega's order: (000)(100)(110)(010)(001)(101)(111)(011)
};

struct VolumeMesh {
    ElementKind kind = ElementKind::Tetrahedron;
    Points positions;                                      ///< 3 x n, metres
    Matrix<int, Eigen::Dynamic, Eigen::Dynamic> elements;  ///< 4 x m or 8 x m, 0-based vertex numbers
    std::vector<int> elementMaterial;                      ///< m, index into `materials`
    std::vector<ElasticMaterial> materials;                ///< at least one

    int vertexCount() const { return static_cast<int>(positions.cols()); }
    int elementCount() const { return static_cast<int>(elements.cols()); }
    int cornersPerElement() const { return kind == ElementKind::Brick ? 8 : 4; }
};

}  // namespace pliant
