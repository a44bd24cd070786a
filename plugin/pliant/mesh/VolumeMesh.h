// SPDX-License-Identifier: Zlib
/// @file
/// The simulation mesh: linear tetrahedra or bricks, with a material per region.
#pragma once

#include <vector>

#include "pliant/math/Types.h"
#include "pliant/mesh/BrickBending.h"
#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/mesh/FilledBox.h"

namespace pliant {

/// What the elements of a simulation mesh are.
enum class ElementKind {
    Tetrahedron,  ///< 4 corners, positive volume: (b - a) . ((c - a) x (d - a)) > 0.
    Brick         ///< 8 corners of a cuboid in Vega's order: (000)(100)(110)(010)(001)(101)(111)(011).
};

/// The simulation mesh: elements of one kind, with a material per region.
struct VolumeMesh {
    ElementKind kind = ElementKind::Tetrahedron;           ///< Kind of all elements.
    Points positions;                                      ///< Vertices, 3 x n, m.
    Matrix<int, Eigen::Dynamic, Eigen::Dynamic> elements;  ///< 4 x m or 8 x m, 0-based vertex numbers.
    std::vector<int> elementMaterial;                      ///< An index into `materials` for each of m elements.
    std::vector<ElasticMaterial> materials;                ///< At least one material.
    /// Shares in (0, 1] of each of the m elements that material fills; all integrals over the element are multiplied by
    /// it. Empty: elements are full.
    VectorX elementShare;
    /// Weights in (0, 1], one for each of the m elements, of what the strain inside each brick varies by more than one
    /// axis at once (BrickBending::rest): below 1 in bricks that stand alone across a thin wall and would be too stiff
    /// in bending. Empty: all 1.
    VectorX elementBending;
    /// Shares in (0, 1] of the bricks' sides that material fills; counts where elementBending is below 1.
    Vector3 bendingFill = Vector3::Ones();
    /// Where the material of each of the m bricks is: integrals over a brick are those over its box, times the brick's
    /// volume and elementShare over the box's own volume. Empty: all over the bricks.
    FilledBoxes filledBoxes;

    /// The number n of vertices.
    int vertexCount() const { return static_cast<int>(positions.cols()); }
    /// The number m of elements.
    int elementCount() const { return static_cast<int>(elements.cols()); }
    /// The share of element e that material fills, (0, 1].
    double share(int e) const { return elementShare.size() == 0 ? 1.0 : elementShare[e]; }
    /// Where the material of element e is.
    FilledBox filledBox(int e) const {
        if (filledBoxes.cols() == 0) return {};
        return {filledBoxes.col(e).head<3>(), filledBoxes.col(e).tail<3>()};
    }
    /// How the strain's variation inside element e counts. Of materials that are not isotropic the ratio is 0.3.
    BrickBending bending(int e) const {
        const FilledBox box = filledBox(e);
        if (elementBending.size() == 0 && box.isWhole()) return {};
        const ElasticMaterial& material =
            materials[static_cast<std::size_t>(elementMaterial[static_cast<std::size_t>(e)])];
        BrickBending bending;
        if (elementBending.size() > 0) bending.rest = elementBending[e];
        bending.fill = bendingFill;
        if (material.isotropic()) bending.poissonRatio = material.poissonRatio;
        bending.isCut = !box.isWhole();
        if (bending.isCut) bending.middle = (Vector3::Constant(0.5) - box.middle()).cwiseQuotient(box.deviation());
        return bending;
    }
    /// 8 for bricks, 4 for tetrahedra.
    int cornersPerElement() const { return kind == ElementKind::Brick ? 8 : 4; }
};

}  // namespace pliant
