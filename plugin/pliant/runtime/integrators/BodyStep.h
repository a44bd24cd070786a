// SPDX-License-Identifier: Zlib
// What the step of a body begins and ends with, by whichever integrator. Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// Begins the step of a body: half of the gyroscopic rotation of q', external forces with those of the frame's motion
/// and of contacts, history. Reads q, q', the frame, forces; writes f, q', q'', startVelocity, rowPosition, pastQ,
/// pastProducts, workForce, lastForce, couplingColumns and the record.
/// @param h length of the step, s
void prepareBody(BatchStorage& batch, int body, double h, BlockScratch& block);

/// Ends it: what was gained is taken back, the other half of the rotation, forces are used up. Writes q, q' and
/// q'' (limitFreeStep() may make the step anew, with its factor), the record, f and contactForce.
void finishBody(BatchStorage& batch, int body, double h, BlockScratch& block);

/// Sets q'' to -D q' - R(q): the equation of motion without external force.
void balanceAcceleration(BatchStorage& batch, int body, BlockScratch& block);

/// Makes the system S of the body definite and keeps the inverse of that for the response. Reads S
/// (BatchStorage::system()); writes the factor and the record.
/// @return false when S is not finite
bool invertSystem(BatchStorage& batch, int body, BlockScratch& block);

/// Whether [[I, H], [H', S]] of a free frame and its deformation, S definite, is as definite as S is asked to be. The
/// inertia that turning meets where flesh gives way, E = I - H S^-1 H', is no less than I - H H' as long as stiffness
/// is not negative; compression makes S less than the mass, and E negative before S is: flesh would answer torques and
/// contacts by going towards them. A quarter is asked for, as of the pivots of S (largestInversePivot).
/// @param schur E, kg m^2 @param inertia I @param coupling H, three columns of `stride` numbers, r of them used
bool frameIsDefinite(const Matrix3& schur, const Matrix3& inertia, const double* coupling, int stride, int r);

/// Puts the body to rest at its q, 0 where that is not finite; its status says so.
void restoreAtRest(BatchStorage& batch, int body);

/// Forgets all steps: no history, and the identity for a factor, so that contact rows get finite answers.
void forgetSteps(BatchStorage& batch, int body);

/// A body at rest at q = 0 that has made no step: its record and its part of all arrays.
void clearBody(BatchStorage& batch, int body);

}  // namespace pliant
