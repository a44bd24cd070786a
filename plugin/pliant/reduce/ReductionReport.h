// SPDX-License-Identifier: Zlib
// What a reduction cost and what came of it, for the user to see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pliant {

/// Told before the costly stages begin. A rough figure: within a factor of two on a machine of about 50 GFLOP/s a core.
struct CostEstimate {
    int elements = 0;
    long long unknowns = 0;    ///< 3n less those of fixed vertices
    double seconds = 0.0;      ///< on one core, without what the cache holds
    std::size_t bytes = 0;     ///< peak memory of the process
    double factorBytes = 0.0;  ///< of that, one factorisation of the stiffness
};

struct StageCost {
    std::string name;
    double seconds = 0.0;
    std::size_t peakBytes = 0;  ///< largest resident memory of the process until the end of the stage
};

struct ReductionReport {
    CostEstimate estimate;          ///< filled before the first stage after "mesh" is told to the progress callback
    std::vector<StageCost> stages;  ///< in the order of work
    double seconds = 0.0;           ///< from start to end
    std::size_t peakBytes = 0;
    std::vector<std::string> cached;  ///< stages whose result was taken from the cache
    std::vector<std::string> notes;   ///< what was tolerated, repaired or looks implausible, a sentence each
    int shapes = 0;                   ///< that the basis was chosen from
    int dimension = 0;                ///< r
    double discardedEnergy = 0.0;     ///< share of the mass-PCA energy that r columns leave out
    int hiddenModes = 0;              ///< by the visibility rule
    int droppedDerivatives = 0;       ///< near zero by symmetry
};

/// Largest resident memory of this process so far, bytes.
std::size_t peakMemory();

}  // namespace pliant
