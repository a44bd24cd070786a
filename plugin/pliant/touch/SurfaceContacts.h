// SPDX-License-Identifier: Zlib
// Contacts of two reduced bodies of which at least one is a solid: points of one surface in the field of the other,
// both ways round where both are solids [B07 ch. 3], and capsule segments in the field of a solid.
#pragma once

#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"
#include "pliant/touch/SurfaceCandidates.h"
#include "pliant/touch/SurfaceSides.h"
#include "pliant/touch/TouchingBody.h"

namespace pliant {

/// Lists of a pair: segments of A that are near B's field, and of B near A's.
struct SurfacePairCandidates {
    SurfaceCandidates ofA, ofB;
};

/// What a pair remembers of its points: of A in B's field, and of B in A's.
struct SurfacePairSides {
    SurfaceSides ofA, ofB;

    void clear() {
        ofA.clear();
        ofB.clear();
    }
};

/// Whether collideSurfaces() will descend trees of boxes (DeformedBody::refit) with these arguments.
PLIANT_INTERNAL_API bool surfacesNeedBoxes(const TouchingBody& a, const TouchingBody& b, double margin,
                                           const SurfacePairSides& sides, const SurfacePairCandidates& candidates);

/// Appends contacts within reach, ascending by feature, whose part is 0 for points of A in B's field and 1
/// for the others. The other side's material point is the place of its surface below the
/// point (SurfacePlaces.h).
/// @param way m, that the bodies may have moved towards each other since the last call
/// @param sides, candidates kept by the caller for the next call with the same two bodies
PLIANT_INTERNAL_API void collideSurfaces(const TouchingBody& a, const TouchingBody& b, const SurfaceReach& reach,
                                         double way, SurfacePairSides& sides, SurfacePairCandidates& candidates,
                                         std::vector<SkeletonContact>& out);

}  // namespace pliant
