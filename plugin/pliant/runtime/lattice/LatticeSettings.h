// SPDX-License-Identifier: Zlib
/// @file
/// Every choice in simulating flesh on a lattice, with units and defaults.
#pragma once

namespace pliant {

/// Every choice in simulating flesh on a lattice. The paper gives none of these numbers.
struct LatticeSettings {
    double massDamping = 0.0;       ///< Factor alpha, 1/s, on the velocity relative to the bones, >= 0.
    double stiffnessDamping = 0.0;  ///< Factor beta, s, likewise, >= 0.
    /// Of the model's k_t over the core of each bone: the twist constraint [C02 (25), which lacks it],
    /// >= 0. Without it flesh turns freely about bones that hold it in one line.
    double coreFactor = 1.0;
    /// 1: each region is solved once and the answers are blended, as in the paper. More: as many steps of conjugate
    /// gradients less one go on from there, towards the minimum of the regions' common energy; each step starts
    /// from the last one's correction, so that flesh at rest comes to the minimum with two where nothing is pinned in
    /// it (pins are met behind the iterations, which know nothing of them).
    int iterations = 1;
    /// Finer functions move only where the flesh is strained [C02 4.7]. Without it all of them do.
    bool adapt = false;
    double refine = 0.15;         ///< Principal strain of a cell from which on it gets the next level's functions.
    double coarsen = 0.05;        ///< Below it a cell loses its finest level; below `refine`, so that nothing flickers.
    int fadeSteps = 15;           ///< Steps in which functions that go fade to zero, >= 1.
    bool singlePrecision = true;  ///< Inverses in single precision; state and right-hand sides are in double.
};

}  // namespace pliant
