// SPDX-License-Identifier: Zlib
// Internal: bodies that a user adds to a world a second time, or to a second world.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Asked whenever Bullet asks for a body's box, as it does within addRigidBody() and in every step: a body that is
/// handed to its world for the second time is taken out once, one of another world is left there, and the system's
/// status says so. What other worlds have of a body is neither read nor freed.
/// @return whether Bullet has to get a box that it does not put into a broadphase: the body is in the lists of its own
///   world and has the proxy of another one, and either may be asking
bool noticeWrongAdding(BodyData& data);

/// Bodies that have been found in two worlds leave the system's own one. For the end of its substep.
void takeOutWhatIsElsewhere(SystemData& system);

/// Takes a body out of the system's own world, whatever other world it is in as well.
void takeOutOfOwnWorld(const SystemData& system, btPliantBody& body);

/// Whether the user has destroyed the system's world, which takes the proxies of its bodies away and leaves their
/// numbers. Bodies that are known to be in another world tell nothing of it.
bool hasLostItsWorld(const SystemData& system);

}  // namespace btPliantInternal
