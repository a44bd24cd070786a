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

/// The same for steps of a length, which is what scenes take that state no damping: beta is no less than a hundredth of
/// the step. It is more for bodies whose lowest frequency times the step is above 4 rad: they have vibrated and rung
/// down many times within a step, while the trapezoidal rule turns such vibrations round in every step and takes no
/// more than the share 4 beta / h off them, so that a heap of dice trembled for ever. Slower vibrations, of omega h <
/// 4, have no more than the ratio beta omega / 2 = 0.02 by it.
/// @param step s; 0 or less: as without it
PLIANT_API DampingSettings defaultDamping(const ReducedModel& model, double step);

}  // namespace pliant
