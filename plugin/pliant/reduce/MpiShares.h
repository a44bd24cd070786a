// SPDX-License-Identifier: Zlib
// Shares of the work as MPI ranks; only in builds with PLIANT_WITH_MPI (target pliant_mpi).
#pragma once

#include <string>

#include "pliant/math/WorkShares.h"

namespace pliant {

/// MPI from construction to destruction: one object in a program, made before any thread.
class MpiRanks {
public:
    MpiRanks();   ///< MPI_Init
    ~MpiRanks();  ///< MPI_Finalize
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    int rank() const;
    int count() const;

    /// One share for each rank. All ranks must make the same calls with the same input. Sums travel from rank to rank
    /// in order and from the last to all: the same bits as one process with as many shares, for the price of two
    /// matrices of the sum's size in every rank.
    WorkShares shares() const;

    /// To be called by a rank whose work failed. @return true where all ranks have failed within `seconds` (bad input,
    /// or an error that workInShares has told to all): they may end in peace, and one of them says why. False: the
    /// others still wait for this rank, and abort() is what is left.
    bool allFailed(double seconds) const;
    [[noreturn]] void abort() const;  ///< ends all ranks at once
};

}  // namespace pliant
