// SPDX-License-Identifier: Zlib
/// @file
/// Plain options of the run time, with units and defaults.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"

namespace pliant {

/// Implicit Newmark [N59; BJ05 app. C]. (beta, gamma) = (1/4, 1/2) has no algorithmic damping; gamma > 1/2 damps what
/// the step cannot resolve.
struct NewmarkSettings {
    double gamma = 0.5;       ///< Share of the acceleration at the end of the step in the velocity, >= 1/2.
    int iterations = 1;       ///< Newton iterations per step, >= 1.
    double tolerance = 1e-9;  ///< Relative residual at which further iterations stop.
    /// Damps, with beta = (gamma + 1/2)^2 / 4: unconditionally stable, largest damping at the highest frequencies.
    double beta() const { return 0.25 * (gamma + 0.5) * (gamma + 0.5); }
};
/// Whether all members are equal.
inline bool operator==(const NewmarkSettings& a, const NewmarkSettings& b) {
    return a.gamma == b.gamma && a.iterations == b.iterations && a.tolerance == b.tolerance;
}

/// Which stiffness the stiffness-proportional damping takes.
enum class DampingForm {
    RestStiffness,    ///< Damping by beta K(0) q', which cannot lose definiteness; the default.
    CurrentStiffness  ///< Damping by beta K(q) q' [BJ05].
};

/// Rayleigh damping (alpha + beta K) q', and strain-rate damping D(q) q' of models that have viscosities [B07 2.37];
/// both act on q' only, never on the rigid velocity.
struct DampingSettings {
    double mass = 0.0;                              ///< Mass-proportional part alpha, 1/s.
    double stiffness = 0.0;                         ///< Stiffness-proportional part beta, s.
    DampingForm form = DampingForm::RestStiffness;  ///< Which stiffness beta multiplies.
    /// Factor of the model's own strain-rate damping (ReducedModel::damping), >= 0; nothing where the model has none.
    /// Integrator::Newmark and Integrator::CentralDifferences have it. r^4 operations a body and step.
    double strainRate = 0.0;
};
/// Whether all members are equal.
inline bool operator==(const DampingSettings& a, const DampingSettings& b) {
    return a.mass == b.mass && a.stiffness == b.stiffness && a.form == b.form && a.strainRate == b.strainRate;
}

/// How rotation and deformation act on each other [S].
enum class Coupling {
    None,     ///< The deformation does not feel the rotation and does not change the inertia.
    Inertia,  ///< The deformed inertia tensor I(q) carries the angular momentum, L = I(q) W.
    /// As Inertia, and Euler, Coriolis and centrifugal terms act on q. Strongly bent slender bodies have more inertia
    /// than I(q) (BodyBatch::inertia()), whose rate is in no equation and left to the energy guard.
    Full
};

/// How q moves through a step. The frame moves as always. (runtime/integrators/ has a row of a table for each.)
enum class Integrator {
    Newmark,  ///< Implicit Newmark, for everything.
    /// Exact oscillators of the eigenvectors of the rest stiffness under the constant force of the step [HSO03]: any
    /// step is stable and exact, deformations must be small (the cubic and quartic energy is left out of the motion).
    /// Steps that expect impulses (BodyBatch::expectImpulses()) are those of Newmark for that linear body; the first
    /// substep of a contact in a world is not one. Coupling::Full acts as Inertia. Stiff springs at contacts
    /// (penalties) can gain energy where the body bends by more than its size; take Newmark for bodies that touch by
    /// them.
    Analytic,
    /// Equilibrium with the forces of the step, Newton's method with line search: no inertia, no vibration. For what is
    /// loaded slowly: a deformable body without inertia gives way to an impact by far too much. Of Coupling::Full the
    /// centrifugal force is left.
    Static,
    /// Explicit central differences [BJ05 app. C]: no system to solve but that of the damping, stable only while the
    /// highest frequency times the step is below 2 (BodyStatus::StepTooLong). q' is that of half a step before q.
    /// Coupling::Full acts as Inertia.
    CentralDifferences
};
/// The names of the integrators in scene files, in the order of the enumeration.
PLIANT_API std::vector<const char*> integratorNames();

/// Settings of a BodyBatch, the same for all of its bodies.
struct BatchSettings {
    Integrator integrator = Integrator::Newmark;  ///< How q moves through a step.
    NewmarkSettings newmark;                      ///< Of Integrator::Static the tolerance alone counts.
    DampingSettings damping;                      ///< Integrator::Static has none.
    Coupling coupling = Coupling::Full;           ///< How rotation and deformation act on each other.
    /// Steps that a linear response cannot describe (hard impacts, strong compression) may gain energy: what exceeds a
    /// few per cent of the body's own is taken back from the deformation's velocity. Keeps linear and angular momentum.
    bool energyGuard = true;
    /// A body goes on with K and the factor of an earlier step while K(q) can have changed by no more than this share
    /// of the stiffness at rest (modified Newton; R(q) follows K from there, so that its error is of second order in
    /// the motion). 0: K(q) is evaluated in every step. For blocks of bodies, one iteration and gamma = 1/2; bodies
    /// that turn fast always evaluate. Pays where many bodies hardly move: a settled pile.
    double tangentTolerance = 0.0;
    /// K1 and K2 products in double instead of single precision. They always are for models whose terms are beyond
    /// floats, as those of bodies of a few micrometres are, or cancel to what floats round away, as those of rods of
    /// 1:200 do.
    bool doublePrecision = false;
    /// Bodies per block of parallel work, rounded up to whole groups of 16 that are computed side by side (the bits of
    /// a body do not depend on it). 1: bodies one by one, always in double precision; the choice for a few bodies.
    int blockSize = 32;
    /// Steps of no more bodies than these take them one by one as well (where tangentTolerance is 0): one body alone
    /// would pay for all 16 of a group. 0: never, so that a body's bits do not depend on how many step with it.
    int aloneUpTo = 0;
};
/// Empty, or why bodies cannot move by these settings: an integrator, a coupling or a form of damping that there is
/// not, a number that is none, negative or huge, gamma below 1/2, no Newton iteration, blocks of no bodies.
PLIANT_API std::string problemOf(const BatchSettings& settings);
/// Whether all members are equal: bodies of one model and equal settings may share a BodyBatch.
inline bool operator==(const BatchSettings& a, const BatchSettings& b) {
    return a.integrator == b.integrator && a.newmark == b.newmark && a.damping == b.damping &&
           a.coupling == b.coupling && a.energyGuard == b.energyGuard && a.tangentTolerance == b.tangentTolerance &&
           a.doublePrecision == b.doublePrecision && a.blockSize == b.blockSize && a.aloneUpTo == b.aloneUpTo;
}
/// Whether any member differs.
inline bool operator!=(const BatchSettings& a, const BatchSettings& b) {
    return !(a == b);
}

}  // namespace pliant
