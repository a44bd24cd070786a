// SPDX-License-Identifier: Zlib
/// @file
/// Bounded deformation trees [JP04]: data only, as it is stored in the model file.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// A node of a BDTree.
struct BDTreeNode {
    int firstChild = -1;  ///< Children are firstChild and firstChild + 1; -1 in a leaf.
    int firstItem = 0;    ///< Start of the range in BDTree::items that the node covers (inner nodes too).
    int itemCount = 0;    ///< Length of that range.
};

/// Bounded deformation tree [JP04]: a hierarchy of bounding spheres that follow q without touching the geometry.
///
///     centre_k(q) = c0_k + Uc_k q,      radius_k(q) = rad0_k + sum_j a_kj |q_j|,
///     a_kj >= max over covered points s of |U_s,j - Uc_k,j|   (3-vectors), inflated for single-precision rounding.
///
/// Breadth-first order: node 0 is the root and the nodes of one level are contiguous.
struct BDTree {
    std::vector<BDTreeNode> nodes;  ///< N nodes.
    PointsF restCentres;            ///< Centres at rest, c0, 3 x N, body frame, m.
    VectorXf restRadii;             ///< Radii at rest, rad0, N, m.
    MatrixXf centreBasis;           ///< Uc, 3N x r, rows 3k..3k+2 of node k.
    MatrixXf radiusCoefficients;    ///< How radii grow with |q|, a, r x N, a_kj >= 0.
    std::vector<int> items;         ///< A permutation of the covered items (triangles or capsule segments).

    /// The number N of nodes.
    int nodeCount() const { return static_cast<int>(nodes.size()); }
};

}  // namespace pliant
