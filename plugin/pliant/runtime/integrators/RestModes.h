// SPDX-License-Identifier: Zlib
// The motion of the linear model, mode by mode (AnalyticStep.cpp has the equations). Private to runtime/.
#pragma once

#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/Settings.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"

namespace pliant {

/// Eigenvectors of the rest stiffness, and what Integrator::Analytic makes of them for one step size and damping:
///     x_1 = A x_0 + B x'_0 + P g,   x'_1 = -omega^2 B x_0 + (A - d B) x'_0 + B g,   d = alpha + beta omega^2
struct RestModes {
    explicit RestModes(const ReducedModel& model);
    /// Makes the coefficients agree with a step; cheap where they do. @param n rows of a packed factor
    void prepare(double h, const DampingSettings& damping, const double* restStiffness, int n);

    MatrixX vectors;               ///< Eigenvectors V, r x r.
    VectorX squares, frequencies;  ///< Squares omega^2 (1/s^2) and frequencies omega (1/s), r each.
    VectorX decay, A, B, P;        ///< Decay d (1/s) and the coefficients of the step, r each.
    VectorX response;              ///< Response Y = 1 / (1 + h^2 omega^2 / 4) of q' to an impulse, r numbers.
    VectorX mean;  ///< That of the trapezoid rule with its damping, 1 / (1 + h d / 2 + h^2 omega^2 / 4), r numbers.
    kernels::AlignedArray<double> factor;      ///< Factor of 1 + h^2 K0 / 4, packed.
    kernels::AlignedArray<double> meanFactor;  ///< Factor of 1 + h D / 2 + h^2 K0 / 4, packed.
    double step = 0.0, mass = 0.0, stiffness = 0.0;
};

}  // namespace pliant
