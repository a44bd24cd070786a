// SPDX-License-Identifier: Zlib
// Nearest point of a triangle surface, through a tree of boxes. Internal to buildSkeleton.
#pragma once

#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

class SurfaceDistance {
public:
    /// Keeps references to both. @param points 3 x n @param triangles 3 x m, m >= 1
    SurfaceDistance(const Points& points, const Triangles& triangles);

    Vector3 nearest(const Vector3& x) const;

private:
    struct Node {
        Vector3 lower, upper;
        int firstChild, firstItem, itemCount;  ///< children firstChild and firstChild + 1; -1 in a leaf
    };
    Node makeNode(int firstItem, int itemCount) const;

    const Points& m_points;
    const Triangles& m_triangles;
    std::vector<int> m_items;
    std::vector<Node> m_nodes;
};

/// The point of triangle (a, b, c) that is nearest to x.
Vector3 nearestOnTriangle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& x);

}  // namespace pliant
