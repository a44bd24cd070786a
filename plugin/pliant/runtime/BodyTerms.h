// SPDX-License-Identifier: Zlib
// Terms of the equation of motion at a body's present q. Private to runtime/.
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// Terms of the frame's motion at the present q; where rotation is not felt, D and I alone. Reads q; writes the body's
/// rigid products and inertia where they are not known yet (BodyRecord::rigidValid).
RigidTerms rigidTerms(BatchStorage& batch, int body);

/// R(q) and K_damping q' of the present state. Reads q and q'; writes the polynomials' part of `block`.
/// @param force R(q), r x 1, N / sqrt(kg), written
/// @param dampingProduct K_damping q', r x 1, written
/// @return the strain energy q'K1 q / 6 + q'K2 q / 12 + q'K0 q / 2, J
double elasticForce(const BatchStorage& batch, int body, BlockScratch& block, double* force, double* dampingProduct);

/// Adds D(q) q' of strain-rate damping. Reads the settings and viscosities; writes that part of `block`.
/// @param position q, r x 1
/// @param velocity q', r x 1
/// @param force r x 1, N / sqrt(kg), added to
/// @return D(q), packed r, in the block
const double* addStrainRate(const BatchStorage& batch, const double* position, const double* velocity,
                            BlockScratch& block, double* force);

}  // namespace pliant
