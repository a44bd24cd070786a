// SPDX-License-Identifier: Zlib
// Internal: what whoever asks for distributed contact has checked, and the points and the law that it gets.
#pragma once

#include "btPliant/data/TouchPair.h"
#include "pliant/touch/DistributedLaw.h"

namespace btPliantInternal {

/// @throws Error for a number that is not what its field says  @param where what messages begin with
void checkTouchNumbers(const char* where, const btPliantTouchSettings& settings);
/// @throws Error for a number that is not what its field says, and for bodies that are no solids
/// @param where what messages begin with
void checkTouch(const char* where, const btPliantBody& body, const btPliantTouchSettings& settings);
/// The points of a body that has passed checkTouch(): those of an earlier request where its model and what it asks for
/// are the same.
std::shared_ptr<const pliant::DistributedShell> shellFor(const std::vector<TouchRequest>& requests,
                                                         const btPliantBody& body,
                                                         const btPliantTouchSettings& settings);
pliant::DistributedLaw lawOf(const btPliantTouchSettings& settings);

}  // namespace btPliantInternal
