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

/// Saved state of a pair.
struct SavedTouch {
    std::vector<SavedRole> roles;
    btPliantContactPatch patch;  ///< As in TouchPair: what sleeps is read from it.
    btVector3 otherTorque = btVector3(0, 0, 0);
};

void putTouch(const ContactPair& pair, pliant::StateWriter& out);
void getTouch(pliant::StateReader& in, SavedTouch& saved);
/// Makes the pair's distributed contact, where it is asked for, and takes over what is of the same shells; the rest
/// starts anew.
void applyTouch(const SavedTouch& saved, ContactPair& pair);

}  // namespace btPliantInternal
