// SPDX-License-Identifier: Zlib
// The arithmetic of one region for one body or 16 side by side: lane l of every array belongs to body l. Private to
// runtime/lattice. Every set of instructions and either number of lanes gives a body the same bits: no operation mixes
// lanes, and every sum runs in a fixed order.
#pragma once

namespace pliant {

constexpr int latticeLanes = 16;

/// Matrices of a region, for one step size. Arrays are of cache-aligned memory.
struct RegionView {
    int functions = 0;               ///< n
    int free = 0;                    ///< f of them are solved for
    const int* global = nullptr;     ///< n: numbers among all functions
    const double* rest = nullptr;    ///< n x 4: r_a and u_a
    const double* blend = nullptr;   ///< n: W
    const double* weight = nullptr;  ///< n: int rho phi_a over the region, kg
    const int* freeLocal = nullptr;  ///< f: numbers among the n
    const int* first = nullptr;      ///< f + 1: blocks of each free row
    const int* column = nullptr;     ///< of each block, among the n
    const double* blocks = nullptr;  ///< 12 a block: three columns of K, each padded to four rows
    const double* mass = nullptr;    ///< 1 a block
    const void* inverse = nullptr;   ///< A^-1 of the free rows in panels of 16 rows, column after column
    int inverseRows = 0;             ///< 3 f rounded up to whole panels
};

/// A group's arrays, [rows][lanes].
struct RegionGroup {
    const double* stiffnessPart = nullptr;  ///< 3N: h p + (h^2 + h beta) v, with the held dv
    const double* massPart = nullptr;       ///< 3N: h alpha v, with the held dv
    const double* impulse = nullptr;        ///< 3N: h f, N s, world; may be null
    const double* rotation = nullptr;       ///< 9: R, column-major
    const double* stiffnessMap = nullptr;   ///< 12: R' [h L + h beta L' | h t + h beta t'], column-major
    const double* massMap = nullptr;        ///< 12: R' h alpha [L' | t'], column-major
    const double* gravity = nullptr;        ///< 3: h g, world
    double* y = nullptr;                    ///< 4n, scratch
    double* z = nullptr;                    ///< 4n, scratch
    void* right = nullptr;                  ///< 3f rounded up, scratch in the precision of the inverse
    void* solution = nullptr;               ///< 3f rounded up, scratch likewise
    double* change = nullptr;               ///< 3N: dv, the region's share is added
};

/// One of each precision of the inverse, for one instruction set.
struct RegionKernels {
    /// A_i dv_i = -(K y + M z) + h R'f [C02 (16) to (18)], then dv += W R dv_i (line 5 of the step).
    void (*stepOneSingle)(const RegionView&, const RegionGroup&);
    void (*stepManySingle)(const RegionView&, const RegionGroup&);
    void (*stepOneDouble)(const RegionView&, const RegionGroup&);
    void (*stepManyDouble)(const RegionView&, const RegionGroup&);
    /// x = A^-1 b of one body.
    void (*solveSingle)(const RegionView&, const float* b, float* x);
    void (*solveDouble)(const RegionView&, const double* b, double* x);
};

/// For the widest set of instructions that this processor has.
const RegionKernels& regionKernels();

}  // namespace pliant
