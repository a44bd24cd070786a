// SPDX-License-Identifier: Zlib
// Internal: angular momentum of a body, which it carries instead of an angular velocity, and energy of its deformation.
#pragma once

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Makes `angularMomentum` agree with the body's present velocity, unless it already belongs to it. Reads Bullet's
/// frame and velocity, q and q'; writes the momentum and what it belongs to.
void updateMomentum(BodyData& data);
/// Evaluates `inverseInertia` and `modalAngularMomentum` at the present q and q'.
void updateInertia(BodyData& data);
/// BodyBatch::responses() of a body. A frame in a hand without mass turns by the inertia of the hand alone.
/// @param angular, modal, turns, bends as there
void respondTo(const BodyData& data, int count, const double* angular, const double* modal, double* turns,
               double* bends);
/// Sets Bullet's angular velocity from `angularMomentum` at the present frame; after updateInertia(). Writes what the
/// momentum belongs to, too.
void updateAngularVelocity(BodyData& data);
/// Sets Bullet's angular velocity to the one that turns the frame through the middle of the step: Bullet turns with a
/// constant one, and that at the step's start would raise the energy of a tumbling body step by step.
/// @param h length of the step, s
void updateMidstepAngularVelocity(BodyData& data, double h);
/// What hard contacts have made of the deformation's energy, BodyBatch::settleEnergy(). Reads the momentum; writes q
/// and q' of the batch.
void settleEnergy(BodyData& data);

}  // namespace btPliantInternal
