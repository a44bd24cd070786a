// SPDX-License-Identifier: Zlib
// Nearest point of a triangle surface and what a line crosses of it, through a tree of boxes. Internal to the offline
// side.
#pragma once

#include <array>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

class SurfaceDistance {
public:
    /// Keeps references to both. @param points 3 x n @param triangles 3 x m, m >= 1
    SurfaceDistance(const Points& points, const Triangles& triangles);

    Vector3 nearest(const Vector3& x) const;

    /// Squared distance of the nearest point; `limit2` where nothing is nearer than that.
    double squaredDistance(const Vector3& x, double limit2) const;

    /// What the search for the nearest point reads of a triangle.
    struct PackedTriangle {
        std::array<Vector3, 3> corner;
        Vector3 normal;  ///< Normal, twice the area long.
        double area2;    ///< Square of the normal.
        bool isSliver;   ///< Whether rounding turns the plane too far to tell anything by it.
    };

    /// Where a line crosses a triangle.
    struct Crossing {
        double place;  ///< Place on the way, 0..1.
        int triangle;
    };
    /// Every crossing of the way from `from` to `to`, in no order; a shared edge may be met once for each triangle.
    void crossings(const Vector3& from, const Vector3& to, std::vector<Crossing>& found) const;
    /// Whether a triangle lies in the way.
    bool isBlocked(const Vector3& from, const Vector3& to) const;

private:
    struct Node {
        Vector3 lower, upper;
        int firstChild, firstItem, itemCount;  ///< children firstChild and firstChild + 1; -1 in a leaf
    };
    Node makeNode(int firstItem, int itemCount) const;
    /// Makes `least` the least squared distance below it; its point goes to `best`.
    void search(const Vector3& x, double& least, Vector3& best) const;
    /// Calls visit(Crossing) until it returns false.
    template <typename Visit>
    void visitCrossings(const Vector3& from, const Vector3& to, const Visit& visit) const;

    const Points& m_points;
    const Triangles& m_triangles;
    std::vector<int> m_items;
    std::vector<PackedTriangle> m_packed;  ///< In the order of the leaves.
    std::vector<Node> m_nodes;
};

/// The point of triangle (a, b, c) that is nearest to x.
Vector3 nearestOnTriangle(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& x);

}  // namespace pliant
