// SPDX-License-Identifier: Zlib
// Internal: the end of a body.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Takes a body that is being deleted out of everything that knows it. Reads the world; writes the lists of bodies,
/// characters and requests for distributed contact, Bullet's world, and the body's contacts with itself.
void forgetBody(SystemData& system, btPliantBody& gone);

}  // namespace btPliantInternal
