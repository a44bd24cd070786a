// SPDX-License-Identifier: Zlib
/// @file
/// Shares of the work as MPI ranks; only in builds with PLIANT_WITH_MPI (target pliant_mpi).
#pragma once

#include <string>

#include "pliant/math/WorkShares.h"

namespace pliant {

/// MPI from construction to destruction: one object in a program, made before any thread.
class MpiRanks {
public:
    /// Calls MPI_Init.
    MpiRanks();
    /// Calls MPI_Finalize.
    ~MpiRanks();
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    /// The number of this rank, from 0.
    int rank() const;
    /// The number of ranks.
    int count() const;

    /// One share for each rank. All ranks must make the same calls with the same input. Sums travel from rank to rank
    /// in order and from the last to all: the same bits as one process with as many shares, for the price of two
    /// matrices of the sum's size in every rank.
    WorkShares shares() const;

    /// To be called by a rank whose work failed.
    /// @return true where all ranks have failed within `seconds` (bad input, or an error that workInShares() has told
    /// to all): they may end in peace, and one of them says why. False: the others still wait for this rank, and
    /// abort() is what is left.
    bool allFailed(double seconds) const;
    /// Ends all ranks at once.
    [[noreturn]] void abort() const;
};

}  // namespace pliant
