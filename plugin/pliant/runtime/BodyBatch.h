// SPDX-License-Identifier: Zlib
/// @file
/// All bodies of one model: their reduced state and the implicit step that advances them together.
///
/// A step of size h of body b, frame rotation A, body-frame angular velocity W (docs/notation.md, [BJ05], [S]):
///
///     q'' + D q' + R(q) + (coupling terms) = f,      D = alpha + beta K
///
/// The engine bridge calls, per substep and in this order:
///
///     setFrame(b, ...); addForce(b, ...)     inputs of the step (forces are cleared by it)
///     step(h, bodies, workers)               free step: (q, q') -> (q*, q'*), and the factored system of every body
///     response(b, ...)                       inverse of [[I(q), H], [H', Y^-1]] for contact and joint constraints
///     addVelocity(b, dq')                    what the constraint solver found; moves q consistently, recomputes q''
///     angularVelocity(b, ...)                W from the carried angular momentum, after the frame moved
///
/// Nothing here throws, prints or allocates once all bodies exist; trouble is reported by status().
///
/// Contact constraints that cannot gain energy. A contact impulse P (N s, along the normal n) acts as a constant force
/// over the whole step: it changes q' by dv = Y_c (U_s' n P) and q by (h / 2) Y (U_s' n P). With u the velocity of the
/// contact point along n, u_0 = n.U_s startVelocity() at the start of the step and u_1 after addVelocity(), the energy
/// of a linear undamped body obeys, for every gamma >= 1/2 and every omega h,
///
///     E'_1 - E'_0 = P (u_0 + u_1) / 2 - (gamma - 1/2) [dq' K dq + h^2 (beta - gamma / 2) |K dq|^2]
///                <= P (u_0 + u_1) / 2,       dq = q_1 - q_0,
///     E' = |q'|^2 / 2 + q' K q / 2 + (beta - gamma / 2) (h^2 / 2) |K q|^2     (the true energy for (1/4, 1/2)).
///
/// So a constraint with 0 <= P, u_1 >= t and P (u_1 - t) = 0 never gains energy if t <= -u_0. contactTarget(u_0) is
/// the largest such t that does not bounce by itself: min(0, -u_0). The plain t = 0 pumps energy without bound where
/// omega h is above 1: it stops a point that is already leaving, with an impulse that works on the way out. For the
/// rigid part of u_0 take the velocity of the frame at the start of the step, before gravity and other forces.
/// Semi-implicit Euler (v_1 = v_0 - g h + P / m, x_1 = x_0 + h v_1) conserves E - (m g h / 2) v in free flight, not E,
/// and P adds P (v_0 + v_1) / 2 to that. The velocity after the forces, v_0 - g h, lets every contact that is left gain
/// up to P g h / 2: bodies with omega h above 1 rattle on the ground for ever, at velocities of g h. Constraints
/// between two bodies use the difference of the two points in u_0 as in u_1.
#pragma once

#include <memory>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/Settings.h"
#include "pliant/runtime/Workers.h"
#include "pliant/runtime/snapshot/StateBlob.h"

namespace pliant {

/// What became of a body's step.
enum class BodyStatus {
    Ok,  ///< The step was solved.
    /// The system matrix, or that of frame and deformation together, was (nearly) indefinite, by compression: it was
    /// made definite for the step.
    NegativeStiffness,
    EnergyLimited,  ///< The step gained energy that no force had put in; the deformation was slowed by as much.
    NoEquilibrium,  ///< Integrator::Static has not found an equilibrium; q is the best it came to.
    /// Integrator::CentralDifferences: a frequency at rest times the step is 2 or more; the motion grows without bound.
    StepTooLong,
    /// The step gave non-finite numbers; the body was put back to its last good state at rest.
    RestoredLastState
};

/// Rigid motion of a body's frame, as the deformation sees it, in components of the body frame.
struct FrameMotion {
    Matrix3 rotation = Matrix3::Identity();     ///< A, from body to world.
    Vector3 angularVelocity = Vector3::Zero();  ///< W = A' omega, rad/s.
    /// A' (frame acceleration - gravity), m/s^2; felt through D_j only.
    Vector3 acceleration = Vector3::Zero();
    bool driven = false;  ///< The user moves the frame (kinematic): it does not react to the deformation.
};

/// Velocity along the contact normal that a contact constraint aims at so that it never gains energy (see BodyBatch.h).
/// @param startVelocity u_0, m/s, positive where the bodies separate
inline double contactTarget(double startVelocity) {
    return startVelocity > 0.0 ? -startVelocity : 0.0;
}

/// All bodies of one model: their reduced state (q, q', q'') and the step that advances them together. A slot number
/// stands for a body. Nothing but the constructor, add() and what needs memory throws or allocates; trouble is reported
/// by status(). isUsed(), remove() and what saves and restores states take any number, all else that of a body.
class PLIANT_API BodyBatch {
public:
    /// An empty batch.
    /// @param model shared, r reduced coordinates
    /// @param settings of all bodies
    /// @throws Error where there is no model, and for settings by which nothing can move (problemOf())
    BodyBatch(std::shared_ptr<const ReducedModel> model, const BatchSettings& settings);
    ~BodyBatch();
    /// Takes all bodies over.
    BodyBatch(BodyBatch&&) noexcept;
    BodyBatch& operator=(BodyBatch&&) noexcept;  ///< Takes all bodies over.

