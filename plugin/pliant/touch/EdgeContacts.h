// SPDX-License-Identifier: Zlib
// Contacts of sharp edges of thin solids that cross each other, or edges of what is no reduced body. Internal to
// collideSurfaces() and to the narrow phase.
#pragma once

#include <cstddef>
#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"
#include "pliant/touch/TouchingBody.h"

namespace pliant {

/// A sharp, convex edge of what is no reduced body, where it is now.
struct ShapeEdge {
    Vector3 start = Vector3::Zero(), end = Vector3::Zero();  ///< World, m; the same bits where edges meet.
    Vector3 outward = Vector3::Zero();  ///< Unit vector half-way between the normals of both faces, world.
    double halfTurn = 0.0;              ///< Angle from there to each of the normals, rad.
    double room = 0.0;                  ///< Distance to the shape's next edge, m; 0: unknown.
    bool isEnd[2] = {false, false};     ///< Whether no other edge goes on at its start and at its end.
    int number = 0;                     ///< As the segment of the shape in features of contacts (contactFeature()).
};

/// The edges of a shape that are near a body.
struct ShapeEdges {
    std::vector<ShapeEdge> list;
    double slop = 0.0;            ///< Depth of what slides past, m.
    double mostThickness = 1e30;  ///< Shapes that are not thinner are not asked for, m.
    double thickness = 0.0;       ///< Half of what the shape measures across where it is thinnest, m; 0: unknown.
    double rounding = 0.0;        ///< Radius by which the shape is larger than its edges say, m.
    int firstPoint = 0;  ///< From this number on features are of points of the shape, on its edges all of them.
};

/// Appends a contact for every two edges (SharpEdge) that cross within `margin` metres: the way between the places
/// where they come nearest lies between the faces of both. None of characters, and none where both are thick: their
/// points are closer than that.
/// @param first of the contacts in `out` that are of the same two bodies: no feature comes twice among them
void collideEdges(const TouchingBody& a, const TouchingBody& b, double margin, std::size_t first,
                  std::vector<SkeletonContact>& out);
/// What goes on around a shape.
class ShapeSurroundings {
public:
    virtual ~ShapeSurroundings() = default;
    /// Way of a place of the body in the step, as the shape sees it, m.
    virtual Vector3 wayOf(const Vector3& place) = 0;
    /// Whether something else covers the shape at a place of it on the side that a unit normal looks to.
    virtual bool isCovered(const Vector3& place, const Vector3& normal) = 0;
};

/// The same of a body and a shape. Edges of which the body will slide off before they meet, and those that are covered,
/// have no contact.
PLIANT_INTERNAL_API void collideEdges(const TouchingBody& a, const ShapeEdges& b, ShapeSurroundings& around,
                                      double margin, std::size_t first, std::vector<SkeletonContact>& out);
/// Whether a body has edges that collideEdges() may find.
PLIANT_INTERNAL_API bool hasEdges(const TouchingBody& body);

}  // namespace pliant
