// SPDX-License-Identifier: Zlib
// Spheres of a BD-Tree [JP04] whose nodes and items stand.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/model/BDTree.h"
#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Points that deform, with a radius each, and items that cover some of them.
struct CoveredPoints {
    const PointsF& positions;                                  ///< Points at rest, 3 x n.
    const VectorXf* radii;                                     ///< Radii of n spheres, or null for points.
    const MatrixXf& basis;                                     ///< Displacements of the points, 3n x r.
    const Matrix<int, Eigen::Dynamic, Eigen::Dynamic>& items;  ///< Point numbers of each of m items, k x m.
};

/// Sets restCentres, restRadii, centreBasis and radiusCoefficients. Wrapped centres: the average over the covered
/// points; radii and coefficients bound every covered point (with its sphere radius) for every q.
PLIANT_INTERNAL_API void setTreeBounds(const CoveredPoints& points, BDTree& tree);

/// Both trees of a model anew, after its skeleton or surface were given another basis.
PLIANT_INTERNAL_API void setTreeBounds(ReducedModel& model);

}  // namespace pliant
