// SPDX-License-Identifier: Zlib
// Internal: the triangles of a shape that are near a body, and what meets at their edges and corners.
#pragma once

#include <LinearMath/btTransform.h>

#include <cstdint>
#include <vector>

#include "pliant/math/Types.h"

class btConcaveShape;

namespace btPliantInternal {

/// Keeps its memory from one use to the next.
class TrianglePatch {
public:
    struct Triangle {
        pliant::Vector3 corners[3];  ///< Corners in the world, m.
        int feature = 0;             ///< Number of the triangle in its shape, always the same.
        int corner[3] = {};          ///< Numbers in corners().
        int edge[3] = {};            ///< Numbers in edges(): from corner k to corner k + 1.
    };
    struct Corner {
        pliant::Vector3 place;  ///< Place in the world, m.
        int feature = 0;        ///< Number of the corner, always the same.
    };
    struct Edge {
        int corner[2] = {};  ///< Numbers in corners(), from the smaller feature to the larger.
        int feature = 0;     ///< Number of the edge, always the same.
    };

    /// Takes the place of what was there. @param lower,upper box in the frame of the shape, m
    void collect(const btConcaveShape& shape, const btTransform& worldFromShape, const btVector3& lower,
                 const btVector3& upper);

    const std::vector<Triangle>& triangles() const { return m_triangles; }
    const std::vector<Corner>& corners() const { return m_corners; }
    const std::vector<Edge>& edges() const { return m_edges; }

    /// Whether the surface pushes along a normal at one of its edges or corners: none of the triangles that meet there
    /// rises above the plane through it across the normal. Where one does, it is nearer itself to whatever lies there:
    /// the edges within a floor push upwards alone, not against what slides along it.
    /// @param normal unit, world
    bool cornerPushes(int corner, const pliant::Vector3& normal) const;
    /// What the normal has along the edge is left out.
    bool edgePushes(int edge, const pliant::Vector3& normal) const;
    /// The same at a place of a triangle: on one of its edges or corners, or within, where it is always so.
    /// @param onSeam whether the place is on an edge or a corner
    bool trianglePushes(const Triangle& triangle, const pliant::Vector3& place, const pliant::Vector3& normal,
                        bool& onSeam) const;

    /// Whether a place of a triangle is on an edge that is no other triangle's, or where such an edge ends.
    bool isOnOpenEdge(const Triangle& triangle, const pliant::Vector3& place) const;

    /// How the surface is folded along an edge, with `outward` half-way between the normals on the side where it stands
    /// out and `halfTurn` from there to each of them; an open edge is folded back onto itself.
    /// @param outward unit, world  @param halfTurn rad  @return false where more than two triangles meet, or it is flat
    bool fold(int edge, pliant::Vector3& outward, double& halfTurn) const;

    pliant::Vector3 edgeDirection(int edge) const;  ///< Unit direction of an edge, world.

private:
    /// What a place of a triangle is on.
    enum class Part { Corner, Edge, Inside };
    /// @param number of the corner or edge
    static Part partAt(const Triangle& triangle, const pliant::Vector3& place, int& number);
    const Triangle& triangleOf(int i) const { return m_triangles[static_cast<std::size_t>(i / 3)]; }

    int featureOf(int i) const { return 3 * triangleOf(i).feature + i % 3; }
    Edge edgeBetween(int a, int b, int feature) const;

    void joinCorners();
    void joinEdges();

    // Corners and edges of triangles have the numbers 3 t + k.
    struct PlacedCorner {
        pliant::Vector3 place;
        int feature, number;
    };
    struct EdgeEnds {
        std::uint64_t corners;  ///< Both corners, the smaller one in the upper half.
        int feature, number;
    };
    std::vector<Triangle> m_triangles;
    std::vector<Corner> m_corners;
    std::vector<Edge> m_edges;
    std::vector<PlacedCorner> m_places;  ///< Corners sorted by what they join to, as the next ones are.
    std::vector<EdgeEnds> m_ends;
    /// Numbers that join to a corner or edge: from its first to the next one's.
    std::vector<int> m_ofCorners, m_firstOfCorner, m_ofEdges, m_firstOfEdge;
};

}  // namespace btPliantInternal
