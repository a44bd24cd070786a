// SPDX-License-Identifier: Zlib
// Internal: what a btPliantBody keeps beside its btRigidBody.
#pragma once

#include <LinearMath/btMotionState.h>

#include <memory>
#include <optional>
#include <vector>

#include "btPliant/btPliantShape.h"
#include "btPliant/data/Access.h"
#include "btPliant/data/CharacterData.h"
#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/SelfContacts.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/touch/DeformedField.h"
#include "pliant/touch/DistributedShell.h"
#include "pliant/touch/SurfaceContacts.h"

namespace btPliantInternal {

struct ContactPair;

/// Everything that bodies of one model and the same settings share.
struct BatchGroup {
    std::shared_ptr<const pliant::ReducedModel> model;
    std::shared_ptr<const pliant::CollisionModel> collision;
    std::shared_ptr<const pliant::SurfaceModel> surface;  ///< of a solid, else null
    std::shared_ptr<const pliant::PointLocator> locator;
    std::shared_ptr<const pliant::RestNeighbours> restNeighbours;  ///< made when a body wants self-contact
    std::unique_ptr<pliant::BodyBatch> batch;
    int bodies = 0;
    std::vector<int> steppingSlots;      ///< slots of the step that is being made, ascending
    std::vector<int> strainedSlots;      ///< slots whose strain energy is asked for
    std::vector<double> strainEnergies;  ///< J, of `strainedSlots`
};

/// A force that applyForceAt left for the next stepSimulation; world frame, N.
struct PointForce {
    pliant::MaterialPoint point;
    btVector3 force;
    bool consumed = false;  ///< a substep has already used it
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
    MeshMotionState(BodyData& data, btMotionState* user) : m_data(data), m_user(user) {}
    void getWorldTransform(btTransform& worldFromBody) const override;
    void setWorldTransform(const btTransform& worldFromBody) override;

private:
    BodyData& m_data;
    btMotionState* m_user;
};

}  // namespace btPliantInternal

/// Whoever changes a body beside these methods is a stage of the substep (step/Substep.h) or one of the user's calls.
struct btPliantBody::Data : pliant::CacheAligned {
    btPliantSystem* system = nullptr;
    btPliantBody* body = nullptr;
    btPliantInternal::BatchGroup* group = nullptr;
    int slot = -1;
    int reducedIndex = -1;  ///< in the solver group that is being solved
    // What passes over all bodies ask first, side by side.
    bool frameIsFree = true;            ///< false: anchored or kinematic, the frame is the user's
    bool hasStepped = false;            ///< in the substep that is under way
    bool isAsleep = false;              ///< q' has been zeroed for sleeping
    bool awaitsContactForces = false;   ///< is about to step
    bool wasPutBack = false;            ///< by step/MotionGuard.h, before the substep that is under way
    bool collisionIsOutdated = true;    ///< `deformed` is behind q
    bool needsBoundingVolumes = false;  ///< a pair is about to descend into those of `deformed`
    bool needsField = false;            ///< a pair is about to ask `field`
    bool needsFieldBounds = false;      ///< points of distributed contact have been held against `field`
    bool needsPrediction = false;       ///< a pair is about to ask where `deformed` goes in the step
    bool needsSpheres = false;          ///< all of those of `deformed`
    int neededSpheres = 0;              ///< of `deformed`, that pairs are about to look at, some several times
    int firstContactForce = -1, lastContactForce = -1;          ///< in btPliantSystem::Data::contactForces
    std::shared_ptr<const pliant::ReducedModel> fullModel;      ///< of the group where the body has all coordinates
    std::shared_ptr<const pliant::ReducedModel> originalModel;  ///< that the body was made of
    int detail = 0;                                             ///< coordinates it shall have
    double fadeElapsed = 0;                                     ///< s, since those beyond `detail` have begun to fade
    pliant::VectorX paddedCoordinates, paddedVelocities;        ///< q and q' of fullModel, zeros behind; when asked for
    int number = 0;                                             ///< in order of creation, never used again
    btTransform meshFromBody = btTransform::getIdentity();
    btTransform bodyFromMesh = btTransform::getIdentity();
    std::unique_ptr<btPliantShape> shape;
    std::unique_ptr<btPliantInternal::MeshMotionState> motionState;
    double largestRadius = 0;  ///< of the skeleton's spheres, metres; of a solid its thickness
    /// Metres that distances between surfaces are measured by: the largest radius, of a solid no more than a share of
    /// the distance between the points of its surface.
    double contactScale = 0;

    std::unique_ptr<btPliantInternal::CharacterData> character;  ///< null: no character
    /// What a ragdoll keeps; null: none, or driven.
    btPliantInternal::RagdollData* ragdoll() const { return character ? character->ragdoll.get() : nullptr; }

    // Collision's view.
    std::optional<pliant::DeformedBody> deformed;
    std::optional<pliant::DeformedField> field;  ///< of a solid
    btTransform deformedTransform = btTransform::getIdentity();
    double travelBefore = 0;                ///< DeformedBody::motionBound() at the end of the last substep
    double relativeMotionBoundBefore = 0;   ///< the deformed body's bound on relative motion then, m
    double substepRelativeMotionBound = 0;  ///< of the last substep, m
    double substepTravel = 1e30;            ///< of the last substep, m; at first as if anything had happened
    unsigned predictedSubstep = 0;          ///< the substep whose motion was predicted last

