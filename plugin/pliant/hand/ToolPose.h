// SPDX-License-Identifier: Zlib
/// @file
/// Poses of six degrees of freedom, what moves them, and what acts on them.
#pragma once

#include <Eigen/Geometry>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// A rotation as a unit quaternion; q and -q are the same rotation.
using Rotation = Eigen::Quaternion<double, Eigen::DontAlign>;
/// Three numbers of a translation or force and three of a rotation or torque, in this order.
using Vector6 = Matrix<double, 6, 1>;
/// A linear map of such vectors.
using Matrix6 = Matrix<double, 6, 6>;

/// Where a tool, or the device that moves it, is held: the point and the orientation, in the world.
struct ToolPose {
    Vector3 position = Vector3::Zero();        ///< The point that is held, m.
    Rotation rotation = Rotation::Identity();  ///< From the tool's frame to the world's, of unit length.

    /// The image of a point of the tool's frame, m.
    Vector3 point(const Vector3& x) const { return position + rotation * x; }
};

/// A force, N, and a torque about the point that is held, N m; both along the axes of the world.
struct Wrench {
    Vector3 force = Vector3::Zero();   ///< N.
    Vector3 torque = Vector3::Zero();  ///< N m.

    /// Force, then torque.
    Vector6 vector() const { return (Vector6() << force, torque).finished(); }
};

/// Translation (m) and rotation vector (rad, at most pi long) in axes of the world that move `from` to `to`.
PLIANT_API Vector6 poseGap(const ToolPose& from, const ToolPose& to);

/// `pose` after a translation (m) and a rotation vector (rad) in axes of the world, turned about the held point.
PLIANT_API ToolPose moved(const ToolPose& pose, const Vector6& step);

/// The quaternion of q and -q whose scalar part is not negative: the one that turns by no more than pi.
PLIANT_API Rotation shorterTurn(const Rotation& q);

/// Whether every number of the pose is finite and its quaternion is not zero.
PLIANT_API bool isFinite(const ToolPose& pose);

}  // namespace pliant
