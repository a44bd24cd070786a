// SPDX-License-Identifier: Zlib
/// @file
/// Flesh on a control lattice, as the run time knows it [C02]. A rest point x of the flesh is now at
///
///     p(x) = sum_a p_a phi_a(x)
///
/// with N functions phi_a, of which bones hold some. Coefficients of level 0 are positions of lattice vertices; finer
/// functions add detail. The affine map x -> L x + t has the coefficients L r_a + t u_a, where r_a and u_a are those of
/// x and of 1 (docs/internals/lattice-flesh.md).
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"
#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/rig/Clip.h"

namespace pliant {

/// Sparse, column-major, both triangles of symmetric ones stored.
using SparseMatrixX = Eigen::SparseMatrix<double>;

/// A quadratic form on some of the functions.
struct LatticeOperator {
    std::vector<int> functions;  ///< The numbers of its n functions, ascending.
    SparseMatrixX mass;          ///< Mass matrix, n x n, kg, of one axis.
    SparseMatrixX stiffness;     ///< Stiffness matrix, 3n x 3n, N/m, at rest, in the axes of the rest space.
    SparseMatrixX core;          ///< Integrals of phi_a phi_b over the core of the region's bone, n x n, m^3.
};

/// What is simulated relative to one bone: the cells in which all vertices have a weight for it.
struct LatticeRegion {
    int bone = 0;                ///< Number of the bone that the region turns with.
    double coreStiffness = 0.0;  ///< Stiffness k_t over the bone's core, N/m^4: the twist constraint.
    LatticeOperator cells;       ///< Of the region's cells, whole: A_i is made of it.
    VectorX blend;               ///< W of each of cells.functions, >= 0; of a function the sum over all regions is 1.
    LatticeOperator shared;      ///< Weighted with w_b(x): over all regions these add up to the flesh.
};

/// Points as combinations of functions, compressed: point k has the entries first[k] to first[k + 1] - 1.
struct LatticePoints {
    std::vector<int> first;      ///< One more than there are points.
    std::vector<int> functions;  ///< Numbers of functions.
    std::vector<double> values;  ///< The values phi_a at the point.

    /// The number of points.
    int count() const { return first.empty() ? 0 : static_cast<int>(first.size()) - 1; }
};

/// The mean gradients of functions over the flesh of a cell: what its strain is told from.
struct LatticeStrain {
    std::vector<int> functions;  ///< The numbers of the k functions that do not vanish in the cell, ascending.
    Points gradients;            ///< Gradients g_a, 3 x k, 1/m; the mean deformation gradient is sum_a p_a g_a'.
};

/// A character's flesh on a lattice, immutable and shared.
struct LatticeModel {
    Skeleton skeleton;                   ///< B bones, in the rest space.
    std::vector<Clip> clips;             ///< May be empty.
    Points rest;                         ///< Values r_a at rest, 3 x N, m.
    VectorX unit;                        ///< Values u_a at rest, N.
    std::vector<int> level;              ///< Levels of the N functions, 0 to 3.
    std::vector<int> boneOf;             ///< Bones that hold the N functions, or -1.
    std::vector<LatticeRegion> regions;  ///< At least one.
    std::vector<LatticeStrain> strains;  ///< Of each cell with flesh in it.
    SparseMatrixX mass;                  ///< N x N, kg, of the whole flesh, one axis.
    VectorX weight;                      ///< N: int rho phi_a, kg: gravity pulls a function with g times it.
    SurfaceMesh surface;                 ///< The d drawn vertices, in the rest space.
    LatticePoints surfacePoints;         ///< A point for each of the d vertices.
    VectorX coreRadii;                   ///< B, m; 0: the bone holds nothing.

    /// The number N of functions.
    int functionCount() const { return static_cast<int>(rest.cols()); }
};

}  // namespace pliant
