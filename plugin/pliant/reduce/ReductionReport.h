// SPDX-License-Identifier: Zlib
/// @file
/// What a reduction cost and what came of it, for the user to see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pliant/math/Api.h"

namespace pliant {

/// The cost of a reduction, told before the costly stages begin. A rough figure: within a factor of two on a machine of
/// about 50 GFLOP/s a core.
struct CostEstimate {
    int elements = 0;          ///< Elements of the simulation mesh.
    long long unknowns = 0;    ///< 3n less those of fixed vertices.
    double seconds = 0.0;      ///< Time on one core, without what the cache holds, s.
    std::size_t bytes = 0;     ///< Peak memory of the process.
    double factorBytes = 0.0;  ///< Of that, one factorisation of the stiffness.
};

/// The cost of one stage of a reduction.
struct StageCost {
    std::string name;           ///< Name of the stage.
    double seconds = 0.0;       ///< Time, s.
    std::size_t peakBytes = 0;  ///< Largest resident memory of the process until the end of the stage.
};

/// What a reduction cost and what came of it.
struct ReductionReport {
    CostEstimate estimate;            ///< Filled before the first stage after "mesh" is told to the progress callback.
    std::vector<StageCost> stages;    ///< The stages in the order of work.
    double seconds = 0.0;             ///< Time from start to end, s.
    std::size_t peakBytes = 0;        ///< Largest resident memory of the process.
    std::vector<std::string> cached;  ///< Stages whose result was taken from the cache.
    /// How many of the mesh's lowest modes the body has within a tenth of their frequency, in a sentence without its
    /// subject; empty where it has all that were computed, and where it has none, which is one of the notes.
    std::string stiffness;
    std::vector<std::string> notes;  ///< What was tolerated, repaired or looks implausible, a sentence each.
    /// How bricks were made of a surface and what they weigh, one or two sentences; empty for simulation meshes.
    std::string filling;
    double bodyMass = 0.0;  ///< Mass of the body, kg.
    /// Mass of what the surface is: its volume (closed) or area times thickness, times density, kg; 0: nobody knows.
    double surfaceMass = 0.0;
    int shapes = 0;                ///< Shapes that the basis was chosen from.
    int dimension = 0;             ///< Number r of columns of the basis.
    double discardedEnergy = 0.0;  ///< Share of the mass-PCA energy that r columns leave out.
    int hiddenModes = 0;           ///< Modes left out by the visibility rule.
    int droppedDerivatives = 0;    ///< Modal derivatives that are near zero by symmetry.
};

/// Largest resident memory of this process so far, bytes.
PLIANT_API std::size_t peakMemory();

}  // namespace pliant
