// SPDX-License-Identifier: Zlib
// What the motion of the frame does to q (InertialForces.cpp has the equations). Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// External force of the coming step with frame acceleration and, fully coupled, the explicit part of the Euler and
/// centrifugal terms; predicts frame and coupling at the end of the step. Reads q, q', the frame and the last steps;
/// writes f, the step's work force, couplingColumns and the record's start and end.
/// @param h length of the step, s
void addInertialForces(BatchStorage& batch, int body, double h, BlockScratch& block);

/// Multiplies q' by exp(-h P / 2) with P_ji = 2 W.C_ij: half a step of the Coriolis term, orthogonal to rounding.
/// @param W angular velocity, body frame, rad/s
/// @param velocity q', r x 1, changed
void rotateHalf(const BatchStorage& batch, const Vector3& W, double h, double* velocity, BlockScratch& block);

}  // namespace pliant
