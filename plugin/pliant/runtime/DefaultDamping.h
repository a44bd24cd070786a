// SPDX-License-Identifier: Zlib
/// @file
/// Damping of a body that nobody has given any.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/Settings.h"

namespace pliant {

/// Share of critical damping that defaultDamping() gives the lowest frequency.
constexpr double defaultDampingRatio = 0.02;

/// Stiffness-proportional damping, beta = 2 zeta / omega_1 with the lowest frequency omega_1 of the model's rest
/// stiffness: a ring-down of about eight periods; higher ones are damped more, in proportion to their frequency. None
/// where the model has no stiffness. What scenes take that state no damping; btPliantBodyInfo itself starts without
/// any.
PLIANT_API DampingSettings defaultDamping(const ReducedModel& model);

}  // namespace pliant