    std::shared_ptr<btPliantInternal::ContactPair> selfPair;  ///< contacts with itself, where it has them
    std::shared_ptr<const pliant::RestNeighbours> restNeighbours;

    // The substep.
    pliant::VectorX previousQ;  ///< r, at the start of the last substep
    btVector3 startLinearVelocity = btVector3(0, 0, 0);
    btVector3 startAngularVelocity = btVector3(0, 0, 0);
    btVector3 lastLinearVelocity = btVector3(0, 0, 0);  ///< of the frame, for the acceleration of driven frames
    double stepLength = 0;                              ///< of the last substep, s
    pliant::VectorX modalContactForce;                  ///< r, of the last substep's contacts, in this step
    pliant::VectorX contactProjection;                  ///< r, of one contact
    pliant::VectorX loadedVelocity;  ///< r, of the substep's end under the last impulses (step/OneWayStep.h)
    int pairsInContact = 0;          ///< at the end of the last substep, there
    std::vector<btPliantInternal::PointForce> pointForces;

    pliant::VectorX strainCoordinates;  ///< q that `strainEnergy` belongs to
    double strainEnergy = 0;            ///< J
    int strainIndex = -1;               ///< in BatchGroup::strainEnergies, while they are collected

    // Angular momentum about the centre of mass, world frame, kg m^2/s, and the state of Bullet that it belongs to.
    pliant::Vector3 angularMomentum = pliant::Vector3::Zero();
    btVector3 momentumVelocity = btVector3(0, 0, 0);
    btMatrix3x3 momentumBasis = btMatrix3x3::getIdentity();
    bool momentumIsKnown = false;
    bool hasBulletRows = false;                                        ///< of Bullet's joints, in this group
    pliant::Vector3 solvedAngularVelocity = pliant::Vector3::Zero();   ///< of omega by our rows, rad/s
    pliant::Vector3 coupledAngularVelocity = pliant::Vector3::Zero();  ///< the part that came with q', rad/s

    /// Where what rests around a point is: x -> L x + t from the body frame to the world.
    pliant::AffineMap placeOf(const pliant::MaterialPoint& point) const;
    /// What turns its displacement U q from the body frame to the world.
    pliant::Matrix3 turnOf(const pliant::MaterialPoint& point) const;
    /// The same of a body without bones.
    pliant::AffineMap framePlace() const;

    pliant::BodyBatch& batch() { return *group->batch; }
    const pliant::BodyBatch& batch() const { return *group->batch; }
    const pliant::ReducedModel& model() const { return *group->model; }  ///< with the coordinates that move now

    // I(q)^-1 and the angular momentum of the deformation at the present q and q', body frame: with both,
    // `angularMomentum` becomes a velocity.
    pliant::Matrix3 inverseInertia = pliant::Matrix3::Identity();
    pliant::Vector3 modalAngularMomentum = pliant::Vector3::Zero();

    /// Evaluates `inverseInertia` and `modalAngularMomentum`.
    void updateInertia();
    /// Makes `angularMomentum` agree with the body's present velocity, unless it already belongs to it.
    void updateMomentum();
    /// Sets Bullet's angular velocity from `angularMomentum` at the present frame; after updateInertia().
    void updateAngularVelocity();
    /// Sets the angular velocity that turns the frame through the middle of the step: Bullet turns with a constant one,
    /// and that at the step's start would raise the energy of a tumbling body step by step.
    void updateMidstepAngularVelocity(double h);
    /// What hard contacts have made of the deformation's energy, BodyBatch::settleEnergy.
    void settleEnergy();
    /// Whether `deformed` is behind q or the world transform.
    bool collisionNeedsUpdate() const;
    /// At the end of a substep, `deformed` up to date.
    void recordSubstepMotion();
    /// `deformed` brought up to date; the way there was no motion: somebody has put the body there.
    void forgetMotion();
    /// The state that `deformed` has to be moved to; from this call on it counts as moved.
    pliant::DeformedBody::NewState beginCollisionUpdate();
    /// Brings `deformed` up to date with q and the world transform, inner bounding volumes left out
    /// (DeformedBody::refit).
    void updateCollision();
    /// `deformed` and `field`.
    pliant::TouchingBody touching() const { return {&*deformed, field ? &*field : nullptr}; }
    /// The state that `field`, which there is, has to be brought to; after `deformed`.
    pliant::DeformedField::NewState fieldState();
    /// q was changed from outside: accelerations, bounds and momentum follow, and the body wakes.
    void stateWasSet();
};

namespace btPliantInternal {

/// Coordinates along which a body sags under its own weight on the earth by more than a hundredth of its size, g /
/// omega^2 for each, or gives way to an impact by more than a share of its thickness, v / omega.
/// @param speed of the impact, m/s; 0: none
int softCoordinates(const BodyData& body, double speed);

}  // namespace btPliantInternal
