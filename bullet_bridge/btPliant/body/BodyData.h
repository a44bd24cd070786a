// SPDX-License-Identifier: Zlib
// Internal: what a btPliantBody keeps beside its btRigidBody.
#pragma once

#include <LinearMath/btMotionState.h>

#include <memory>
#include <optional>
#include <vector>

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantShape.h"
#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/SelfContacts.h"
#include "pliant/math/CacheAligned.h"

namespace btPliantInternal {

struct PairState;

/// Everything that bodies of one model and the same settings share.
struct BatchGroup {
    std::shared_ptr<const pliant::ReducedModel> model;
    std::shared_ptr<const pliant::CollisionModel> collision;
    std::shared_ptr<const pliant::PointLocator> locator;
    std::shared_ptr<const pliant::RestNeighbours> neighbours;  ///< made when a body wants self-contact
    std::unique_ptr<pliant::BodyBatch> batch;
    int bodies = 0;
    std::vector<int> stepping;    ///< slots of the step that is being made, ascending
    std::vector<int> stretching;  ///< slots whose strain energy is asked for
    std::vector<double> strains;  ///< J, of `stretching`
};

/// A force that applyForceAt left for the next stepSimulation; world frame, N.
struct PointForce {
    pliant::MaterialPoint point;
    btVector3 force;
    bool consumed = false;  ///< a substep has used it
};

/// Impulse of a contact in the last substep that a body starts the next one with.
struct ContactForce {
    btVector3 impulse = btVector3(0, 0, 0);  ///< N s, on the body
    btPliantBody* body = nullptr;
    int segment = -1, part = 0;  ///< as in the manifold point
    int next = -1;               ///< of the same body, -1: none
};

/// Bullet asks and tells motion states in the body frame; the user's speaks in the mesh's. It also marks where one
/// stepSimulation ends and the next begins, which is when Bullet drops its forces.
class MeshMotionState : public btMotionState, public pliant::CacheAligned {
public:
    MeshMotionState(btPliantBody::Data& data, btMotionState* user) : m_data(data), m_user(user) {}
    void getWorldTransform(btTransform& worldFromBody) const override;
    void setWorldTransform(const btTransform& worldFromBody) override;

private:
    btPliantBody::Data& m_data;
    btMotionState* m_user;
};

}  // namespace btPliantInternal

struct btPliantBody::Data : pliant::CacheAligned {
    btPliantSystem* system = nullptr;
    btPliantBody* body = nullptr;
    btPliantInternal::BatchGroup* group = nullptr;
    int slot = -1;
    int softIndex = -1;  ///< in the solver group that is being solved
    // What passes over all bodies ask first, side by side.
    bool frameIsFree = true;          ///< false: anchored or kinematic, the frame is the user's
    bool stepped = false;             ///< in the substep that is under way
    bool asleep = false;              ///< q' has been zeroed for sleeping
    bool takesContactForces = false;  ///< is about to step
    bool collisionIsStale = true;     ///< `deformed` is behind q
    bool needsBoxes = false;          ///< a pair is about to descend into `deformed`
    bool needsSight = false;          ///< the same, and to ask where it goes
    int neededBalls = 0;              ///< of `deformed`, that pairs are about to look at, some several times
    int firstContactForce = -1, lastContactForce = -1;      ///< in btPliantSystem::Data::contactForces
    std::shared_ptr<const pliant::ReducedModel> fullModel;  ///< of the group where the body has all coordinates
    int detail = 0;                                         ///< coordinates it shall have
    double easing = 0;                                      ///< s, since those beyond `detail` have begun to fade
    pliant::VectorX shownQ, shownVelocity;                  ///< q and q' of fullModel, zeros behind; when asked for
    int number = 0;                                         ///< in order of creation, never used again
    btTransform meshFromBody = btTransform::getIdentity();
    btTransform bodyFromMesh = btTransform::getIdentity();
    std::unique_ptr<btPliantShape> shape;
    std::unique_ptr<btPliantInternal::MeshMotionState> motionState;
    double largestRadius = 0;  ///< of the skeleton's balls, metres

    // Collision's view.
    std::optional<pliant::DeformedBody> deformed;
    btTransform deformedAt = btTransform::getIdentity();
    double travelBefore = 0;      ///< DeformedBody::motionBound() at the end of the last substep
    double swungBefore = 0;       ///< DeformedBody::swung() then
    double substepSwing = 0;      ///< of the last substep, m
    double substepTravel = 1e30;  ///< of the last substep, m; at first as if anything had happened
    unsigned sightOf = 0;         ///< the substep that it has last looked ahead in

