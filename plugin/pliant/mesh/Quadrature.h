// SPDX-License-Identifier: Zlib
// Where strain is sampled: the quadrature points of an element, with the gradients of its shape functions there. Those
// of a brick that a surface cuts are in its filled box (VolumeMesh::filledBoxes).
//
// With the corner displacements of an element in a matrix U_e (3 x c, a column a corner, c = 4 or 8), the deformation
// gradient at a point is F = 1 + U_e * gradients, and an integral over the element is sum weight * value(point).
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Displacements, forces or positions of the corners of one element: 3 x c, never on the heap.
using CornerVectors = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::ColMajor | Eigen::DontAlign, 3, 8>;
/// Gradients of the shape functions: c x 3, row a = dN_a/dX. Their column sums are zero.
using ShapeGradients = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::ColMajor | Eigen::DontAlign, 8, 3>;

struct ElementPoint {
    double weight = 0.0;       ///< Weight of the point, m^3, > 0; the weights of an element add up to elementVolume().
    int material = 0;          ///< Index of the point's material in VolumeMesh::materials.
    ShapeGradients gradients;  ///< Gradients of the shape functions, c x 3, 1/m, in the axes of the mesh.
};

/// Gauss points per axis of a brick. Shape gradients have degree 1 per axis, so a product of d of them is integrated
/// exactly by (d + 1) / 2 points. Tetrahedra have constant gradients and one point whatever the rule.
enum class GaussRule {
    Cubic = 2,   ///< 2 x 2 x 2 points: exact for the rest stiffness K(0) and the Hessian at rest, not for the energy.
    Quartic = 3  ///< 3 x 3 x 3 points: exact for energy, force and stiffness of StVK at any displacement.
};

/// Number of points of every element of `mesh`: 1 for tetrahedra, 8 or 27 for bricks.
int pointsPerElement(const VolumeMesh& mesh, GaussRule rule = GaussRule::Quartic);

/// Replaces `points` by those of element `element` (0-based), always in the same order.
/// @throws Error for an inverted or degenerate element and for a brick that is not a cuboid.
PLIANT_INTERNAL_API void elementPoints(const VolumeMesh& mesh, int element, std::vector<ElementPoint>& points,
                                       GaussRule rule = GaussRule::Quartic);

/// Volume of the material in an element, m^3: its own times VolumeMesh::share(). @throws as elementPoints().
PLIANT_INTERNAL_API double elementVolume(const VolumeMesh& mesh, int element);

/// Corner vectors (3 x c) of an element out of `field` (3n, rows 3v..3v+2 of vertex v).
PLIANT_INTERNAL_API CornerVectors cornerVectors(const VolumeMesh& mesh, int element, const double* field);

}  // namespace pliant
