// SPDX-License-Identifier: Zlib
// Segments that have passed through each other in a step all the same. Contacts of a step are those of free motion, and
// in an impact the impulses of the same solve send bodies elsewhere: two that were to part are thrown at each other, by
// more than a strand is thick. What is found then is on the wrong side, and no contact knows of another one. So once a
// step is over, the way that fast bodies have really come is looked at.
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Adds to `history` the sides that segments came from whose axes have passed through each other on the straight way of
/// their ends, so that the next contacts push them back. What the history knows already, and what has come back through
/// a segment beside the one that it went through, stays as it is.
/// Needs of both bodies refit() and, in the place of where they go, predictMotion() to where they came from.
PLIANT_INTERNAL_API void rememberPassedSegments(const DeformedBody& a, const DeformedBody& b, ContactHistory& history);

/// Adds to the contacts within some margin, ascending by feature, those of segments that are known to have passed
/// through others and are farther behind them, up to a few radii.
PLIANT_INTERNAL_API void addContactsBehind(const DeformedBody& a, const DeformedBody& b, const ContactHistory& history,
                                           std::vector<SkeletonContact>& contacts);

}  // namespace pliant
