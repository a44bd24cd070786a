// SPDX-License-Identifier: Zlib
// Body against body: dual traversal of the two BD-Trees down to pairs of swept segments.
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/PairCandidates.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

/// All contacts with distance <= margin (metres, >= 0), appended to `out` ascending by feature. One contact per pair
/// of touching segments, two where they run side by side. Same bits whatever the order of calls and threads.
///
/// Normal: from B's axis point to A's. With `history`, a pair of segments that touched in the last substep keeps its
/// side: when the axes have passed through each other, normal stays on the remembered side, distance is the signed one
/// along it (below -(radiusA + radiusB)) and `crossed` is set; segments next to a crossed contact inherit its side, and
/// so do contacts that appear deeper than half of the radii. Where the axes meet (no direction left) the normal is
/// perpendicular to both and points from B's centre to A's.
///
/// @param candidates kept for the pair from call to call it saves most of the time; the boxes of both bodies must be
/// current (DeformedBody::refit) unless it covers the margin
PLIANT_INTERNAL_API void collideBodies(const DeformedBody& a, const DeformedBody& b, double margin,
                                       std::vector<SkeletonContact>& out, const ContactHistory* history = nullptr,
                                       PairCandidates* candidates = nullptr);

/// The leaf test of collideBodies, on any two segments: writes 0, 1 or 2 contacts. Returns their number.
PLIANT_INTERNAL_API int collideSegments(const DeformedBody& a, int segmentA, const DeformedBody& b, int segmentB,
                                        double margin, SkeletonContact* out, const ContactHistory* history = nullptr);

}  // namespace pliant
