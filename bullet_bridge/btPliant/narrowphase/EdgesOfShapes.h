// SPDX-License-Identifier: Zlib
// Internal: the sharp edges by which a shape of Bullet's touches the sharp edges of thin solids (touch/EdgeContacts.h).
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"
#include "pliant/touch/EdgeContacts.h"

namespace btPliantInternal {

/// Appends contacts of the edges of a solid that cross edges of the shape within `reach`, where one of both is thin,
/// and sorts all by feature.
/// @param step s  @param reach metres, margins added
void touchEdgesOfShape(const ContactPair& pair, const PlacedShape& placed, double step, double reach,
                       SkeletonContacts& out);

// Of the shapes of the table (shapes/ShapeColliders.cpp); none of one that is thicker than is asked for. @param near
// box in the world; edges beyond it may be left out
void edgesOfBox(const PlacedShape& placed, const pliant::Aabb& near, pliant::ShapeEdges& out);
void edgesOfCylinder(const PlacedShape& placed, const pliant::Aabb& near, pliant::ShapeEdges& out);
/// Of convex hulls; other polyhedra have none.
void edgesOfPolyhedron(const PlacedShape& placed, const pliant::Aabb& near, pliant::ShapeEdges& out);
/// Folds of 35 degrees or more, and open edges.
void edgesOfTriangles(const PlacedShape& placed, const pliant::Aabb& near, pliant::ShapeEdges& out);

}  // namespace btPliantInternal
