// SPDX-License-Identifier: Zlib
// Which way a contact pushes, given what the pair remembers: internal to collideBodies. Directions along the
// world's axes unless they say otherwise.
#pragma once

#include "pliant/collision/pair/ContactHistory.h"

namespace pliant {

/// Radii, of both, up to which the axes of what has passed through each other are brought back.
constexpr double kReachBehind = 4.0;

struct ContactAxes {
    Vector3 offset = Vector3::Zero();    ///< Axis point of A minus axis point of B.
    Vector3 midpoint = Vector3::Zero();  ///< Midpoint of the two axis points, A's body frame.
    Vector3 extentA = Vector3::Zero(), extentB = Vector3::Zero();
    double radii = 0.0;                 ///< Sum of both radii at the contact.
    bool interior = false;              ///< Whether both points stand inside their segments.
    Vector3 centres = Vector3::Zero();  ///< Way from B's centre to A's, the last resort.
    bool comesBack = false;             ///< Whether what has gone wholly through is brought back (comeBack()).
};

struct OrientedNormal {
    Vector3 normal = Vector3::UnitZ();  ///< Unit normal from B to A.
    double separation = 0.0;            ///< Signed distance of the axes along the normal.
    bool crossed = false;
};

/// Whether what goes wholly through of two bodies is brought back: not of a body with itself, whose sides turn with its
/// own bending, and not of characters, which poses put where they are.
bool comeBack(const DeformedBody& a, const DeformedBody& b);

/// The side that the contact comes from: that of its own last substep, else that of a crossed (or, for deep contacts,
/// any) remembered contact of neighbouring segments close by, else where A is now.
/// @param own entry of the same feature, or null @param nearby entry to inherit from, or null
/// @param rotation of A: turns remembered normals from A's body frame
OrientedNormal orientContactNormal(const ContactAxes& axes, const Matrix3& rotation, const ContactHistory::Entry* own,
                                   const ContactHistory::Entry* nearby);

/// The nearest remembered contact within 2 x radii whose segments are the same as or neighbours of the given ones.
const ContactHistory::Entry* nearbyEntry(const ContactHistory& history, const CollisionModel& a, int segmentA,
                                         const CollisionModel& b, int segmentB, const ContactAxes& axes);

/// The remembered contact that has crossed nearest to `point`, whose segments are the same as or neighbours of the
/// given ones; one of the very segments before those. @param point A's body frame
const ContactHistory::Entry* crossedEntry(const ContactHistory& history, const CollisionModel& a, int segmentA,
                                          const CollisionModel& b, int segmentB, const Vector3& point);

}  // namespace pliant
