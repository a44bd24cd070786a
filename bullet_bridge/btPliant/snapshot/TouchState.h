// SPDX-License-Identifier: Zlib
// Internal: distributed contact of a pair in a saved state: its bristles, its levels, and where its points were.
#pragma once

#include <vector>

#include "btPliant/data/TouchPair.h"
#include "btPliant/snapshot/StateNumbers.h"

namespace btPliantInternal {

struct ContactPair;

/// Saved state of one role.
struct SavedRole {
    bool shellIsA = true;
    int points = 0;  ///< Number of points of the shell.
    pliant::DistributedQuery::State query;
    std::vector<TouchRole::Bristle> bristles;
    std::vector<TouchRole::Given> given;
    std::vector<double> fieldCoordinates;
};

void putTouch(const ContactPair& pair, pliant::StateWriter& out);
void getTouch(pliant::StateReader& in, std::vector<SavedRole>& roles);
/// Makes the pair's distributed contact, where it is asked for, and takes over what is of the same shells; the rest
/// starts anew.
void applyTouch(const std::vector<SavedRole>& saved, ContactPair& pair);

}  // namespace btPliantInternal