    std::shared_ptr<btPliantInternal::PairState> self;  ///< contacts with itself, where it has them
    std::shared_ptr<const pliant::RestNeighbours> neighbours;

    // The substep.
    pliant::VectorX previousQ;  ///< r, at the start of the last substep
    btVector3 startLinearVelocity = btVector3(0, 0, 0);
    btVector3 startAngularVelocity = btVector3(0, 0, 0);
    btVector3 lastLinearVelocity = btVector3(0, 0, 0);  ///< of the frame, for the acceleration of driven frames
    double stepLength = 0;                              ///< of the last substep, s
    pliant::VectorX contactForce;                       ///< r, of the last substep's contacts, in this step
    pliant::VectorX contactModal;                       ///< r, of one contact
    std::vector<btPliantInternal::PointForce> forces;

    pliant::VectorX strainOf;  ///< q that `strain` belongs to
    double strain = 0;         ///< J
    int strainPlace = -1;      ///< in BatchGroup::strains, while they are collected

    // World-frame angular momentum about the centre of mass, kg m^2/s, and the Bullet state it belongs to.
    pliant::Vector3 momentum = pliant::Vector3::Zero();
    btVector3 momentumVelocity = btVector3(0, 0, 0);
    btMatrix3x3 momentumBasis = btMatrix3x3::getIdentity();
    bool momentumIsKnown = false;
    bool hasStockRows = false;                              ///< of Bullet's joints, in this group
    pliant::Vector3 solvedTurn = pliant::Vector3::Zero();   ///< change of omega by our rows in this group, rad/s
    pliant::Vector3 coupledTurn = pliant::Vector3::Zero();  ///< the part of it that came with a change of q', rad/s

    pliant::BodyBatch& batch() { return *group->batch; }
    const pliant::BodyBatch& batch() const { return *group->batch; }
    const pliant::ReducedModel& model() const { return *group->model; }  ///< with the coordinates that move now

    // I(q)^-1 and h of the present q and q', body frame; what `momentum` becomes a velocity with.
    pliant::Matrix3 inverseInertia = pliant::Matrix3::Identity();
    pliant::Vector3 modalMomentum = pliant::Vector3::Zero();

    /// Evaluates `inverseInertia` and `modalMomentum`.
    void refreshInertia();
    /// Makes `momentum` agree with the body's present velocity, unless it already belongs to it.
    void refreshMomentum();
    /// Sets Bullet's angular velocity from `momentum` at the present frame; after refreshInertia().
    void velocityFromMomentum();
    /// Sets the angular velocity that turns the frame through the middle of the step: Bullet turns with a constant one,
    /// and that at the step's start would raise the energy of a tumbling body step by step.
    void midstepVelocityFromMomentum(double h);
    /// What hard contacts have made of the deformation's energy, BodyBatch::settleEnergy.
    void settleEnergy();
    /// Whether `deformed` is behind q or the world transform.
    bool collisionIsBehind() const;
    /// At the end of a substep, `deformed` up to date.
    void noteSubstepMotion();
    /// What `deformed` has to become, and that it is on its way there.
    pliant::DeformedBody::NewState takeCollisionState();
    /// Brings `deformed` up to date with q and the world transform, inner boxes left out (DeformedBody::refit).
    void syncCollision();
    /// Where `deformed`, up to date, will be at the end of a step if nothing touches.
    void predictMotion(double step);
    /// Takes the body's state along to another batch: other settings, or a prefix of the coordinates.
    void moveTo(btPliantInternal::BatchGroup& target);
    void setSettings(const pliant::BatchSettings& settings);
    /// Lets the coordinates beyond `detail` fade, and moves the body to its smaller batch when they have.
    void easeDetail(double h);
    /// Whether `strain` belongs to the present q, which it goes on doing for what sleeps.
    bool strainIsKnown() const;
    /// J, of the deformation and the rotation that belongs to `momentum`.
    double innerEnergy() const;
    /// Takes q' and then q back until innerEnergy() is no more than `allowed`.
    void limitEnergy(double allowed);
    /// q was changed from outside: accelerations, bounds and momentum follow, and the body wakes.
    void stateWasSet();
};
