// SPDX-License-Identifier: Zlib
// `mpirun -np N pliant reduce --mpi ...`: this process as one of several.
#pragma once

#include <exception>
#include <functional>

#include "pliant/math/WorkShares.h"

namespace pliant::program {

/// What main() hears from a rank when another one says what went wrong.
class SaidElsewhere : public std::exception {
public:
    const char* what() const noexcept override { return "another rank says what is wrong"; }
};

constexpr bool builtWithMpi() {
#ifdef PLIANT_WITH_MPI
    return true;
#else
    return false;
#endif
}

/// Calls work() with the shares of this rank. What a rank fails of ends all: the same error in all of them is told by
/// the first one, an error of one alone by that one, and the others are stopped.
void onRanks(const std::function<void(const WorkShares&)>& work);

}  // namespace pliant::program
