// SPDX-License-Identifier: Zlib
/// @file
/// Every choice of the reduction, with units and defaults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

/// Every choice of the reduction: which shapes the basis is made of (any union of modes, derivatives, centrifugal
/// shapes, sketch and snapshots), how many columns it gets, materials, and what does not change the result.
struct ReduceOptions {
    /// k: elastic linear modes (after the six rigid ones of a free body); 0 with sketch or snapshots.
    int modes = 20;
    /// Derivatives of the modes; shifted forms are for free bodies only.
    DerivativeForm derivatives = DerivativeForm::Static;
    bool centrifugal = false;  ///< Six shapes that spinning makes.
    /// Recorded forces, one static solve each. Vertex numbers are those of the input file from 0 (of the bricks, where
    /// it is a surface); positions are in the input's units.
    std::vector<PointForce> sketch;
    SketchOptions sketchOptions;  ///< How the sketch is made.
    /// A simulation of the full model; vertices and positions as in `sketch`.
    std::optional<SnapshotRun> snapshots;
    VisibilityRule visibility;  ///< Leaves out modes that nobody can see.

    /// r: columns of the basis, at most the number of shapes: k + k(k+1)/2 with the defaults.
    int dimension = 30;
    /// Above 0: as few columns, up to `dimension`, as leave out at most this share of the mass-PCA energy.
    double energyTolerance = 0.0;
    /// How the columns are made of the shapes.
    Orthogonalisation orthogonalisation = Orthogonalisation::MassPca;

    /// A .bou file of vertices to hold (1-based, of the simulation mesh); empty = free body.
    std::string fixedVertices;

    /// What one unit of the coordinates in `input` and `surface` is, m. Materials are SI always.
    double metresPerUnit = 1.0;

    /// Making bricks from a surface: their number along the longest side of the bounding box; 0 = chosen from the
    /// surface. Ignored where the input already has elements.
    int voxels = 0;
    /// Making bricks from a surface: fill the inside too (closed surfaces); otherwise only bricks that touch the
    /// surface.
    bool solid = false;

    /// Young's modulus, Pa. Where set it replaces that of every region of the input; otherwise the input's, or
    /// ElasticMaterial's default.
    std::optional<double> youngsModulus;
    std::optional<double> poissonRatio;  ///< Poisson ratio, likewise.
    std::optional<double> density;       ///< Density, kg/m^3, likewise.
    bool lumpedMass = false;             ///< Row sums of the mass matrix instead of the consistent one, everywhere.

    /// The drawn surface (.obj) when the input is a simulation mesh; empty = its boundary faces.
    std::string surface;

    int threads = 0;  ///< Workers; 0 = all cores. Does not change the result.
    /// Where modes, derivatives and other shapes are kept for the next time; empty = nowhere. Does not change the
    /// result.
    std::string cacheFile;

    /// Several processes make one model (reduce/MpiShares.h): polynomials, derivatives and sketches are cut into
    /// shares, whose number shows in the last bits. All make the same calls and get the model; the first one keeps the
    /// cache.
    WorkShares shares;

    /// "key=value;..." of every option that changes the result, for provenance and caches. Files by their names alone;
    /// the input's hash tells what they held.
    std::string canonical() const;
};

/// Whether a model has the lumped mass matrix.
/// @param canonical how it was made: Provenance::options
bool saysLumpedMass(const std::string& canonical);

}  // namespace pliant
