// SPDX-License-Identifier: Zlib
// From a full model to the basis that a body is reduced to: shapes of any of the papers' sources, then mass-PCA.
//
//     const FullModel model(readVeg("bridge.veg"));
//     BasisOptions options;
//     options.modes = 20;
//     options.dimension = 30;
//     const Basis basis = makeBasis(model, options);
//
// Weights in the mass-PCA: modes and derivatives those of [BJ05 section 4.3], l1 / lj and l1^2 / (li lj); centrifugal
// shapes as modes of the same stiffness; sketch and snapshots their length in M relative to the longest of the source.
// So the leading shape of every source weighs 1.
#pragma once

#include <vector>

#include "pliant/basis/BasisOptions.h"
#include "pliant/basis/ModalDerivatives.h"
#include "pliant/basis/Sketch.h"
#include "pliant/basis/Snapshots.h"
#include "pliant/basis/StageCache.h"
#include "pliant/basis/VisibleModes.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Progress.h"

namespace pliant {

struct Basis {
    MatrixX U;  ///< Basis U, 3n x r, U' M U = 1; zero at fixed vertices, M-orthogonal to the rigid modes of a
                ///< free body (mean-axis conditions).
    VectorX elasticEigenvalues;    ///< Eigenvalues of the linear modes that were used, (rad/s)^2, ascending.
    VectorX singularValues;        ///< Singular values of the mass-PCA, descending; empty with Gram-Schmidt.
    MatrixX rigidModes;            ///< Rigid modes, 3n x 6 for a free body, else 3n x 0.
    double discardedEnergy = 0.0;  ///< Share of the mass-PCA energy beyond the first r; 0 with Gram-Schmidt.
    int shapes = 0;                ///< Number of shapes that the basis was chosen from.
    int hiddenModes = 0;           ///< Number of modes that the visibility rule leaves out.
    int droppedDerivatives = 0;    ///< Number of derivatives that derivativeThreshold leaves out.
};

/// Stages told to `progress`: "linear modes", "modal derivatives", "centrifugal shapes", "sketch", "snapshots",
/// "basis", as far as they are asked for. @param cache where shapes are taken from and left for the next time; may be
/// null
/// @throws Error: more modes than there are, dimension larger than the shapes span (naming how many there are), zero
/// modes beyond the six of a free body, forces without equilibrium; Cancelled
Basis makeBasis(const FullModel& model, const BasisOptions& options, const ProgressCallback& progress = {},
                StageCache* cache = nullptr);

}  // namespace pliant
