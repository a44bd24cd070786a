// SPDX-License-Identifier: Zlib
/// @file
/// The one place where Eigen and OpenSceneGraph types meet. OpenSceneGraph multiplies row vectors (x' = x * M), Pliant
/// columns.
#pragma once

#include <osg/Matrixd>
#include <osg/Vec3d>
#include <osg/Vec3f>

#include "pliant/math/Types.h"

namespace osgPliant {

/// A vector for OpenSceneGraph.
inline osg::Vec3d toOsg(const pliant::Vector3& v) {
    return {v.x(), v.y(), v.z()};
}
/// A vector of OpenSceneGraph.
inline pliant::Vector3 fromOsg(const osg::Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}

/// The map x -> rotation * x + translation, as the matrix that OpenSceneGraph multiplies from the right.
inline osg::Matrixd toOsg(const pliant::RigidTransform& t) {
    osg::Matrixd m;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) m(column, row) = t.rotation(row, column);
        m(3, row) = t.translation[row];
    }
    return m;
}

/// The rigid (or affine) part of `m`; the projective column is ignored.
inline pliant::RigidTransform fromOsg(const osg::Matrixd& m) {
    pliant::RigidTransform t;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) t.rotation(row, column) = m(column, row);
        t.translation[row] = m(3, row);
    }
    return t;
}

}  // namespace osgPliant
