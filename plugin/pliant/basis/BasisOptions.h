// SPDX-License-Identifier: Zlib
// Every choice in making a basis, as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/basis/PointForce.h"
#include "pliant/math/WorkShares.h"

namespace pliant {

enum class Orthogonalisation {
    MassPca,     ///< principal directions of the weighted shapes, most important first
    GramSchmidt  ///< modes first, then the other shapes by falling weight; nothing is lost when r = their number
};

enum class DerivativeForm {
    None,          ///< linear modes alone: locks under large deformations
    Static,        ///< symmetric, k (k + 1) / 2 shapes
    Shifted,       ///< [BJ05 app. D], k^2 shapes, one factorisation per mode
    ShiftedMinres  ///< the same by MINRES: less memory, no factorisation beyond that of the statics
};

/// [HSO03]: see VisibleModes.h.
struct VisibilityRule {
    double largestForce = 0.0;      ///< N, that a point of the body will feel; 0 = no rule (then smallestMotion too)
    double smallestMotion = 0.0;    ///< m, that can be told from rest; 0 = no rule
    double highestFrequency = 0.0;  ///< Hz, half the frame rate of the display at most; 0 = no rule

    bool any() const { return (largestForce > 0.0 && smallestMotion > 0.0) || highestFrequency > 0.0; }
};

/// [BJ05 section 5.2]: see Sketch.h.
struct SketchOptions {
    /// Least distance in M between chosen deformations (and between the linear answers to chosen forces), as a share of
    /// the largest one.
    double separation = 0.05;
    int loadSteps = 4;  ///< equilibria along the way of every force, all of them candidates
};

/// A point force that acts from `start` for `duration` seconds.
struct TimedForce {
    PointForce force;
    double start = 0.0;     ///< s
    double duration = 0.0;  ///< s
};

/// A simulation of the full model: see Snapshots.h.
struct SnapshotRun {
    std::vector<TimedForce> forces;
    double duration = 1.0;          ///< s, of the whole simulation
    double timeStep = 1.0 / 300.0;  ///< s, of the implicit Newmark steps
    int count = 50;                 ///< pictures, spread evenly over the steps
    double massDamping = 0.0;       ///< alpha, 1/s
    double stiffnessDamping = 0.0;  ///< s, on the current stiffness
};

struct BasisOptions {
    int modes = 20;      ///< k: elastic linear modes; 0 where sketch or snapshots alone make the basis
    int dimension = 30;  ///< r: columns of the basis, at most the number of shapes
    /// 0: r = dimension. Else r is the smallest for which the discarded share of the mass-PCA energy,
    /// sum_{i > r} s_i^2 / sum_i s_i^2, is at most this, and at most `dimension`.
    double energyTolerance = 0.0;
    std::vector<int> fixedVertices;  ///< 0-based; empty = free body
    Orthogonalisation orthogonalisation = Orthogonalisation::MassPca;
    DerivativeForm derivatives = DerivativeForm::Static;  ///< shifted forms: free bodies without repeated eigenvalues
    /// Modal derivatives shorter (in M) than this share of the longest are noise of symmetry and are dropped.
    double derivativeThreshold = 1e-6;
    VisibilityRule visibility;  ///< modes that it hides are left out, and their derivatives with them
    bool centrifugal = false;   ///< six more shapes: what a spinning body stretches into
    std::vector<PointForce> sketch;
    SketchOptions sketchOptions;
    std::optional<SnapshotRun> snapshots;
    int threads = 0;  ///< 0 = all cores; does not change the result
    /// Derivatives, and equilibria of a sketch, on several processes: all must make the same calls with the same input.
    WorkShares shares;
};

/// Everything that the shapes of a sketch (of snapshots) depend on, as text with exact numbers.
std::string describeSketch(const std::vector<PointForce>& sketch, const SketchOptions& options);
std::string describeSnapshots(const SnapshotRun& run);

}  // namespace pliant
