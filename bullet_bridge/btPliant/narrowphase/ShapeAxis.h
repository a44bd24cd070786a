// SPDX-License-Identifier: Zlib
// Internal: which of Bullet's shapes are bodies of revolution, and about which axis.
#pragma once

class btCollisionShape;

namespace btPliantInternal {

/// The axis of the shape's own frame (0 to 2), through its origin, about which it is a body of revolution; -1: there is
/// none, or, of a sphere, not one alone.
int axisOfRevolution(const btCollisionShape& shape);

}  // namespace btPliantInternal
