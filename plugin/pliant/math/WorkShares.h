// SPDX-License-Identifier: Zlib
/// @file
/// Work in shares: on several processes, or in one with the same bits for the same number of shares. Sums over elements
/// and independent solves can be cut so; see reduce/MpiShares.h for processes on several machines.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Work is cut into `count` contiguous shares. Sums of shares are added in their order: ((G_0 + G_1) + G_2) + ...
struct WorkShares {
    int count = 1;  ///< The number of shares, >= 1; part of the result's bits.
    int own = -1;   ///< The share of this process, 0-based; -1: this process does all of them.
    /// With own >= 0: replaces the own sum by that of all shares, added in their order, in every process. Called in the
    /// same order by all of them.
    std::function<void(MatrixX& ownSum)> sumOfAll{};
    /// With own >= 0: gives every process the text and the numbers that process `owner` has. Called in the same order
    /// by all of them.
    std::function<void(int owner, std::string& text, MatrixX& numbers)> broadcast{};
};

/// The pieces [begin, end) of a share, of `total` pieces of work.
PLIANT_API std::pair<std::size_t, std::size_t> piecesOf(std::size_t total, const WorkShares& shares, int share);

/// Does work(share) for every share, own ones here; every process gets them all, in their order.
/// @throws Error (or Cancelled) in every process, with the same text, where the work of any of them failed
PLIANT_API std::vector<MatrixX> workInShares(const WorkShares& shares, const std::function<MatrixX(int share)>& work);

/// Blocks of columns as one matrix.
PLIANT_API MatrixX sideBySide(const std::vector<MatrixX>& blocks);

/// Does work() in the first process alone (or here); every process gets the result.
/// @throws Error (or Cancelled) in every process, as workInShares()
PLIANT_API MatrixX workOfFirst(const WorkShares& shares, const std::function<MatrixX()>& work);

}  // namespace pliant
