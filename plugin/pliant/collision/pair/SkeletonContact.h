// SPDX-License-Identifier: Zlib
/// @file
/// A raw contact of a skeleton segment with a segment of another body, or with something that is not ours.
#pragma once

#include <cstdint>

#include "pliant/math/Types.h"

namespace pliant {

/// World space, metres. pointA = axis point of A - radiusA normal, pointB = axis point of B + radiusB normal, and
/// distance = (pointA - pointB) . normal. Of what will only touch on its way through a step these are the
/// points that will, where they are now: they lie beside each other as well. The point that the modal part acts on is
/// the axis point (CollidingBody::project()).
struct SkeletonContact {
    int segmentA = -1;        ///< Segment of A's skeleton.
    int segmentB = -1;        ///< Index of the segment of B; -1 where B is no skeleton (a plane or a Bullet shape).
    float parameterA = 0.0f;  ///< Place along the segment of A, from 0 to 1, or beside its point (SurfacePlaces.h).
    float parameterB = 0.0f;  ///< The same of B.
    Vector3 pointA = Vector3::Zero();   ///< The point on A's swept surface, m.
    Vector3 pointB = Vector3::Zero();   ///< The point on B's surface, m.
    Vector3 normal = Vector3::UnitZ();  ///< The unit normal, from B to A.
    double distance = 0.0;              ///< Gap along the normal, m; below 0 where they penetrate.
    double closing = 0.0;               ///< Metres that the distance shrinks by in the step ahead, where known.
    double radiusA = 0.0;               ///< Swept radius of A at the parameter.
    double radiusB = 0.0;               ///< The same of B; 0 when B is no skeleton.
    /// Stable while the same two segments touch: key of warm starting and of ContactHistory; unique within one query.
    std::uint64_t feature = 0;
    bool crossed = false;  ///< Axes have passed through each other; normal is the side that they came from.
    bool kept = false;     ///< Survived clustering in the last substep (ContactHistory): preferred again.
};

/// The feature of a contact of two segments, see SkeletonContact::feature.
/// @param part 0, or 1 for the second contact of parallel segments
inline std::uint64_t contactFeature(int segmentA, int segmentB, int part) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(segmentA)) << 33) |
           (static_cast<std::uint64_t>(static_cast<std::uint32_t>(segmentB + 1)) << 1) |
           static_cast<std::uint64_t>(part);
}

}  // namespace pliant
