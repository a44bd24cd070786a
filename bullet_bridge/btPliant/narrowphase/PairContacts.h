// SPDX-License-Identifier: Zlib
// Internal: finding the contacts of one pair. May run on any thread where the shape's collider may.
#pragma once

#include "btPliant/narrowphase/ShapeCollider.h"

namespace btPliantInternal {

/// Finds, clusters and stores the contacts of a pair (ContactPair::contacts), and what the next test takes over.
/// @param step s @param margin m, within which contacts are looked for; negative: as far as the motion in the step asks
void findContacts(ContactPair& pair, const PlacedShape& placed, double step, double margin);

/// Whether no bone of a character comes near the other object in a step; before anything is evaluated.
bool staysClear(const ContactPair& pair, const PlacedShape& placed, double step);
/// As findContacts() where there are none.
void forgetContacts(ContactPair& pair);

/// What findContacts() will need of the bodies of a pair whose other object is one shape.
Requirement requirementOf(const ContactPair& pair, double step);
/// Marks the bodies of a pair by its `required`.
void markRequirements(const ContactPair& pair);
/// Brings at once up to date what findContacts() with the same arguments needs.
void refit(ContactPair& pair, const PlacedShape& placed, double step);

}  // namespace btPliantInternal
