// SPDX-License-Identifier: Zlib
// Internal: contacts of solids with shapes. The surface's own points, rounded by their caps, against what they meet,
// and the points of the shape against the field of the solid.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// Whether one of the two bodies of a pair is a solid, whose surface touches.
bool touchesSurface(const ContactPair& pair);
/// Whether a pair found in parallel that touches with a surface will ask a field.
bool mayTouchSurface(const ContactPair& pair);
double largestSpacing(const ContactPair& pair);    ///< Distance between points of its solids, the larger one, m.
double largestCapHeight(const ContactPair& pair);  ///< Largest height of a cap of the body `a`, m.

/// Appends contacts of the solid with the points of the shape, sorts all by feature and keeps one of each.
/// @param step s @param margins m, of both, to be subtracted from distances as yet
/// @param isFast whether contacts are to say by how much they close in the step, as those of points on their way do
void touchShapePoints(const ContactPair& pair, const PlacedShape& placed, double step, double reach, double margins,
                      bool isFast, SkeletonContacts& out);
/// Rounds the surface between its points, and leaves out contacts that are more than `reach` metres off then.
void roundSurface(const ContactPair& pair, const PlacedShape& placed, double reach, SkeletonContacts& found);

}  // namespace btPliantInternal