    /// The model of all bodies.
    const ReducedModel& model() const;
    /// The model of all bodies, for those that keep it.
    std::shared_ptr<const ReducedModel> sharedModel() const;
    /// The settings of all bodies.
    const BatchSettings& settings() const;
    /// Changes the settings from the next step on. Nothing changes where problemOf() tells of one.
    void setSettings(const BatchSettings& settings);

    /// Adds a body at q = q' = q'' = 0. May allocate.
    /// @return its slot number: the lowest free one
    int add();
    /// Frees the slot of a body; of none nothing happens.
    void remove(int body);
    /// The number of slots, used or free.
    int capacity() const;
    /// Whether the slot holds a body; a number beyond them does not.
    bool isUsed(int body) const;

    /// The reduced coordinates q, r x 1, m sqrt(kg). Writing them must be followed by resetAcceleration().
    VectorView q(int body);
    /// The reduced velocities q', r x 1, m sqrt(kg)/s. Writing them must be followed by resetAcceleration().
    VectorView velocity(int body);
    /// The reduced accelerations q'', r x 1, m sqrt(kg)/s^2.
    VectorView acceleration(int body);
    /// The reduced coordinates q, r x 1, m sqrt(kg).
    ConstVectorView q(int body) const;
    /// The reduced velocities q', r x 1, m sqrt(kg)/s.
    ConstVectorView velocity(int body) const;
    /// The reduced accelerations q'', r x 1, m sqrt(kg)/s^2.
    ConstVectorView acceleration(int body) const;
    /// Sets q'' from the equation of motion at the present state without external force; the body forgets the steps
    /// before.
    void resetAcceleration(int body);

    /// Sets the rigid motion that the next step of the body feels.
    void setFrame(int body, const FrameMotion& frame);
    /// The rigid motion that setFrame() has set.
    const FrameMotion& frame(int body) const;
    /// Adds a reduced force that acts in the next step only.
    /// @param reducedForce r x 1, N / sqrt(kg)
    void addForce(int body, const double* reducedForce);
    /// Adds the reduced force U_s' F of a force F (body frame, N) at a material point, for the next step only.
    void addForceAt(int body, const MaterialPoint& point, const Vector3& force);
    /// Adds a force of the coming step alone, the same from its beginning to its end: impulses that the solver starts
    /// from, divided by h. Unlike addForce() it leaves no trace in q''.
    /// @param reducedForce r x 1, N / sqrt(kg)
    void addContactForce(int body, const double* reducedForce);
    /// Says that impulses of a solver, of contacts or joints, may act on the body at the end of the coming step.
    /// Integrator::Analytic takes that step by the trapezoid rule, which is theirs; the others ask nothing.
    void expectImpulses(int body);
    /// Changes q' by an impulse P outside of a step, q' += U_s' P, with the implicit response Y of the last step where
    /// there is one (a bare jump comes back inverted from a (1/4, 1/2) step at omega h >> 1).
    /// @param point material point
    /// @param impulse P, body frame, N s
    void addImpulseAt(int body, const MaterialPoint& point, const Vector3& impulse);

    /// Advances the listed bodies by h seconds without constraints.
    /// @param h s
    /// @param bodies ascending slots
    /// @param workers threads that take part
    void step(double h, const std::vector<int>& bodies, const Workers& workers);
    /// What became of the last step of the body.
    BodyStatus status(int body) const;
    /// The number of bodies that have evaluated K(q) in the last step (BatchSettings::tangentTolerance).
    int evaluations() const;

