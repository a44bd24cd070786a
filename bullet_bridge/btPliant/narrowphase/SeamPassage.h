// SPDX-License-Identifier: Zlib
// Internal: points of a solid that move over the edges of triangles in a step.
//
// The nearest point of a mesh says where a body may touch it now. What lies beyond a seam is another question: over the
// open edge of a floor a body slides on to the next floor, and where two triangles form a hollow, what moves along the
// one runs into the plane of the other.
#pragma once

#include "btPliant/narrowphase/PassedFaces.h"
#include "btPliant/narrowphase/TrianglePatch.h"

namespace btPliantInternal {

/// A point and its straight way in a step.
struct PointWay {
    pliant::Vector3 from = pliant::Vector3::Zero();  ///< Start of the way, world, m.
    pliant::Vector3 way = pliant::Vector3::Zero();   ///< Way in the step, m.
};

/// The surface of a triangle's own side, as one that moves sees it.
struct TriangleSide {
    pliant::Vector3 normal = pliant::Vector3::Zero();  ///< Unit normal to the side where the point starts.
    double start = 0, end = 0;                         ///< Distances at both ends of the way, less the margins, m.
};

/// How triangles are passed through.
struct PassageRule {
    pliant::Vector3 centre = pliant::Vector3::Zero();  ///< Centre of the body, where its points start from, world, m.
    double margins = 0;                                ///< Thickness of triangles beyond their planes, m.
    double slop = 0;                                   ///< Depth that what slides on a plane may be below it, m.
};

/// Whether the point goes through a triangle, to more than `depth` metres behind its plane.
bool passesThrough(const PointWay& point, const TrianglePatch::Triangle& triangle, const PassageRule& rule,
                   double depth, TriangleSide& side);

/// The side of a triangle that a point is on, from its plane.
TriangleSide sideOf(const PointWay& point, const TrianglePatch::Triangle& triangle, const PassageRule& rule);

/// Whether a contact of the pair that the thread is at work on is with an edge or a corner of a shape of triangles.
bool isAtSeam(const btCollisionShape& shape, const pliant::SkeletonContact& contact);

/// Leaves out contacts with edges and corners of triangles that the points of a surface go past, through no triangle.
/// @param margins m, of both, to be subtracted from distances as yet
void leaveOutPassedSeams(const ContactPair& pair, const PlacedShape& placed, double step, double margins,
                         SkeletonContacts& found);

}  // namespace btPliantInternal
