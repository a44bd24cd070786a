// SPDX-License-Identifier: Zlib
// Bounded deformation tree [JP04]: a sphere hierarchy whose spheres follow q without touching the geometry.
//
//     centre_k(q) = c0_k + Uc_k q,      radius_k(q) = rad0_k + sum_j a_kj |q_j|,
//     a_kj >= max over covered points s of |U_s,j - Uc_k,j|   (3-vectors), inflated for single-precision rounding.
//
// Data only (it is stored in the model file); collision/ builds and traverses it.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

struct BDTreeNode {
    int firstChild = -1;  ///< children are firstChild and firstChild + 1; -1 in a leaf
    int firstItem = 0;    ///< range in BDTree::items that the node covers (inner nodes too)
    int itemCount = 0;
};

/// Breadth-first order: node 0 is the root and the nodes of one level are contiguous.
struct BDTree {
    std::vector<BDTreeNode> nodes;  ///< N
    PointsF restCentres;            ///< 3 x N, body frame, metres
    VectorXf restRadii;             ///< N, metres
    MatrixXf centreBasis;           ///< 3N x r, rows 3k..3k+2 of node k
    MatrixXf radiusCoefficients;    ///< r x N, a_kj >= 0
    std::vector<int> items;         ///< permutation of the covered items (triangles or segments)

    int nodeCount() const { return static_cast<int>(nodes.size()); }
};

}  // namespace pliant
