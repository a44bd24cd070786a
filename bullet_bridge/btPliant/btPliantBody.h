// SPDX-License-Identifier: Zlib
/// @file
/// A reduced deformable body as a btRigidBody: Bullet moves its frame, the reduced coordinates q bend it.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantPrecision.h"
#include "pliant/math/Api.h"
#include "pliant/model/EditMaterial.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/BodyBatch.h"

namespace btPliantInternal {
struct Access;
}  // namespace btPliantInternal

class btPliantShape;
class btPliantSystem;

/// What a body is made with, in SI units and world coordinates.
struct btPliantBodyInfo {
    btTransform m_meshTransform = btTransform::getIdentity();  ///< World from mesh frame.
    btVector3 m_linearVelocity = btVector3(0, 0, 0);           ///< Velocity of the centre of mass, m/s.
    btVector3 m_angularVelocity = btVector3(0, 0, 0);          ///< Angular velocity of the frame, rad/s.
    btScalar m_friction = btScalar(0.5);  ///< Bullet's coefficient of friction; a pair has the product of both.
    /// Bullet's restitution: the share of the approaching speed that a stiff body leaves with, all in all. The bounce
    /// of softer ones comes from q alone.
    btScalar m_restitution = btScalar(0);
    btScalar m_rollingFriction = btScalar(0);   ///< Bullet's rolling friction, m.
    btScalar m_spinningFriction = btScalar(0);  ///< Bullet's spinning friction, m.
    btScalar m_linearDamping = btScalar(0);     ///< Bullet's damping of the frame's linear velocity, share in 1 s.
    /// Bullet's damping of the frame's angular velocity, share in 1 s.
    btScalar m_angularDamping = btScalar(0);
    /// Damping of the deformation q: none, as m_linearDamping and all of Bullet's. Scenes that state none take
    /// pliant::defaultDamping() of the model and their step, which is the choice for most bodies.
    pliant::DampingSettings m_damping;
    pliant::NewmarkSettings m_newmark;  ///< Coefficients and Newton iterations of the implicit step of q.
    pliant::Integrator m_integrator = pliant::Integrator::Newmark;  ///< How q moves through a step.
    pliant::Coupling m_coupling = pliant::Coupling::Full;           ///< How rotation and deformation feel each other.
    /// The frame is moved by the user (setMeshTransform or m_motionState) while q stays dynamic. Always so for anchored
    /// models.
    bool m_kinematic = false;
    /// Capsule segments of the body touch each other where a deformation brings them together; those that are close at
    /// rest do not.
    bool m_selfContact = false;
    /// Transforms of the mesh frame; not owned, may be null. It is asked once at creation (in place of
    /// m_meshTransform), by Bullet in each step for kinematic bodies, and told the interpolated transform of dynamic
    /// ones.
    btMotionState* m_motionState = nullptr;
};

/// A reduced deformable body, made and owned by a btPliantSystem.
///
/// Two frames, as in pliant::ReducedModel: the user's mesh frame, and the body frame (centre of mass, principal axes)
/// that is Bullet's world transform. Everything here that takes or gives a point or a transform of the material speaks
/// in the *mesh* frame; getWorldTransform() and getCenterOfMassTransform() stay Bullet's body frame.
///
/// applyForce, applyCentralForce, applyImpulse and the like of btRigidBody are not virtual and push the frame alone. A
/// force that shall bend the body goes through applyForceAt() or applyImpulseAt().
class PLIANT_API btPliantBody : public btRigidBody {
public:
    /// Called by btPliantSystem::destroyBody() and by the system's destructor. Deleting a body directly does what
    /// destroyBody() does.
    ~btPliantBody() override;
    btPliantBody(const btPliantBody&) = delete;
    btPliantBody& operator=(const btPliantBody&) = delete;

    /// The object as a reduced body, or null where it is none.
    static btPliantBody* upcast(btCollisionObject* object);
    /// The object as a reduced body, or null where it is none.
    static const btPliantBody* upcast(const btCollisionObject* object);

    /// The system that has made the body and owns it.
    btPliantSystem& getSystem() const;
    /// The model that the body was made of, with all of its coordinates whatever the level of detail is.
    const pliant::ReducedModel& getModel() const;
    /// The same model as getModel(), for those that keep it, such as the picture of the body.
    std::shared_ptr<const pliant::ReducedModel> getSharedModel() const;
    /// The collision shape of this body alone.
    const btPliantShape& getPliantShape() const;
    /// The batch that holds the state of this body; settings, level of detail and restoreState() may change it.
    const pliant::BodyBatch& getBatch() const;
    /// The slot of this body in getBatch(), which changes with it.
    int getSlot() const;
    /// What became of the last step. RestoredLastState means that q was put back to its last good value at rest.
    pliant::BodyStatus getStatus() const;

