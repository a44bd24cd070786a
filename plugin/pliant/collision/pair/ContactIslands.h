// SPDX-License-Identifier: Zlib
// Parts of a set of contacts that stand apart from each other, as the feet of a table.
#pragma once

#include <cstddef>
#include <vector>

#include "pliant/collision/pair/SkeletonContact.h"

namespace pliant {

/// Numbers the islands of contacts [first, last): what is nearer to each other than `gap` is one island, what is
/// farther than 2 sqrt(3) gap from all others is another one, and between the two either may be. Costs n log n.
/// @param gap m; 0: all are one
/// @param island for each contact from `first` on, 0 ...
/// @return the number of islands
int findIslands(const std::vector<SkeletonContact>& contacts, std::size_t first, std::size_t last, double gap,
                std::vector<int>& island);

}  // namespace pliant
