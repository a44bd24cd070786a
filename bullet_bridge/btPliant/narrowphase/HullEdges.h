// SPDX-License-Identifier: Zlib
// Internal: the edges of Bullet's convex hulls, which are given by points alone.
#pragma once

#include <cstdint>
#include <vector>

#include "pliant/math/Types.h"

class btConvexHullShape;

namespace btPliantInternal {

/// The edges of one hull in its own frame, without its margin.
class HullEdges {
public:
    struct Edge {
        pliant::Vector3 start = pliant::Vector3::Zero(), end = pliant::Vector3::Zero();  ///< Ends, m.
        pliant::Vector3 normal[2] = {};  ///< Unit normals of both faces, outward.
    };

    /// Found when the thread asks for the first time, and anew where the shape has other points than it had.
    static const HullEdges& of(const btConvexHullShape& shape);

    const std::vector<Edge>& edges() const { return m_edges; }
    /// Half of what the hull measures across a face where it is thinnest, m.
    double halfThickness() const { return m_halfThickness; }

private:
    void find(const btConvexHullShape& shape);

    std::vector<Edge> m_edges;
    double m_halfThickness = 0.0;
    std::uint64_t m_hash = 0;  ///< Of the points that the edges are of.
};

}  // namespace btPliantInternal
