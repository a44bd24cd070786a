// SPDX-License-Identifier: Zlib
// Which face of another body a point of a sharp edge touches.
#pragma once

#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/touch/TouchingBody.h"

namespace pliant {

/// A sharp point just inside of a sharp edge of the other body may be nearer to the face around the corner; the smooth
/// contacts beside it tell which face it is on, whose plane it takes. Those with an edge say nothing: the plane across
/// their normal is none of the body's. And no point becomes deeper by it than both contacts but on the face itself:
/// below an edge that is ahead of the point the plane of the face beyond goes on through the air.
/// @param points, solid whose point it is, and what it touches
/// @param pointsAreFirst whether the contacts' first body is that of the points
/// @param faces contacts of smooth points of the same body with faces of the other
/// @param sharp changed where a face is beside it
void followFace(const TouchingBody& points, const TouchingBody& solid, bool pointsAreFirst,
                const std::vector<SkeletonContact>& faces, SkeletonContact& sharp);

}  // namespace pliant
