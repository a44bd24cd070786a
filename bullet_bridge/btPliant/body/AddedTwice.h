// SPDX-License-Identifier: Zlib
#pragma once

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Asked whenever Bullet asks for a body's box: a body that was handed to addRigidBody() twice is taken out once, and
/// the system's status says so.
void noticeSecondAdding(BodyData& data);

}  // namespace btPliantInternal
