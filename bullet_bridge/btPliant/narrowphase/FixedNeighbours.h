// SPDX-License-Identifier: Zlib
// Internal: where points go into shapes in a step, and what else stands there.
#pragma once

#include <vector>

#include "btPliant/data/ContactPair.h"
#include "btPliant/narrowphase/ShapeCollider.h"
#include "pliant/collision/body/FunctionRef.h"

struct btBroadphaseProxy;
class btCompoundShape;

namespace btPliantInternal {

/// Where a point goes into a shape.
struct Entry {
    bool isThere = false;
    double time = 0.0;  ///< Share of the way.
    pliant::FieldSample sample;
};

/// Where a point goes in that starts outside: where it is `slop` metres deep, or has come through a plate that is
/// thinner. @param fieldAt the field at a share of the way  @param length of the way, m
Entry entryOf(pliant::FunctionRef<pliant::FieldSample(double)> fieldAt, double length, double slop);

/// The field of a shape, less margins.
struct MarginField {
    ShapeField shape;
    double margins = 0.0;  ///< Thickness that comes on top, m.

    double distance(const pliant::Vector3& place) const { return shape.distance(place) - margins; }
    pliant::FieldSample at(const pliant::Vector3& place) const {
        pliant::FieldSample there = shape.sample(place);
        there.distance -= margins;
        return there;
    }
    /// The same for a point that starts at `from` and goes by `way`, m.
    Entry entryOn(const pliant::Vector3& from, const pliant::Vector3& way, double slop) const;
};

/// A way, m, or a longer one of which rounding at a place is a small share: single precision tells places 100 m from
/// the origin to some 10 um.
double clearOfRounding(const pliant::Vector3& place, double way);

/// What neighbours leave of the way of a point.
struct WayLeft {
    pliant::Vector3 way = pliant::Vector3::Zero();     ///< Way that is left, m.
    bool isStopped = false;                            ///< Whether it slides on a face of one of them.
    bool isHeld = false;                               ///< Whether that one has a contact with it of its own.
    pliant::Vector3 normal = pliant::Vector3::Zero();  ///< Of the face.
    double ahead = 0.0;                                ///< Distance to the face at the start, m.
};

/// What else stands where a body comes to in a step, as the boxes of a floor stand beside each other: what one of them
/// stops falls into the side of none of the others. Beside a static object these are boxes, cylinders, spheres,
/// capsules and planes with contact response that the body may collide with and whose bounds meet its own, and such
/// parts of compounds; beside a part of a compound, static or not, its other parts. Compounds within compounds are left
/// out. A thread has one of these at a time.
class FixedNeighbours {
public:
    /// @param slop depth of what slides on a face, m
    FixedNeighbours(const ContactPair& pair, double slop);

    /// @param from,way of a point of the body, m  @param time share of the way, before which neighbours count
    WayLeft wayLeft(const pliant::Vector3& from, const pliant::Vector3& way, double time);
    /// Whether one of them is where a unit normal looks to from a place of the pair's shape: nothing gets there.
    bool cover(const pliant::Vector3& place, const pliant::Vector3& normal);

private:
    void list();
    void addObjects(const btBroadphaseProxy& ours);
    void addParts(const btCollisionObject& object, const btCompoundShape& compound);
    void add(const btCollisionObject& object, const btCollisionShape& shape, const btTransform& transform);

    const ContactPair& m_pair;
    double m_slop;
    bool m_isListed = false;
    std::vector<MarginField>& m_neighbours;  ///< The thread's, so that settled steps allocate nothing.
};

}  // namespace btPliantInternal
