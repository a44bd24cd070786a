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

/// Share of a step that defaultDamping() makes beta at least.
constexpr double defaultDampingOfStep = 0.01;

/// Stiffness-proportional damping, beta = 2 zeta / omega with the frequency omega of defaultDampingFrequency(): a
/// ring-down of about eight periods; higher ones are damped more, in proportion to their frequency. None where the
/// model has no stiffness. btPliantBodyInfo itself starts without any damping.
PLIANT_API DampingSettings defaultDamping(const ReducedModel& model);

/// The same for steps of a length h, which is what scenes take that state no damping: beta is no less than a hundredth
/// of the step. That is more for bodies whose lowest frequency omega times the step is above 4 rad: the trapezoidal
/// rule does not resolve them, turns them round in every step and takes no more than 2 beta / h off them, where zeta of
/// critical takes 1 - exp(-zeta omega h). With a hundredth they lose 2 % in a step up to omega h = 200; of faster ones
/// one part loses 2 to 4 % and the other 400 / (omega h)^2, which is 5e-4 of dice, of omega h = 900. All of that is no
/// more than zeta of critical would take, and a heap of dice does not tremble for ever.
/// @param step s; 0 or less: as without it
PLIANT_API DampingSettings defaultDamping(const ReducedModel& model, double step);

}  // namespace pliant
