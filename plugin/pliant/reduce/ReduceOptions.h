// SPDX-License-Identifier: Zlib
// Every choice of the reduction, with units and defaults.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/mesh/VolumeMesh.h"

namespace pliant {

struct ReduceOptions {
    // Which shapes the basis is made of: any union of the following.
    int modes = 20;  ///< k: elastic linear modes (after the six rigid ones of a free body); 0 with sketch or snapshots
    DerivativeForm derivatives = DerivativeForm::Static;  ///< of the modes; shifted forms: free bodies only
    bool centrifugal = false;                             ///< six shapes that spinning makes
    /// Recorded forces, one static solve each. Vertex numbers are those of the input file from 0 (of the bricks, where
    /// it is a surface); positions are in the input's units.
    std::vector<PointForce> sketch;
    SketchOptions sketchOptions;
    std::optional<SnapshotRun> snapshots;  ///< a simulation of the full model; vertices and positions as in `sketch`
    VisibilityRule visibility;             ///< leaves out modes that nobody can see

    // How many columns it gets.
    int dimension = 30;  ///< r: columns of the basis, at most the number of shapes: k + k(k+1)/2 with the defaults
    /// Above 0: as few columns, up to `dimension`, as leave out at most this share of the mass-PCA energy.
    double energyTolerance = 0.0;
    Orthogonalisation orthogonalisation = Orthogonalisation::MassPca;

    std::string fixedVertices;  ///< .bou file of vertices to hold (1-based, of the simulation mesh); empty = free body

    /// What one unit of the coordinates in `input` and `surface` is, metres (MeshSize.h reads "mm"). Materials are SI
    /// always.
    double metresPerUnit = 1.0;

    // Making a simulation mesh from a surface (.obj); ignored where the input already has elements.
    int voxels = 0;      ///< bricks along the longest side of the bounding box; 0 = chosen from the surface
    bool solid = false;  ///< fill the inside too (closed surfaces); otherwise only bricks that touch the surface

    // Material: where set, replaces that of every region of the input; otherwise the input's, or ElasticMaterial's
    // defaults.
    std::optional<double> youngsModulus;  ///< Pa
    std::optional<double> poissonRatio;
    std::optional<double> density;  ///< kg/m^3
    bool lumpedMass = false;        ///< row sums of the mass matrix instead of the consistent one, everywhere

    std::string surface;  ///< drawn surface (.obj) when the input is a simulation mesh; empty = its boundary faces

    // What does not change the result.
    int threads = 0;        ///< workers; 0 = all cores
    std::string cacheFile;  ///< where modes, derivatives and other shapes are kept for the next time; empty = nowhere

    /// Several processes make one model (reduce/MpiShares.h): polynomials, derivatives and sketches are cut into
    /// shares, whose number shows in the last bits. All make the same calls and get the model; the first one keeps the
    /// cache.
    WorkShares shares;

    /// "key=value;..." of every option that changes the result, for provenance and caches. Files by their names alone;
    /// inputHash() tells what they held.
    std::string canonical() const;
};

/// Whether a model has the lumped mass matrix. @param canonical how it was made: Provenance::options
bool saysLumpedMass(const std::string& canonical);

}  // namespace pliant
