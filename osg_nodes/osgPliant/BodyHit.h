// SPDX-License-Identifier: Zlib
/// @file
/// What an intersector hit of a body.
#pragma once

#include <osg/Vec3d>

namespace osgPliant {

class BodyGroup;

/// What an intersector hit of a body.
struct BodyHit {
    const BodyGroup* group = nullptr;  ///< Whose body.
    int body = -1;                     ///< Its number in the group; -1: the hit is on something else.
    int triangle = -1;                 ///< Number of the triangle, of what is drawn in full detail.
    osg::Vec3d point;                  ///< Where, m, in the group's coordinates.
    /// The material point: where it is at rest, m, in the mesh frame (that of the model's file).
    osg::Vec3d restPoint;

    /// Whether a body was hit.
    bool isValid() const { return body >= 0; }
};

}  // namespace osgPliant
