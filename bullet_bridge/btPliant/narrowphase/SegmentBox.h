// SPDX-License-Identifier: Zlib
// Internal: a swept segment above one face of a box, where no iteration is needed to find what is nearest.
#pragma once

#include <LinearMath/btTransform.h>

class btBoxShape;

namespace btPliantInternal {

struct SegmentBoxContact {
    btVector3 normal = btVector3(0, 0, 0);  ///< Normal out of the face, world.
    btVector3 onBox = btVector3(0, 0, 0);   ///< Point of the box with its margin, world.
    btVector3 onAxis = btVector3(0, 0, 0);  ///< End of the axis whose sphere is nearer, world.
};

/// Whether the whole axis lies beyond one face of the box, and the end with the nearer sphere right above the face:
/// then that is where they are nearest, since nothing of the box is nearer to any point than the plane of the face.
/// @param ends world @param radii of the spheres at the ends, which the segment sweeps between
bool nearestAboveFace(const btBoxShape& box, const btTransform& transform, const btVector3 ends[2],
                      const double radii[2], SegmentBoxContact& found);

}  // namespace btPliantInternal
