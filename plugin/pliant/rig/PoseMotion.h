// SPDX-License-Identifier: Zlib
/// @file
/// How bones move: their maps with the first and second derivatives in time that the inertia of flesh feels.
///
/// Derivatives of a clip are those of its curves, not differences of poses: cubic pieces have accelerations that are
/// linear between two keys and jump at a key, as the motion's own do.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/Clip.h"

namespace pliant {

/// [L | t], 3 x 4: x -> L x + t.
using AffineMap = Matrix<double, 3, 4>;

/// Where a map x -> L x + t is and how it moves; L is a rotation times a scale.
struct PLIANT_API MovingFrame {
    AffineMap map = AffineMap::Identity();       ///< The map [L | t], t in m.
    AffineMap velocity = AffineMap::Zero();      ///< Its first derivative, 1/s and m/s.
    AffineMap acceleration = AffineMap::Zero();  ///< Its second derivative, 1/s^2 and m/s^2.

    /// Standing still.
    static MovingFrame still(const Similarity& frame);
    /// The image of a point, m.
    Vector3 point(const Vector3& x) const { return map.leftCols<3>() * x + map.col(3); }
    /// The scale in L.
    double scale() const { return map.col(0).norm(); }
};

/// Outer after inner, with the derivatives of the product.
PLIANT_API MovingFrame product(const MovingFrame& outer, const MovingFrame& inner);

/// Every bone in its parent while a clip is played at its own speed. Before its start and from its end on a clip stands
/// still.
/// @param time of the file's, s  @param frames resized to the number of bones; allocates the first time
PLIANT_API void localMotionAt(const Skeleton& skeleton, const Clip& clip, double time,
                              std::vector<MovingFrame>& frames);

/// Every bone in its parent, in a pose that stands still. @param frames resized to the number of bones
PLIANT_API void localMotionOf(const Skeleton& skeleton, const Pose& pose, std::vector<MovingFrame>& frames);

/// From bones in their parents to T_b of every bone: rest space -> now.
/// @param world what carries the whole skeleton, or null where the pose's world is asked for
/// @param frames bone -> parent; becomes T_b
PLIANT_API void chainMotion(const Skeleton& skeleton, const MovingFrame* world, std::vector<MovingFrame>& frames);

/// T_b of every bone, in the pose's world: chainMotion() of localMotionAt().
PLIANT_API void motionAt(const Skeleton& skeleton, const Clip& clip, double time, std::vector<MovingFrame>& frames);

/// T_b of every bone of a pose that stands still. @param frames resized to the number of bones
PLIANT_API void motionOf(const Skeleton& skeleton, const Pose& pose, std::vector<MovingFrame>& frames);

}  // namespace pliant
