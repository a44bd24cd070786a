// SPDX-License-Identifier: Zlib
// Internal: bodies that a user adds to a world a second time.
#pragma once

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Asked whenever Bullet asks for a body's box, as it does within addRigidBody(): a body that is handed to it for the
/// second time is taken out once, and the system's status says so.
void noticeSecondAdding(BodyData& data);

}  // namespace btPliantInternal
