// SPDX-License-Identifier: Zlib
// Sums over elements in shares: several processes, or one, with the same bits for the same number of shares.
#pragma once

#include <functional>

#include "pliant/math/Types.h"

namespace pliant {

/// The elements of each material are cut into `count` contiguous shares; each is summed by itself, and the sums are
/// added in the order of the shares: ((G_0 + G_1) + G_2) + ...
struct ElementShares {
    int count = 1;  ///< >= 1; part of the result's bits
    int own = -1;   ///< the share that this process sums, 0-based; -1: all of them
    /// With own >= 0: replaces the own sum by that of all shares, added in their order, in every process. Called in the
    /// same order by all of them. See MpiShares.h.
    std::function<void(MatrixX& ownSum)> sumOfAll{};
};

}  // namespace pliant
