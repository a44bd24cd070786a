// SPDX-License-Identifier: Zlib
// Holds the energy of every body to what it had and was given (docs/internals/energy-guard.md). Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// Takes back energy that the last step gained without work, and begins the account of the next one. Reads q, the
/// step's work and the frame; writes q', the frame's angular velocity, startPosition, BodyRecord::ledger, limited and
/// startStrain.
/// @param strainEnergy of the present q, J
void guardEnergy(BatchStorage& batch, int body, double strainEnergy);

/// Whether the strain energy at q has to be looked at: the last move may have gained. Reads q, startPosition and the
/// ledger; writes BodyRecord::move, which limitFreeStep() and settleEnergy() go by.
bool noteMove(BatchStorage& batch, int body, BlockScratch& block);

/// What guardEnergy() does, at once after hard contacts (BodyRecord::struck), where q itself may be taken back. Writes
/// what guardEnergy() writes, q, and the record's status and struck.
/// @param angularVelocity W after the contacts, body frame, rad/s
void settleEnergy(BatchStorage& batch, int body, const Vector3& angularVelocity, BlockScratch& block);

/// The same at the end of the free step, before contacts hand on what it has gained. Writes q, q', q'' and the factor
/// where the step has to be made anew, BodyRecord::limited where something was taken, BodyRecord::struck where
/// settleEnergy() is to judge.
/// @param h length of the step, s
void limitFreeStep(BatchStorage& batch, int body, double h, BlockScratch& block);

}  // namespace pliant
