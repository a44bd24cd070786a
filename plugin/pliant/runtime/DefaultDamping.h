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

/// The frequency that defaultDamping() is measured at, Hz: the lowest of the model's rest stiffness, but no less than
/// half of that of a pendulum as long as the body, sqrt(g / L) / (4 pi) with g = 9.81 m/s^2 and the diagonal L of the
/// surface. What is softer moves by gravity rather than by its stiffness, and damping measured at a curtain's
/// frequency of elasticity, a hundredth of what it swings with, would hold it in the air. 0 where the model has no
/// stiffness.
PLIANT_API double defaultDampingFrequency(const ReducedModel& model);

/// Stiffness-proportional damping, beta = 2 zeta / omega with the frequency omega of defaultDampingFrequency(): a
/// ring-down of about eight periods; higher ones are damped more, in proportion to their frequency. None where the
/// model has no stiffness. What scenes take that state no damping; btPliantBodyInfo itself starts without any.
PLIANT_API DampingSettings defaultDamping(const ReducedModel& model);

}  // namespace pliant
