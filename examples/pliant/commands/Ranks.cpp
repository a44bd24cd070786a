// SPDX-License-Identifier: Zlib
#include "commands/Ranks.h"

#include "pliant/math/Error.h"

#ifdef PLIANT_WITH_MPI
#include <fmt/format.h>

#include "pliant/reduce/MpiShares.h"
#endif

namespace pliant::program {

#ifdef PLIANT_WITH_MPI

void onRanks(const std::function<void(const WorkShares&)>& work) {
    constexpr double patience = 5.0;  // s, for the others to fail alike
    const MpiRanks ranks;
    try {
        work(ranks.shares());
    } catch (const std::exception& problem) {
        if (ranks.allFailed(patience)) {
            if (ranks.rank() == 0) throw;
            throw SaidElsewhere();
        }
        fmt::print(stderr, "pliant: error: rank {} of {}: {}\n", ranks.rank(), ranks.count(), problem.what());
        ranks.abort();
    }
}

#else

void onRanks(const std::function<void(const WorkShares&)>&) {
    throw Error("--mpi", "this program was built without MPI", "build it with -DPLIANT_WITH_MPI=ON");
}

#endif

}  // namespace pliant::program
