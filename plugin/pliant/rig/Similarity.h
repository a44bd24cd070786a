// SPDX-License-Identifier: Zlib
/// @file
/// Frames of bones: rotation, uniform scale, translation. Everything a bone may do; shear is refused where files are
/// read.
#pragma once

#include <Eigen/Geometry>

#include "pliant/math/Types.h"

namespace pliant {

using Rotation = Eigen::Quaternion<double, Eigen::DontAlign>;  ///< A unit quaternion without alignment requirements.

/// The map x -> scale * rotation * x + translation.
struct Similarity {
    Rotation rotation = Rotation::Identity();  ///< Unit quaternion.
    Vector3 translation = Vector3::Zero();     ///< Translation, m.
    double scale = 1.0;                        ///< Scale, above 0.

    /// The image of a point.
    Vector3 point(const Vector3& x) const { return scale * (rotation * x) + translation; }
    /// The image of a direction, which is only rotated.
    Vector3 direction(const Vector3& d) const { return rotation * d; }
    /// This map after `inner`: (a * b).point(x) == a.point(b.point(x)).
    Similarity operator*(const Similarity& inner) const {
        return {(rotation * inner.rotation).normalized(), point(inner.translation), scale * inner.scale};
    }
    /// The map back.
    Similarity inverse() const {
        const Rotation back = rotation.conjugate();
        return {back, -(back * translation) / scale, 1.0 / scale};
    }
};

}  // namespace pliant