    /// World from mesh frame at the end of the last substep; of a character where it was put (btPliantCharacter).
    btTransform getMeshTransform() const;
    /// Teleports the body (or moves it, when kinematic); velocities and q stay. Nothing changes where a number is not
    /// finite or farther than 1e15 m from the origin, or the transform scales or mirrors, and the system's status says
    /// so. (What cannot be and comes in through Bullet, by setWorldTransform() or setLinearVelocity() for instance, has
    /// the next substep put the body back to its last place at rest: getStatus().)
    void setMeshTransform(const btTransform& worldFromMesh);
    /// World from mesh frame where the picture is: between or ahead of substeps, as Bullet's motion states get it.
    btTransform getInterpolatedMeshTransform() const;
    /// The q of the picture: between the last two substeps by the same fraction as getInterpolatedMeshTransform().
    /// @param q r x 1, written
    void getInterpolatedReducedCoordinates(pliant::VectorX& q) const;

    /// The reduced coordinates q, r x 1, m sqrt(kg); zero beyond the level of detail. The view is valid until the next
    /// call that changes the body or its world; at a lower level of detail, until the next call of this kind, so that
    /// two threads may not ask at once.
    pliant::ConstVectorView getReducedCoordinates() const;
    /// The reduced velocities q', r x 1, m sqrt(kg)/s; valid as getReducedCoordinates().
    pliant::ConstVectorView getReducedVelocities() const;
    /// Sets q (r x 1) and wakes the body. Nothing changes where a number is not finite, or where there are fewer than
    /// getDetail(), and the system's getStatus() says so; those beyond it are left out.
    void setReducedCoordinates(const pliant::VectorX& q);
    /// Sets q' (r x 1) and wakes the body. Nothing changes where setReducedCoordinates() would change nothing.
    void setReducedVelocities(const pliant::VectorX& velocity);

    /// A constant force on a material point during the next stepSimulation, as applyForce() of Bullet: it acts on the
    /// frame with the deformed arm, and on q. After a force that is not finite the body is put back (getStatus()).
    /// @param restPoint the point at rest, mesh frame, m; where it is not finite nothing happens, and the system's
    /// status says so
    /// @param force world frame, N
    void applyForceAt(const btVector3& restPoint, const btVector3& force);
    /// An impulse on a material point, now: it changes linear velocity, angular velocity and q' together. Nothing
    /// happens where a number is not finite, and the system's status says so.
    /// @param restPoint the point at rest, mesh frame, m
    /// @param impulse world frame, N s
    void applyImpulseAt(const btVector3& restPoint, const btVector3& impulse);
    /// The simulation element that holds a point at rest (mesh frame, m), and its weights; to be kept for points in
    /// frequent use. A point that is not finite counts as the origin.
    pliant::MaterialPoint locate(const btVector3& restPoint) const;
    /// The same as the other applyForceAt(), for a point that locate() has found.
    void applyForceAt(const pliant::MaterialPoint& point, const btVector3& force);
    /// The same as the other applyImpulseAt(), for a point that locate() has found.
    void applyImpulseAt(const pliant::MaterialPoint& point, const btVector3& impulse);

    /// The point at rest (mesh frame, m) of a point on a triangle of the deformed surface: where a ray has hit.
    /// @param triangle the m_triangleIndex of Bullet's LocalShapeInfo; of none the point is carried back rigidly
    /// @param worldPoint the hit, world frame, m
    btVector3 getRestPoint(int triangle, const btVector3& worldPoint) const;

    /// Where the material point with this rest position (mesh frame, m) is now; world frame, m.
    btVector3 getPointPosition(const btVector3& restPoint) const;
    /// Velocity of the material point with this rest position (mesh frame, m), deformation included; world frame, m/s.
    btVector3 getPointVelocity(const btVector3& restPoint) const;
    /// Where a point that locate() has found is now; world frame, m.
    btVector3 getPointPosition(const pliant::MaterialPoint& point) const;
    /// Velocity of a point that locate() has found; world frame, m/s.
    btVector3 getPointVelocity(const pliant::MaterialPoint& point) const;

    /// Strain energy E(q), J.
    double getStrainEnergy() const;
    /// Kinetic energy of translation, rotation and deformation together, J; of a character that of its deformation,
    /// of a ragdoll that of limbs and flesh.
    double getKineticEnergy() const;
    /// Linear momentum, world frame, kg m/s; of anchored bodies with what their q carries.
    btVector3 getLinearMomentum() const;
    /// Energy of each eigenvector of the rest stiffness, J, softest first (pliant::BodyBatch::modalEnergies()).
    /// @param energies n x 1, written: as many as coordinates move, r but for a lower level of detail (getDetail())
    void getModalEnergies(pliant::VectorX& energies) const;
    /// Angular frequencies of the eigenvectors of the rest stiffness, rad/s, as many as, and in the order of,
    /// getModalEnergies().
    const pliant::VectorX& getModalFrequencies() const;
    /// Angular momentum about the centre of mass (of a ragdoll that of its limbs), world frame, kg m^2/s. It is carried
    /// exactly from step to step.
    btVector3 getAngularMomentum() const;
    /// Whether some vertices of the model are held, so that the user moves the frame.
    bool isAnchored() const;

    /// The settings of the deformation. They may change between any two stepSimulations; the motion goes on.
    const pliant::BatchSettings& getSettings() const;
    using btRigidBody::setDamping;  ///< Bullet's own damping, of the frame.
    /// Sets the Rayleigh damping of the deformation from the next step on. Nothing changes where a number is negative
    /// or none, and the system's getStatus() says so.
    void setDamping(const pliant::DampingSettings& damping);
    /// Gives materials of the body other stiffness from the next step on; q, q' and contacts go on. Bodies of one model
    /// and the same edits share what is made, which takes about as long as loading the model.
    /// @param edits of the model that the body was made of, all that shall hold; without density, which would change
    /// the coordinates. None: the model's own materials again
    /// @return empty, or why nothing was changed
    std::string setMaterial(const std::vector<pliant::MaterialEdit>& edits);
    /// Sets coefficients and Newton iterations of the implicit step from the next step on. Nothing changes where gamma
    /// is below 1/2, or a number none, and the system's getStatus() says so.
    void setNewmark(const pliant::NewmarkSettings& newmark);
    /// Sets the coupling from the next step on; one that there is not changes nothing, and the system's status says so.
    void setCoupling(pliant::Coupling coupling);
    /// Sets how q moves from the next step on; one that there is not changes nothing, and the system's status says so.
    void setIntegrator(pliant::Integrator integrator);

    /// Level of detail: the first coordinates of the model's alone (mass-PCA order: a prefix of the basis is a basis
    /// too). Fewer: what is beyond fades within 0.3 s of simulated time, without a gain of energy, and costs nothing
    /// from then on. More: at once, from zero.
    /// @param coordinates 1 to r; others are cut to that
    void setDetail(int coordinates);
    /// The level of detail that was asked for; the model's r by default.
    int getDetail() const;

    /// Switches contact of the body with itself (btPliantBodyInfo::m_selfContact).
    void setSelfContact(bool on);
    /// Whether segments of the body may touch each other.
    bool getSelfContact() const;

    /// Saves the body's own state: deformation, frame, velocities, activation. Contacts are the world's
    /// (btPliantSystem::saveState()).
    /// @param blob replaced; its memory is used again
    void saveState(std::vector<std::byte>& blob) const;
    /// Restores what saveState() has saved, its level of detail too, all or nothing; wakes the body where the saved one
    /// was awake.
    /// @return Ok, or why nothing was changed
    pliant::StateStatus restoreState(const std::byte* blob, std::size_t size);

    /// Memory beside everything else that belongs to the body (not from Bullet's allocator).
    static void* operator new(std::size_t bytes);
    /// Gives back the memory of operator new.
    static void operator delete(void* from, std::size_t bytes);

protected:
    /// By what share of the last substep what is drawn is ahead of its end (behind: below 0), -1 to 1.
    double getInterpolationFraction() const;

private:
    friend struct btPliantInternal::Access;
    struct PLIANT_HIDDEN Data;
    Data& data() { return *m_data; }
    const Data& data() const { return *m_data; }
    friend class btPliantSystem;
    friend class btPliantCharacter;
    btPliantBody(const btRigidBodyConstructionInfo& info, std::unique_ptr<Data> data);
    std::unique_ptr<Data> m_data;
};
