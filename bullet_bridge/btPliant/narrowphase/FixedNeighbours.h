// SPDX-License-Identifier: Zlib
// Internal: where points go into shapes in a step, and what else stands there.
#pragma once

#include <vector>

#include "btPliant/data/ContactPair.h"
#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// Where a point goes into a shape.
struct Entry {
    bool isThere = false;
    double time = 0.0;  ///< Share of the way.
    pliant::FieldSample sample;
};

/// The field of a shape, less margins.
struct MarginField {
    ShapeField shape;
    double margins = 0.0;  ///< m

    pliant::FieldSample at(const pliant::Vector3& place) const {
        pliant::FieldSample there = shape.sample(place);
        there.distance -= margins;
        return there;
    }
    /// Where a point goes in that starts at `from` and goes by `way`, m: where it is `slop` metres deep, or has come
    /// through a plate that is thinner.
    Entry entryOn(const pliant::Vector3& from, const pliant::Vector3& way, double slop) const;
};

/// What else stands where a body comes to in a step, as the boxes of a floor stand beside each other: what one of them
/// stops falls into the side of none of the others. A thread has one at a time.
class FixedNeighbours {
public:
    explicit FixedNeighbours(const ContactPair& pair);

    /// A way of a point as the neighbours leave it, m: what would go into one of them sooner than at `time`, a share of
    /// the way, slides on it. All of the way where the pair's other object moves.
    pliant::Vector3 wayLeft(const pliant::Vector3& from, const pliant::Vector3& way, double time);
    /// Distance to the nearest of them, m; a large one where there are none, or the pair's other object moves.
    double distanceTo(const pliant::Vector3& place);

private:
    void list();

    const ContactPair& m_pair;
    bool m_isListed;
    std::vector<MarginField>& m_neighbours;  ///< The thread's, so that settled steps allocate nothing.
};

}  // namespace btPliantInternal
