// SPDX-License-Identifier: Zlib
// How many of its vertices a geometry draws.
#pragma once

#include <osg/Geometry>

namespace osgPliant {

/// The number of vertices that the primitive sets of a geometry name. Indices without a vertex count for nothing: those
/// that restart a primitive, and those of broken files.
int countDrawnVertices(const osg::Geometry& geometry);

}  // namespace osgPliant
