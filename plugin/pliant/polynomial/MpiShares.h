// SPDX-License-Identifier: Zlib
// Element shares as MPI ranks; only in builds with PLIANT_WITH_MPI (target pliant_mpi).
#pragma once

#include "pliant/polynomial/ElementShares.h"

namespace pliant {

/// One share for each rank of MPI_COMM_WORLD. MPI_Init is the caller's, before; all ranks must make the same calls with
/// the same mesh and basis. The sums travel from rank to rank in order and from the last to all: the same bits as one
/// process with as many shares, for the price of two matrices of 8 N^2 bytes per rank and part.
ElementShares mpiShares();

}  // namespace pliant
