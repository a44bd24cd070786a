// SPDX-License-Identifier: Zlib
// Internal: contacts of bodies with themselves.
#pragma once

#include <memory>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// @param collider the row of reduced bodies
std::unique_ptr<ContactPair> makeSelfPair(btPliantBody& body, const ShapeCollider& collider);
/// Finds the contacts of the next substep, and writes their manifolds.
void findSelfContacts(SystemData& system);

}  // namespace btPliantInternal
