// SPDX-License-Identifier: Zlib
// What others ask of an integrator instead of asking which one it is; the table is in
// integrators/IntegratorTable.cpp. Private to Pliant.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/runtime/Settings.h"

namespace pliant {

/// The properties of an integrator.
struct IntegratorTraits {
    Integrator integrator;
    const char* name;  ///< The word of scene files.
    /// With Coupling::Full the Euler, Coriolis and centrifugal terms act on q, and q' carries angular momentum.
    /// Otherwise Full acts as Inertia.
    bool feelsRotation;
    /// Whether q' carries momentum and kinetic energy.
    bool hasInertia;
    /// Whether the force of a step acts unchanged from its start to its end, so that one that changes is to be given by
    /// its mean; otherwise it is taken as that of the end (central differences, which have theirs at the start, so
    /// feel what bones do a step early).
    bool holdsForceOverStep;
    /// Whether its step has to know beforehand that impulses will act at its end (BodyBatch::expectImpulses()).
    bool expectsImpulses;
    /// Whether flesh can be stepped together with the limbs of a ragdoll, as one system.
    bool joinsLimbs;
};

/// The properties of an integrator: its row of the table.
PLIANT_INTERNAL_API const IntegratorTraits& traitsOf(Integrator integrator);

/// Whether an impulse that changes q' by dq' in a step of h seconds moves q by h / 2 dq': then the work of a contact is
/// its impulse times the mean of the velocities at both ends of the step (BodyBatch.h).
PLIANT_INTERNAL_API bool movesByHalfStep(const BatchSettings& settings);

}  // namespace pliant
