// SPDX-License-Identifier: Zlib
// Thins out the raw contacts of one pair of bodies to a few per touching region.
#pragma once

#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

struct ClusterOptions {
    int pointsPerRegion = 3;  ///< Most contacts of a region, 1..3.
    double reach = 6.0;  ///< Reach of a region from its deepest point, in contact radii (mean of radiusA, radiusB).
    double normalCosine = 0.5;  ///< Cosine between normals below which contacts are another region.
    int maximum = 64;           ///< Most contacts of a pair in all, the deepest regions first.
};

/// Greedy and deterministic. The deepest contact left opens a region of everything within reach of it with a similar
/// normal; kept are it, the contact farthest from it and the one farthest from their line. Contacts that were kept in
/// the last substep (`kept`) count as a little deeper, so that the choice is steady. `contacts` is reduced in place and
/// ends ascending by feature.
PLIANT_INTERNAL_API void clusterContacts(std::vector<SkeletonContact>& contacts, const ClusterOptions& options = {});

}  // namespace pliant
