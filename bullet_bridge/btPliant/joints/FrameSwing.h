// SPDX-License-Identifier: Zlib
// Internal: how fast forces at arms let a frame swing, which it takes from the start of a step alone (GeometricRows.h).
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

/// Largest magnitude of the eigenvalues of I^-1 K: those of R' K R, where R R' is I^-1. K need not be definite.
/// @param K stiffness of the turning, N m, symmetric @param response I^-1, 1/(kg m^2), symmetric, not negative
inline double largestSwing(const pliant::Matrix3& K, const pliant::Matrix3& response) {
    const Eigen::SelfAdjointEigenSolver<pliant::Matrix3> axes(response);
    const pliant::Matrix3 R = axes.eigenvectors() * axes.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<pliant::Matrix3> swings(R.transpose() * K * R, Eigen::EigenvaluesOnly);
    return swings.eigenvalues().cwiseAbs().maxCoeff();
}

}  // namespace btPliantInternal
