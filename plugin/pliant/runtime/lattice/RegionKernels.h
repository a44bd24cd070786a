// SPDX-License-Identifier: Zlib
// The arithmetic of one region for one body or 16 side by side: lane l of every array belongs to body l. Private to
// runtime/lattice. Every set of instructions and either number of lanes gives a body the same bits: no operation mixes
// lanes, and every sum runs in a fixed order.
#pragma once

namespace pliant {

constexpr int latticeLanes = 16;

/// Matrices of a region, for one step size. Arrays are of cache-aligned memory.
struct RegionView {
    int functions = 0;               ///< Number n of the region's functions.
    int free = 0;                    ///< Number f of these that are solved for.
    const int* global = nullptr;     ///< Numbers of the n among all functions.
    const double* rest = nullptr;    ///< Values r_a and u_a at rest, n x 4.
    const double* blend = nullptr;   ///< Blend weights W, n.
    const double* weight = nullptr;  ///< Integrals of rho phi_a over the region, n, kg.
    const int* freeLocal = nullptr;  ///< Numbers of the f among the n.
    const int* first = nullptr;      ///< First block of each free row, f + 1.
    const int* column = nullptr;     ///< Column of each block, among the n.
    const double* blocks = nullptr;  ///< Blocks of K, 12 numbers each: three columns, each padded to four rows.
    const double* mass = nullptr;    ///< Entries of M, one a block.
    const void* inverse = nullptr;   ///< Inverse A^-1 of the free rows in panels of 16 rows, column after column.
    int inverseRows = 0;             ///< Rows of the inverse: 3 f rounded up to whole panels.
};

/// A group's arrays, [rows][lanes].
struct RegionGroup {
    const double* stiffnessPart = nullptr;  ///< What stiffness acts on: h p + (h^2 + h beta) v, with the held dv, 3N.
    const double* massPart = nullptr;       ///< What mass acts on: h alpha v, with the held dv, 3N.
    const double* impulse = nullptr;        ///< Impulses h f, 3N, N s, world; may be null.
    const double* rotation = nullptr;       ///< Rotation R, 9 numbers by columns.
    const double* stiffnessMap = nullptr;   ///< Map R' [h L + h beta L' | h t + h beta t'], 12 numbers by columns.
    const double* massMap = nullptr;        ///< Map R' h alpha [L' | t'], 12 numbers by columns.
    const double* gravity = nullptr;        ///< Change h g of the velocity by gravity, 3 numbers, world.
    double* y = nullptr;                    ///< Scratch, 4n.
    double* z = nullptr;                    ///< Scratch, 4n.
    void* right = nullptr;                  ///< Scratch in the precision of the inverse, 3f rounded up.
    void* solution = nullptr;               ///< Scratch in the precision of the inverse, 3f rounded up.
    double* change = nullptr;               ///< Changes dv, 3N, to which the region's share is added.
};

/// One of each precision of the inverse, for one instruction set.
struct RegionKernels {
    /// A_i dv_i = -(K y + M z) + h R'f [C02 (16) to (18)], then dv += W R dv_i (line 5 of the step).
    void (*stepOneSingle)(const RegionView&, const RegionGroup&);
    void (*stepManySingle)(const RegionView&, const RegionGroup&);
    void (*stepOneDouble)(const RegionView&, const RegionGroup&);
    void (*stepManyDouble)(const RegionView&, const RegionGroup&);
    /// Solves x = A^-1 b of one body.
    void (*solveSingle)(const RegionView&, const float* b, float* x);
    void (*solveDouble)(const RegionView&, const double* b, double* x);
};

/// For the widest set of instructions that this processor has.
const RegionKernels& regionKernels();

}  // namespace pliant
