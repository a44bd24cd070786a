// SPDX-License-Identifier: Zlib
// Internal: bodies that a user adds to a world a second time, or to a second world.
#pragma once

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Asked whenever Bullet asks for a body's box, as it does within addRigidBody() and in every step: a body that is
/// handed to its world for the second time is taken out once, one of another world is left there, and the system's
/// status says so.
void noticeWrongAdding(BodyData& data);

}  // namespace btPliantInternal
