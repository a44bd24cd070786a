// SPDX-License-Identifier: Zlib
// Internal: contacts of a pair in Bullet's persistent manifolds.
#pragma once

#include "btPliant/data/ContactPair.h"

class btManifoldResult;

namespace btPliantInternal {

/// Writes the contacts of a pair into manifolds of four, carrying impulses over.
void writeManifolds(ContactPair& pair, const btCollisionObjectWrapper& firstWrap,
                    const btCollisionObjectWrapper& secondWrap, btManifoldResult& result);
/// Makes room for that many `points`.
void reservePoints(SystemData& system, int count);
/// The contacts as Bullet's points, with what those of the last substep, still in the manifolds, carry over; into
/// `system.points` from `first` on. May run on any thread.
void preparePoints(const ContactPair& pair, int first);
/// Gives the pair one more manifold, after those that it has.
void addManifold(ContactPair& pair, const btCollisionObject* object0, const btCollisionObject* object1);
/// Hands the contacts to a query's result.
void reportContacts(ContactPair& pair, btManifoldResult& result);

}  // namespace btPliantInternal
