// SPDX-License-Identifier: Zlib
// Internal: collision algorithms of reduced bodies in a dispatcher.
#pragma once

class btCollisionDispatcher;

namespace btPliantInternal {

/// Registers ours against convex, plane, triangle and our own shapes, in both orders and both tables (stepping and
/// queries). Compounds are left to Bullet, which recurses into these. Harmless when repeated; what is registered lives
/// as long as the program, so a dispatcher may outlive its system.
void registerAlgorithms(btCollisionDispatcher& dispatcher);

}  // namespace btPliantInternal