    /// Where q will be after a step of h seconds if nothing touches, by the tangent of the last step: what a linear
    /// body does where h is that step's, without rotation (else, and before the first step, an estimate). A point that
    /// a stiff mode swings through a whole period in a step does not come where its velocity points.
    /// @param h s
    /// @param q r x 1, written
    void predict(int body, double h, double* q) const;
    /// No less than the norm of what predict() changes q by, without its solve; infinite where K was not positive
    /// definite.
    double predictedChangeBound(int body, double h) const;

    /// Velocity change per impulse with angular part `angular` and modal part `modal` = U_s' d: solves [[I(q), H], [H',
    /// Y^-1]] (dW, dq') = (angular, modal) [HSO03; S]. Needs a preceding step. Coupling::Full: as written, I and H at
    /// the end of the step. Inertia: H = 0. None: H = 0 and the rest inertia. Anchored bodies: the frame is fixed,
    /// deltaAngular = 0 and dq' = Y modal.
    /// @param angular body frame, the arm crossed with the direction d of the impulse, m
    /// @param modal r x 1
    /// @param deltaAngular dW, body frame, written
    /// @param deltaVelocity dq', r x 1, written
    void response(int body, const Vector3& angular, const double* modal, Vector3& deltaAngular,
                  double* deltaVelocity) const;
    /// Whether the body has made a step that response() can answer by.
    bool hasResponse(int body) const;
    /// The same for `count` right-hand sides at once, which is several times faster than one by one. Input and output
    /// may be the same memory.
    /// @param count right-hand sides
    /// @param angular 3 x count, column-major
    /// @param modal r x count, column-major
    /// @param deltaAngular 3 x count, column-major, written
    /// @param deltaVelocity r x count, column-major, written
    void responses(int body, int count, const double* angular, const double* modal, double* deltaAngular,
                   double* deltaVelocity) const;
    /// Whether the response of the deformation is U^-1 U'^-1 and leaves the frame alone (no Coupling::Full that turns
    /// it, gamma = 1/2, S = U'U definite): then a Jacobian J may be kept as J U^-1, one vector for Jacobian and
    /// response. Needs a preceding step, and holds until the next.
    bool whitens(int body) const;
    /// U'^-1 modal, whose scalar products are those of the responses: (U'^-1 a).(U'^-1 b) = a.(response to b).
    /// @param count columns
    /// @param modal r x count, column-major, 1/sqrt(kg)
    /// @param whitened r x count, column-major, written; may be the same memory
    void whiten(int body, int count, const double* modal, double* whitened) const;
    /// Adds what a sum x of whitened impulses makes, as addVelocity() does: q' += U^-1 x.
    /// @param sum x, r x 1
    void addWhitenedVelocity(int body, const double* sum);
    /// Response of the frame to a torque in the body frame, where the deformation leaves it alone: I(q)^-1 at the end
    /// of the step, 1/(kg m^2).
    Matrix3 frameResponse(int body) const;
    /// Applies what the constraint solver found, a sum of responses: q' += dv, q += (h / 2) Y P with the modal impulse
    /// P that belongs to dv (for (1/4, 1/2) this is (h / 2) dv), q'' without the contact force, so that it does not
    /// come back.
    /// @param deltaVelocity dv, r x 1
    /// @param deltaAngular dW of the same responses, body frame, rad/s: for the account of energy, fully coupled only
    void addVelocity(int body, const double* deltaVelocity, const Vector3& deltaAngular = Vector3::Zero());
    /// To be called when all contacts of the step are in: after hard ones, energy that a linear response made of
    /// nothing is taken back (BatchSettings::energyGuard).
    /// @param W angular velocity after the contacts, body frame at the start of the step, rad/s; it may change, with
    /// the angular momentum as it is
    void settleEnergy(int body, const Vector3& W);
    /// What settleEnergy() will ask of these bodies, of many at once: sooner done, with the same result. To be called
    /// after the last addVelocity() of the step, for any of the bodies, or not at all.
    /// @param bodies each once
    void prepareToSettle(const std::vector<int>& bodies, const Workers& workers);
    /// Whether contacts have been so hard in this step that settleEnergy() does anything.
    bool wasStruck(int body) const;
    /// Puts a body to rest at a given q, where the constraint solver has found no numbers, or more energy than there
    /// can be; status() says RestoredLastState until the next step.
    /// @param q r x 1, the last good one
    void putBack(int body, const double* q);
    /// Velocity q' at the start of the last step (after the first half of the gyroscopic rotation), r x 1: u_0 of
    /// contact constraints.
    ConstVectorView startVelocity(int body) const;
    /// Coordinates q that go with startVelocity(), r x 1: at the start of the step; of Integrator::Analytic, where it
    /// did not expectImpulses(), both are those of the trapezoid step that would have led to the same end.
    ConstVectorView startPosition(int body) const;

