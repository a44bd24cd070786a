// SPDX-License-Identifier: Zlib
// A model's energy and mass as weighted sums over its material groups.
#pragma once

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// Sum of weight * part, materials and parts in their order. @param model with groups
StrainEnergyPolynomial energyOfGroups(const ReducedModel& model);

/// Sum of density * part. principalInertia is the diagonal of the inertia about the frame's origin: the caller sees to
/// a frame in which that is all.
InertiaIntegrals inertiaOfGroups(const ReducedModel& model);

/// All of it before principal axes: volume is the mass in kg, the others likewise.
MassParts massOfGroups(const ReducedModel& model);

}  // namespace pliant
