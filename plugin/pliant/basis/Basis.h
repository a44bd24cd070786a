// SPDX-License-Identifier: Zlib
// From a full model to the basis that a body is reduced to: modes, modal derivatives, mass-PCA.
//
//     const FullModel model(readVeg("bridge.veg"));
//     BasisOptions options;
//     options.modes = 20;
//     options.dimension = 30;
//     const Basis basis = makeBasis(model, options);
#pragma once

#include <vector>

#include "pliant/basis/ModalDerivatives.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Progress.h"

namespace pliant {

enum class Orthogonalisation {
    MassPca,     ///< principal directions of the weighted shapes, most important first
    GramSchmidt  ///< modes first, then derivatives by falling weight
};

struct BasisOptions {
    int modes = 20;      ///< k: elastic linear modes
    int dimension = 30;  ///< r: columns of the basis, at most k + k (k + 1) / 2 (shifted derivatives: k + k^2)
    std::vector<int> fixedVertices;  ///< 0-based; empty = free body
    Orthogonalisation orthogonalisation = Orthogonalisation::MassPca;
    /// Shifted: the form of [BJ05 app. D], for free bodies without repeated eigenvalues.
    DerivativeForm derivatives = DerivativeForm::Static;
    /// Modal derivatives shorter (in M) than this share of the longest are noise of symmetry and are dropped.
    double derivativeThreshold = 1e-6;
    int threads = 0;  ///< 0 = all cores; does not change the result
};

struct Basis {
    MatrixX U;                   ///< 3n x r, U' M U = 1; zero at fixed vertices, M-orthogonal to the rigid modes of a
                                 ///< free body (mean-axis conditions)
    VectorX elasticEigenvalues;  ///< k, (rad/s)^2, ascending, of the linear modes
    VectorX singularValues;      ///< of the mass-PCA, descending; empty with Gram-Schmidt
    MatrixX rigidModes;          ///< 3n x 6 for a free body, else 3n x 0
    int droppedDerivatives = 0;  ///< by derivativeThreshold
};

/// Stages told to `progress`: "linear modes", "modal derivatives", "basis".
/// @throws Error: more modes than there are, dimension larger than the shapes span (naming how many there are), zero
/// modes beyond the six of a free body; Cancelled
Basis makeBasis(const FullModel& model, const BasisOptions& options, const ProgressCallback& progress = {});

}  // namespace pliant