    /// Inertia tensor I(q) of the deformed body about the frame's origin, body frame, kg m^2; with coupling Full of a
    /// body that is bent far enough for its modes to carry nearly all of it about an axis, as a rod's about its own
    /// line, more about that axis (docs/internals/slender-bodies.md). All energies and momenta here are with that.
    Matrix3 inertia(int body) const;
    /// Angular momentum of the deformation, h = sum_j H_j q'_j, body frame, kg m^2/s.
    Vector3 modalAngularMomentum(int body) const;
    /// Angular momentum I(q) W + h, body frame, kg m^2/s.
    /// @param W angular velocity, body frame, rad/s
    Vector3 angularMomentum(int body, const Vector3& W) const;
    /// Angular velocity I(q)^-1 (momentum - h), body frame, rad/s.
    /// @param momentum body frame, kg m^2/s
    Vector3 angularVelocity(int body, const Vector3& momentum) const;
    /// Angular velocity that turns the frame through the last step: implicit midpoint between its start and now. With A
    /// <- A exp(h W) the energy of a free body stays bounded; turning with W of the start alone gains energy.
    /// @param momentum A' L with the A of the step's start, kg m^2/s
    Vector3 meanAngularVelocity(int body, const Vector3& momentum) const;

    /// Strain energy E(q), J.
    double strainEnergy(int body) const;
    /// The same at the start of the last step, J, where BatchSettings::energyGuard keeps account of it; else at its
    /// end.
    double startStrainEnergy(int body) const;
    /// Strain energies of many bodies, several times faster than one by one; sums run in another order.
    /// @param bodies slots
    /// @param energies J, one for every listed slot, written
    /// @param workers threads that take part
    void strainEnergies(const std::vector<int>& bodies, double* energies, const Workers& workers) const;
    /// Kinetic energy of frame and deformation together, J.
    /// @param linearVelocity body frame, m/s
    /// @param W angular velocity, body frame, rad/s
    double kineticEnergy(int body, const Vector3& linearVelocity, const Vector3& W) const;
    /// Linear momentum m v + D q' + W x (D q), body frame, kg m/s.
    /// @param linearVelocity v, body frame, m/s
    /// @param W angular velocity, body frame, rad/s
    Vector3 linearMomentum(int body, const Vector3& linearVelocity, const Vector3& W) const;
    /// Energy of each eigenvector e_i of the rest stiffness, softest first: ((e_i.q')^2 + omega_i^2 (e_i.q)^2) / 2.
    /// Their sum is the energy of the deformation as far as that is linear.
    /// @param energies r x 1, J, written
    void modalEnergies(int body, double* energies) const;
    /// Angular frequencies omega_i of the eigenvectors of the rest stiffness, rad/s, r x 1, softest first.
    const VectorX& modalFrequencies() const;

    /// Saves what a body's further steps depend on, its frame and pending forces included; settings are not part of it.
    /// With the same settings the run goes on with the same bits.
    /// @param blob replaced, of no body by nothing; its memory is used again
    void saveState(int body, std::vector<std::byte>& blob) const;
    /// Restores what saveState() has saved, all or nothing.
    /// @return Ok, or why the body is as it was: OtherWorld where there is none
    StateStatus restoreState(int body, const std::byte* blob, std::size_t size);
    /// What restoreState() would say; touches nothing.
    StateStatus checkState(int body, const std::byte* blob, std::size_t size) const;

    /// Displacement U_s q of a material point, body frame, m.
    Vector3 displacement(int body, const MaterialPoint& point) const;
    /// Velocity U_s q' of a material point in the body frame, m/s.
    Vector3 deformationVelocity(int body, const MaterialPoint& point) const;

private:
    struct PLIANT_HIDDEN Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant
