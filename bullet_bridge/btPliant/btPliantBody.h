// SPDX-License-Identifier: Zlib
// A reduced deformable body as a btRigidBody: Bullet moves its frame, the reduced coordinates q bend it.
//
// Two frames, as in pliant::ReducedModel: the user's mesh frame and the body frame (centre of mass, principal axes)
// that is Bullet's world transform. Everything here that takes or gives a point or a transform of the material speaks
// in the* mesh's* frame; getWorldTransform() / getCenterOfMassTransform() stay Bullet's body frame.
//
// applyForce, applyCentralForce, applyImpulse, ... of btRigidBody are not virtual and push the frame alone. A force
// that shall bend the body goes through applyForceAt / applyImpulseAt.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <memory>

#include "btPliant/btPliantPrecision.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/BodyBatch.h"

class btPliantShape;
class btPliantSystem;

/// What a body is made with; units SI, world frame.
struct btPliantBodyInfo {
    btTransform m_meshTransform = btTransform::getIdentity();  ///< world from mesh frame
    btVector3 m_linearVelocity = btVector3(0, 0, 0);           ///< m/s, of the centre of mass
    btVector3 m_angularVelocity = btVector3(0, 0, 0);          ///< rad/s
    btScalar m_friction = btScalar(0.5);
    btScalar m_restitution = btScalar(0);  ///< beside the elastic bounce, which comes from q
    btScalar m_rollingFriction = btScalar(0);
    btScalar m_spinningFriction = btScalar(0);
    btScalar m_linearDamping = btScalar(0);   ///< Bullet's, of the frame
    btScalar m_angularDamping = btScalar(0);  ///< Bullet's, of the frame
    pliant::DampingSettings m_damping;        ///< of q
    pliant::NewmarkSettings m_newmark;
    pliant::Integrator m_integrator = pliant::Integrator::Newmark;
    pliant::Coupling m_coupling = pliant::Coupling::Full;
    /// The frame is moved by the user (setMeshTransform or m_motionState), q stays dynamic. Always so for anchored
    /// models.
    bool m_kinematic = false;
    /// Segments of the body touch each other where a deformation brings them together; those close at rest do not
    /// (pliant::RestNeighbours).
    bool m_selfContact = false;
    /// In the mesh's frame; not owned; asked once at creation (in place of m_meshTransform), by Bullet each step for
    /// kinematic bodies, and told the interpolated transform of dynamic ones.
    btMotionState* m_motionState = nullptr;
};

class btPliantBody : public btRigidBody {
public:
    ~btPliantBody() override;
    btPliantBody(const btPliantBody&) = delete;
    btPliantBody& operator=(const btPliantBody&) = delete;

    /// The object as ours, or null.
    static btPliantBody* upcast(btCollisionObject* object);
    static const btPliantBody* upcast(const btCollisionObject* object);

    btPliantSystem& getSystem() const;
    const pliant::ReducedModel& getModel() const;  ///< what the body was made of, whatever its level of detail
    std::shared_ptr<const pliant::ReducedModel> getSharedModel() const;
    const btPliantShape& getPliantShape() const;
    /// The batch that holds this body's state, and the body's slot in it; both change with settings and level of
    /// detail.
    const pliant::BodyBatch& getBatch() const;
    int getSlot() const;
    /// Of the last step; RestoredLastState means that q was put back to its last good value at rest.
    pliant::BodyStatus getStatus() const;

    btTransform getMeshTransform() const;  ///< world from mesh, at the end of the last substep
    /// Teleports the body (or moves it, when kinematic); velocities and q stay.
    void setMeshTransform(const btTransform& worldFromMesh);
    /// world from mesh where the picture is, between or ahead of substeps, as Bullet's motion states get it.
    btTransform getInterpolatedMeshTransform() const;
    /// q where the picture is, r x 1: between the last two substeps by the same fraction as the transform.
    void getInterpolatedReducedCoordinates(pliant::VectorX& q) const;

    pliant::ConstVectorView getReducedCoordinates() const;  ///< q, r x 1
    pliant::ConstVectorView getReducedVelocities() const;   ///< q', r x 1
    /// r x 1 each; wake the body. Numbers that are not finite are not taken: nothing changes then.
    void setReducedCoordinates(const pliant::VectorX& q);
    void setReducedVelocities(const pliant::VectorX& velocity);

    /// Constant force (world frame, N) on the material point at rest position `restPoint` (mesh frame) during the next
    /// stepSimulation, as applyForce of Bullet: acts on the frame with the deformed arm, and on q.
    void applyForceAt(const btVector3& restPoint, const btVector3& force);
    /// Impulse (world frame, N s) on a material point, now: changes linear and angular velocity and q' together.
    void applyImpulseAt(const btVector3& restPoint, const btVector3& impulse);
    /// The simulation element that holds a rest point (mesh frame) and its weights; cache it for points in frequent
    /// use.
    pliant::MaterialPoint locate(const btVector3& restPoint) const;
    void applyForceAt(const pliant::MaterialPoint& point, const btVector3& force);
    void applyImpulseAt(const pliant::MaterialPoint& point, const btVector3& impulse);

    /// The rest point (mesh frame) of a point on a triangle of the deformed surface: where a ray has hit (`triangle` is
    /// the m_triangleIndex of Bullet's LocalShapeInfo, `worldPoint` the hit).
    btVector3 getRestPoint(int triangle, const btVector3& worldPoint) const;

    btVector3 getPointPosition(const btVector3& restPoint) const;  ///< world, m
    btVector3 getPointVelocity(const btVector3& restPoint) const;  ///< world, m/s
    btVector3 getPointPosition(const pliant::MaterialPoint& point) const;
    btVector3 getPointVelocity(const pliant::MaterialPoint& point) const;

    double getStrainEnergy() const;       ///< J
    double getKineticEnergy() const;      ///< J, frame, rotation and deformation together
    btVector3 getLinearMomentum() const;  ///< world frame, kg m/s; of anchored bodies with what their q carries
    /// Energy of each eigenvector of the rest stiffness, J, softest first, r x 1 (BodyBatch::modalEnergies).
    void getModalEnergies(pliant::VectorX& energies) const;
    const pliant::VectorX& getModalFrequencies() const;  ///< rad/s, in the same order
    btVector3 getAngularMomentum() const;  ///< world frame, about the centre of mass, kg m^2/s; carried exactly
    bool isAnchored() const;

    // Settings of the deformation may change between any two stepSimulations; the motion goes on.
    const pliant::BatchSettings& getSettings() const;
    using btRigidBody::setDamping;  ///< of the frame, Bullet's own
    void setDamping(const pliant::DampingSettings& damping);
    void setNewmark(const pliant::NewmarkSettings& newmark);
    void setCoupling(pliant::Coupling coupling);
    void setIntegrator(pliant::Integrator integrator);

    /// Level of detail: the first `coordinates` of the model's (mass-PCA order: a prefix of the basis is a basis too),
    /// 1 to r. Fewer: what is beyond fades within a few hundredths of a second of simulated time, without a gain of
    /// energy, and costs nothing from then on. More: at once, from zero.
    void setDetail(int coordinates);
    int getDetail() const;  ///< what was asked for; the model's r by default

    void setSelfContact(bool on);  ///< see btPliantBodyInfo
    bool getSelfContact() const;

    // The body's own state: deformation, frame, velocities, activation; contacts are the world's
    // (btPliantSystem::saveState).
    void saveState(std::vector<std::byte>& blob) const;
    /// All or nothing; wakes the body where the saved one was awake.
    pliant::StateStatus restoreState(const std::byte* blob, std::size_t size);

    // Beside everything else that belongs to it (pliant/math/CacheAligned.h), not by Bullet's allocator.
    static void* operator new(std::size_t bytes);
    static void operator delete(void* from, std::size_t bytes);

    struct Data;  ///< internal
    Data& data() { return *m_data; }
    const Data& data() const { return *m_data; }

private:
    friend class btPliantSystem;
    btPliantBody(const btRigidBodyConstructionInfo& info, std::unique_ptr<Data> data);
    std::unique_ptr<Data> m_data;
};
