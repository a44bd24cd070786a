// SPDX-License-Identifier: Zlib
// Skeleton of one body against things that are not skeletons. World space; nothing allocates but `out`.
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/body/FunctionRef.h"
#include "pliant/collision/pair/PlaneCandidates.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Contacts with the half-space normal . x <= offset (unit normal): one per sphere within `margin`, with the sphere's
/// owner segment and parameter 0 or 1; segmentB = -1, feature = contactFeature(segment, -1, end). Ascending by feature.
/// @param candidates  kept by the caller for the next call with the same body; may be null
PLIANT_INTERNAL_API void collideHalfSpace(const DeformedBody& a, const Vector3& normal, double offset, double margin,
                                          std::vector<SkeletonContact>& out, PlaneCandidates* candidates = nullptr);

/// Whether all of the body is farther than that from the half-space.
PLIANT_INTERNAL_API bool isBeyond(const DeformedBody& a, const Vector3& normal, double offset, double margin);

/// Whether collideHalfSpace() with these arguments would look at every sphere (DeformedBody::evaluateTogether()).
PLIANT_INTERNAL_API bool halfSpaceNeedsAllSpheres(const DeformedBody& a, const Vector3& normal, double offset,
                                                  double margin, const PlaneCandidates& candidates);

/// The same over the whole step to where the body is predicted to be (DeformedBody::predictMotion): what is within the
/// margin now or will be at the end of it, with `closing`.
/// @param back  takes points of the world at the end of the step to where they are seen from the plane as it stands now
PLIANT_INTERNAL_API void collideHalfSpaceContinuous(const DeformedBody& a, const Vector3& normal, double offset,
                                                    const RigidTransform& back, double margin,
                                                    std::vector<SkeletonContact>& out);

/// Calls `visit` for every segment whose swept solid may come within `margin` of the box (none is missed; a few
/// outside may be visited). Order is fixed (that of the tree), not sorted.
PLIANT_INTERNAL_API void visitSegmentsNear(const DeformedBody& a, const Aabb& box, double margin,
                                           FunctionRef<void(const CapsuleSegment&)> visit);

/// The same without the branches of the tree of which `mayTouch` says no. It is asked with a ball, centre and radius in
/// the world, m, that holds all segments of the branch.
PLIANT_INTERNAL_API void visitSegmentsNear(const DeformedBody& a, const Aabb& box, double margin,
                                           FunctionRef<bool(const Vector3&, double)> mayTouch,
                                           FunctionRef<void(const CapsuleSegment&)> visit);

/// Calls `visit` for every segment that may come within `margin` of a sphere.
PLIANT_INTERNAL_API void visitSegmentsNear(const DeformedBody& a, const Vector3& centre, double radius, double margin,
                                           FunctionRef<void(const CapsuleSegment&)> visit);

/// A contact of segment `segment` with something else, found by the caller (GJK of the swept segment against a
/// shape): fills parameter, radius, points, distance and feature from an axis point.
/// @param axisPoint  on the segment's axis, world  @param pointOnOther surface point of the other shape
/// @param normal     unit, from the other shape to A  @param part number of the contact on that segment (0 or 1)
PLIANT_INTERNAL_API SkeletonContact makeShapeContact(const CapsuleSegment& segment, const Vector3& axisPoint,
                                                     const Vector3& pointOnOther, const Vector3& normal, int part = 0);

}  // namespace pliant
