// SPDX-License-Identifier: Zlib
/// @file
/// Every choice in making a basis, as plain data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/basis/PointForce.h"
#include "pliant/math/Api.h"
#include "pliant/math/WorkShares.h"

namespace pliant {

/// How shapes become a basis that is orthonormal in the mass matrix M.
enum class Orthogonalisation {
    MassPca,  ///< Principal directions of the weighted shapes, most important first [BJ05].
    /// Modes first, then the other shapes by falling weight; nothing is lost when r = their number.
    GramSchmidt
};

/// Which modal derivatives join the linear modes [BJ05].
enum class DerivativeForm {
    None,          ///< Linear modes alone, which lock under large deformations.
    Static,        ///< Symmetric, k (k + 1) / 2 shapes.
    Shifted,       ///< [BJ05 app. D], k^2 shapes, one factorisation per mode.
    ShiftedMinres  ///< The same by MINRES: less memory, no factorisation beyond that of the statics.
};

/// Leaves out modes that nobody can see [HSO03].
struct VisibilityRule {
    /// The largest force that a point of the body will feel, N; 0 = no rule (then smallestMotion too).
    double largestForce = 0.0;
    double smallestMotion = 0.0;    ///< The smallest motion that can be told from rest, m; 0 = no rule.
    double highestFrequency = 0.0;  ///< Half the frame rate of the display at most, Hz; 0 = no rule.

    /// Whether there is a rule.
    bool any() const { return (largestForce > 0.0 && smallestMotion > 0.0) || highestFrequency > 0.0; }
};

/// How shapes are made of recorded forces [BJ05 section 5.2].
struct SketchOptions {
    /// Least distance in M between chosen deformations (and between the linear answers to chosen forces), as a share of
    /// the largest one.
    double separation = 0.05;
    int loadSteps = 4;  ///< Equilibria along the way of every force, all of them candidates.
};

/// A point force that acts from `start` for `duration` seconds.
struct TimedForce {
    PointForce force;       ///< The force.
    double start = 0.0;     ///< When it begins, s.
    double duration = 0.0;  ///< How long it acts, s.
};

/// A simulation of the full model whose displacements become shapes.
struct SnapshotRun {
    std::vector<TimedForce> forces;  ///< Forces that move the body.
    double duration = 1.0;           ///< Length of the whole simulation, s.
    double timeStep = 1.0 / 300.0;   ///< Time step of the implicit Newmark method, s.
    int count = 50;                  ///< Snapshots, spread evenly over the steps.
    double massDamping = 0.0;        ///< Mass-proportional damping alpha, 1/s.
    double stiffnessDamping = 0.0;   ///< Stiffness-proportional damping beta, on the current stiffness, s.
};

/// Every choice in making a basis. k modes, r columns.
struct BasisOptions {
    int modes = 20;      ///< Number k of elastic linear modes; 0 where sketch or snapshots alone make the basis.
    int dimension = 30;  ///< Number r of columns of the basis, at most the number of shapes.
    /// 0: r = dimension. Else r is the smallest for which the discarded share of the mass-PCA energy, sum_{i > r} s_i^2
    /// / sum_i s_i^2, is at most this, and at most `dimension`.
    double energyTolerance = 0.0;
    std::vector<int> fixedVertices;  ///< Held vertices, 0-based; empty = free body.
    /// How the columns are made of the shapes.
    Orthogonalisation orthogonalisation = Orthogonalisation::MassPca;
    /// Modal derivatives; shifted forms are for free bodies without repeated eigenvalues.
    DerivativeForm derivatives = DerivativeForm::Static;
    /// Modal derivatives shorter (in M) than this share of the longest are noise of symmetry and are dropped.
    double derivativeThreshold = 1e-6;
    VisibilityRule visibility;             ///< Modes that it hides are left out, and their derivatives with them.
    bool centrifugal = false;              ///< Six more shapes: what a spinning body stretches into.
    std::vector<PointForce> sketch;        ///< Recorded forces, whose equilibria are shapes.
    SketchOptions sketchOptions;           ///< How the sketch is made.
    std::optional<SnapshotRun> snapshots;  ///< A simulation whose displacements are shapes.
    int threads = 0;                       ///< 0 = all cores; does not change the result.
    /// Derivatives, and equilibria of a sketch, on several processes: all must make the same calls with the same input.
    WorkShares shares;
};

/// Everything that the shapes of a sketch depend on, as text with exact numbers.
PLIANT_API std::string describeSketch(const std::vector<PointForce>& sketch, const SketchOptions& options);
/// Everything that the shapes of snapshots depend on, as text with exact numbers.
PLIANT_API std::string describeSnapshots(const SnapshotRun& run);

}  // namespace pliant
