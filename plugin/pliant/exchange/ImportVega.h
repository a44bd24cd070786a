// SPDX-License-Identifier: Zlib
// Vega's reduced models (.cub with .U or .URendering.float) as models of ours.
#pragma once

#include <optional>
#include <string>

#include "pliant/exchange/ImportedModel.h"
#include "pliant/math/Progress.h"

namespace pliant {

struct VegaImport {
    std::string cub;             ///< force polynomials, required
    std::string basis;           ///< .U over the vertices of `mesh`; empty: fitted to renderingBasis
    std::string renderingBasis;  ///< .URendering.float over the v lines of `surface`; may be empty when `basis` is not
    std::string surface;         ///< drawn surface (.obj for a rendering basis); empty: the boundary of `mesh`
    std::string mesh;            ///< simulation mesh; empty: bricks around the surface
    std::string frequencies;     ///< .freq, Hz, of the linear modes, for `pliant info`; may be empty
    std::string fixedVertices;   ///< .bou; empty: the vertices that the basis does not move

    double stiffnessScale = 1.0;  ///< multiplies all coefficients (Vega scales frequencies by its square root)
    int voxels = 0;               ///< bricks along the longest side where `mesh` is empty; 0 = chosen
    bool solid = false;           ///< fill the inside with bricks, too
    // Material, where `mesh` is empty: what is not given is fitted to the basis (density: U'MU = 1; Young's modulus:
    // trace of K0).
    std::optional<double> youngsModulus;  ///< Pa
    std::optional<double> poissonRatio;
    std::optional<double> density;  ///< kg/m^3
};

/// @throws Error for missing, damaged or foreign files and, naming both numbers, for files that disagree on r or n;
/// Cancelled when the callback says so
ImportedModel importVega(const VegaImport& files, const ProgressCallback& progress = {});

/// Files beside `cub` with the names that Vega and exportVega use, where the entry is empty and the file exists:
/// STEM.U, STEM.URendering.float, STEM.veg, STEM.freq, STEM.bou, and STEM_render.obj or STEM.obj.
void findVegaFiles(VegaImport& files);

}  // namespace pliant
