// SPDX-License-Identifier: Zlib
// Internal: contacts of a solid with faces that it slides past.
//
// A contact that is apart as yet stands for the half space beyond it. Of the seam between two boxes that lie side by
// side, or of a table's edge, that half space is ahead of whatever slides towards it on top, and would stop it.
#pragma once

#include "btPliant/data/BodyData.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "pliant/collision/body/FunctionRef.h"
#include "pliant/touch/DeformedField.h"

namespace btPliantInternal {

/// The way of a pair's `a` in a step as it moves now, as the other one sees it.
class RelativeWay {
public:
    /// @param step s
    RelativeWay(const ContactPair& pair, double step);
    /// @param place world, m
    pliant::Vector3 at(const pliant::Vector3& place) const;

private:
    pliant::Vector3 m_linear, m_angular, m_origin, m_otherLinear, m_otherAngular, m_otherOrigin;  ///< m, rad, m
};

/// Cosine between normals from which on they are of one face.
constexpr double kSameFace = 0.7;
/// Of the sliding slop, by which what rests on a face may end a step above it where the plane that it touches says
/// behind: the two differ by the bend of the face over the way, which of a heap at rest is less than a picometre, or by
/// a rounding. What slides over a seam in single precision ends farther above the face beyond, and is let go.
constexpr double kOnFace = 1e-6;

/// Whether a point that is apart comes as near in the step as to need a contact of its own.
/// @param normal of the contact, from the field to the point @param distance m
/// @param way m, of the point as the field sees it
bool comesNear(const pliant::Vector3& normal, double distance, const pliant::Vector3& way);
/// Whether such a point goes past: at the end of its way it is outside, or hardly below another face than the one that
/// is ahead of it now, as what slides on that one is, and it has not been deeper on the way, as through a thin plate.
/// Where an edge is ahead the face beyond it may look almost the same way: the plane across the normal says then that
/// the point ends far deeper than it does.
/// @param endBehindPlane m, distance from that plane at the end of the way
/// @param fieldAt(t) the field at a share of the way, its distance less the margins @param slop m
bool goesPast(const pliant::Vector3& normal, double endBehindPlane,
              pliant::FunctionRef<pliant::FieldSample(double)> fieldAt, double slop);
/// Metres by which what slides on a face may have sunk into it. @param ours of a solid
double slidingSlop(const BodyData& ours);

/// Leaves out contacts of a surface's points that go past a shape that has edges and a distance in closed form, in fast
/// steps, too. Those of points that go in through another face than the nearest get that face's normal, and what other
/// shapes beside it stop (FixedNeighbours.h) does not reach it.
/// @param margins m, of both, to be subtracted from distances as yet
void leaveOutPassedFaces(const ContactPair& pair, const PlacedShape& placed, double step, double margins,
                         SkeletonContacts& found);
/// The same of points of one solid and the field of the other.
void leaveOutPassedSurfaces(const ContactPair& pair, double step, double margins, SkeletonContacts& found);

}  // namespace btPliantInternal
