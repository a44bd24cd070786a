// SPDX-License-Identifier: Zlib
// A body against itself: segments of one skeleton that a large deformation brings together.
//
// What is close at rest is no contact: neighbours along a chain of segments, crossings of a weave, and everything else
// whose solids are nearer than half of their radii's sum in the rest pose. These pairs of segments are listed once for
// a model; all others are found by descending the BD-Tree against itself.
#pragma once

#include <memory>
#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Pairs of segments of a model that are close at rest. Immutable.
class PLIANT_INTERNAL_API RestNeighbours {
public:
    /// Share of the radii's sum: pairs whose gap at rest is smaller are neighbours.
    static constexpr double kNear = 0.5;

    explicit RestNeighbours(std::shared_ptr<const CollisionModel> model);

    const CollisionModel& model() const { return *m_model; }
    /// Of two segments in any order; a segment is its own neighbour.
    bool areNeighbours(int segmentA, int segmentB) const;
    /// Of which the first is the smaller number.
    std::size_t pairCount() const { return m_later.size(); }

private:
    std::shared_ptr<const CollisionModel> m_model;
    std::vector<int> m_first;  ///< segments + 1: where the later neighbours of each begin in m_later
    std::vector<int> m_later;  ///< ascending
};

/// Contacts of a body with itself within `margin` metres, appended to `out` ascending by feature; segmentA < segmentB,
/// normal from B to A. The body's boxes must be current (DeformedBody::refit). History as in collideBodies.
PLIANT_INTERNAL_API void collideSelf(const DeformedBody& body, const RestNeighbours& neighbours, double margin,
                                     std::vector<SkeletonContact>& out, const ContactHistory* history = nullptr);

}  // namespace pliant
