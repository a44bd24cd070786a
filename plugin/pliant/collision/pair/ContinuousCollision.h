// SPDX-License-Identifier: Zlib
// Body against body over a whole step: what touches now, and what would touch on its way. For bodies that come farther
// in a step than segments are thick, where the distance of the present says little.
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Whether the outermost boxes stay farther than `margin` apart along one axis of the world while A's goes straight by
/// `motion` past B's; says nothing about turning and deforming on the way.
PLIANT_INTERNAL_API bool boxesStayApart(const DeformedBody& a, const DeformedBody& b, const Vector3& motion,
                                        double margin);

/// Finds the contacts of collideBodies() within `margin`, and one for every other pair of segments that comes within it
/// while the spheres of both bodies go straight to where they are predicted to be (DeformedBody::predictMotion and
/// refit, needed of both): the contact of the moment when it does, its normal that of then, its points on the segments
/// where they are now, `distance` along the normal, `closing` what the step takes off it. Without rotation the points
/// touch when the distance is used up, so that a row that lets them come nearer by `distance` and no more stops them in
/// time and no sooner. Ascending by feature.
PLIANT_INTERNAL_API void collideBodiesContinuous(const DeformedBody& a, const DeformedBody& b, double margin,
                                                 std::vector<SkeletonContact>& out,
                                                 const ContactHistory* history = nullptr);

}  // namespace pliant
