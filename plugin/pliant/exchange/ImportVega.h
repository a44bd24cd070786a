// SPDX-License-Identifier: Zlib
/// @file
/// Vega's reduced models (.cub with .U or .URendering.float).
#pragma once

#include <optional>
#include <string>

#include "pliant/exchange/ImportedModel.h"
#include "pliant/math/Api.h"
#include "pliant/math/Progress.h"

namespace pliant {

/// What importVega() reads.
struct VegaImport {
    std::string cub;    ///< The force polynomials; required.
    std::string basis;  ///< The .U over the vertices of `mesh`; empty: fitted to renderingBasis.
    /// The .URendering.float over the v lines of `surface`; may be empty when `basis` is not.
    std::string renderingBasis;
    std::string surface;      ///< The drawn surface (.obj for a rendering basis); empty: the boundary of `mesh`.
    std::string mesh;         ///< The simulation mesh; empty: bricks around the surface.
    std::string frequencies;  ///< The .freq, Hz, of the linear modes, for `pliant info`; may be empty.
    /// A .bou file of held vertices; empty: the vertices that the basis does not move.
    std::string fixedVertices;

    double stiffnessScale = 1.0;  ///< Multiplies all coefficients (Vega scales frequencies by its square root).
    int voxels = 0;               ///< Bricks along the longest side where `mesh` is empty; 0 = chosen.
    bool solid = false;           ///< Fill the inside with bricks, too.
    /// Young's modulus where `mesh` is empty, Pa; not given: fitted to the trace of K0.
    std::optional<double> youngsModulus;
    std::optional<double> poissonRatio;  ///< Poisson ratio where `mesh` is empty.
    /// Density where `mesh` is empty, kg/m^3; not given: fitted to the basis (U'MU = 1).
    std::optional<double> density;
};

/// Reads Vega's files as a reduced model.
/// @throws Error for missing, damaged or foreign files and, naming both numbers, for files that disagree on r or n;
/// Cancelled when the callback says so
PLIANT_API ImportedModel importVega(const VegaImport& files, const ProgressCallback& progress = {});

/// Fills empty entries with the files beside `cub` that exist and have the names that Vega and exportVega() use:
/// STEM.U, STEM.URendering.float, STEM.veg, STEM.freq, STEM.bou, and STEM_render.obj or STEM.obj.
PLIANT_API void findVegaFiles(VegaImport& files);

}  // namespace pliant
