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
    std::shared_ptr<const pliant::SurfaceModel> surface;  ///< The surface of a solid, else null.
    std::shared_ptr<const pliant::PointLocator> locator;
    /// Made when a body wants self-contact, else null.
    std::shared_ptr<const pliant::RestNeighbours> restNeighbours;
    std::unique_ptr<pliant::BodyBatch> batch;
    int bodies = 0;
    std::vector<int> steppingSlots;      ///< Slots of the step that is being made, ascending.
    std::vector<int> struckSlots;        ///< Slots that contacts have struck in the step.
    std::vector<int> strainedSlots;      ///< Slots whose strain energy is asked for.
    std::vector<double> strainEnergies;  ///< Strain energies of `strainedSlots`, J.
};

/// A force that applyForceAt left for the next stepSimulation; world frame, N.
struct PointForce {
    pliant::MaterialPoint point;
    btVector3 force;
    bool consumed = false;  ///< Whether a substep has already used it.
};

/// How far something has come since a moment, by a sum that grows for ever. What a saved state brings along stands by
/// itself: taken off a large sum it would lose digits.
class MotionSince {
public:
    /// The moment is now. @param already what it had come before, m
    void begin(double sum, double already = 0.0) {
        m_start = sum;
        m_already = already;
    }
    double until(double sum) const { return m_already + (sum - m_start); }  ///< How far until now, m.

private:
    double m_start = 0.0, m_already = 0.0;
};

/// Impulse of a contact in the last substep that a body starts the next one with.
struct ContactForce {
    btVector3 impulse = btVector3(0, 0, 0);  ///< Impulse on the body, N s.
    btPliantBody* body = nullptr;
    int segment = -1, part = 0;  ///< Where on the body, as in the manifold point.
    int next = -1;               ///< The next one of the same body; -1: none.
};

}  // namespace btPliantInternal

/// Plain data: what the stages of the substep (step/Substep.h) and the user's calls do with it is told by
/// BodyMomentum.h, BodyCollision.h and BodyPlace.h beside it and by the headers of the rooms.
struct btPliantBody::Data : pliant::CacheAligned {
    btPliantSystem* system = nullptr;
    btPliantBody* body = nullptr;
    btPliantInternal::BatchGroup* group = nullptr;
    int slot = -1;
    int reducedIndex = -1;  ///< Number in the solver group that is being solved; -1: none.
    // What passes over all bodies ask first, side by side.
    bool frameIsFree = true;           ///< False: anchored or kinematic, the frame is the user's.
    bool hasStepped = false;           ///< Whether it has stepped in the substep that is under way.
    bool isAsleep = false;             ///< Whether q' has been zeroed for sleeping.
    bool awaitsContactForces = false;  ///< Whether it is about to step.
    /// Whether step/MotionGuard.h has put it back before the substep that is under way.
    bool wasPutBack = false;
    bool collisionIsOutdated = true;    ///< Whether `deformed` is behind q.
    bool needsBoundingVolumes = false;  ///< Whether a pair is about to descend into those of `deformed`.
    bool needsField = false;            ///< Whether a pair is about to ask `field`.
    /// Whether points of distributed contact have been held against `field`.
    bool needsFieldBounds = false;
    /// Whether a pair is about to ask where `deformed` goes in the step.
    bool needsPrediction = false;
    bool needsSpheres = false;  ///< Whether all spheres of `deformed` are needed.
    /// Speed by which something is about to strike it, m/s; while pairs are looked for.
    double struckSpeed = 0;
    /// How many spheres of `deformed` pairs are about to look at, some several times.
    int neededSpheres = 0;
    /// First and last in btPliantSystem::Data::contactForces; -1: none.
    int firstContactForce = -1, lastContactForce = -1;
    /// The model of the group where the body has all coordinates.
    std::shared_ptr<const pliant::ReducedModel> fullModel;
    std::shared_ptr<const pliant::ReducedModel> originalModel;  ///< The model that the body was made of.
    int detail = 0;                                             ///< How many coordinates it shall have.
    double fadeElapsed = 0;                                     ///< How long those beyond `detail` have been fading, s.
    /// All coordinates of fullModel, q and q', zeros behind; when asked for.
    pliant::VectorX paddedCoordinates, paddedVelocities;
    int number = 0;  ///< Number in the order of creation, never used again.
    btTransform meshFromBody = btTransform::getIdentity();
    btTransform bodyFromMesh = btTransform::getIdentity();
    std::unique_ptr<btPliantShape> shape;
    std::unique_ptr<btMotionState> motionState;  ///< What Bullet asks and tells (body/MeshMotionState.h).
    double largestRadius = 0;                    ///< Largest of the skeleton's spheres, m; of a solid its thickness.
    /// Metres that distances between surfaces are measured by: the largest radius, of a solid no more than a share of
    /// the distance between the points of its surface.
    double contactScale = 0;

    std::unique_ptr<btPliantInternal::CharacterData> character;  ///< Null: no character.
    /// What a ragdoll keeps; null: none, or driven.
    btPliantInternal::RagdollData* ragdoll() const { return character ? character->ragdoll.get() : nullptr; }

    // Collision's view.
    std::optional<pliant::DeformedBody> deformed;
    std::optional<pliant::DeformedField> field;  ///< Field of a solid, else empty.
    btTransform deformedTransform = btTransform::getIdentity();
    /// What that was when the contacts of the last substep were found.
    btTransform startOfWay = btTransform::getIdentity();
    btPliantInternal::MotionSince travel;  ///< By DeformedBody::motionBound(), since the end of the last substep, m.
    btPliantInternal::MotionSince relativeTravel;  ///< By its bound on relative motion, since then, m.
    double substepRelativeMotionBound = 0;         ///< Bound on its relative motion in the last substep, m.
    /// How far it came in the last substep, m; at first as if anything had happened.
    double substepTravel = 1e30;
    unsigned predictedSubstep = 0;  ///< Number of the substep whose motion was predicted last.

    /// Contacts with itself, where it has them, else null.
    std::shared_ptr<btPliantInternal::ContactPair> selfPair;
    std::shared_ptr<const pliant::RestNeighbours> restNeighbours;

    // The substep.
    pliant::VectorX previousQ;    ///< Coordinates at the start of the last substep, r.
    unsigned steppedSubstep = 0;  ///< Number of that substep.
    btVector3 startLinearVelocity = btVector3(0, 0, 0);
    btVector3 startAngularVelocity = btVector3(0, 0, 0);
    /// Velocity of the frame, for the acceleration of driven frames.
    btVector3 lastLinearVelocity = btVector3(0, 0, 0);
    double stepLength = 0;              ///< Length of the last substep, s.
    pliant::VectorX modalContactForce;  ///< Force of the last substep's contacts in this step, r.
    pliant::VectorX contactProjection;  ///< Jacobian of one contact, r.
    /// Velocity q' at the substep's end under the last impulses, r (step/OneWayStep.h).
    pliant::VectorX loadedVelocity;
    /// Pairs that were in contact at the end of the last substep, with Bullet's own solver.
    int pairsInContact = 0;
    std::vector<btPliantInternal::PointForce> pointForces;

    pliant::VectorX strainCoordinates;  ///< The q that `strainEnergy` belongs to.
    double strainEnergy = 0;            ///< Strain energy at `strainCoordinates`, J.
    int strainIndex = -1;               ///< Place in BatchGroup::strainEnergies while they are collected.

    // Angular momentum about the centre of mass, world frame, kg m^2/s, and the state of Bullet that it belongs to.
    pliant::Vector3 angularMomentum = pliant::Vector3::Zero();
    btVector3 momentumVelocity = btVector3(0, 0, 0);
    btMatrix3x3 momentumBasis = btMatrix3x3::getIdentity();
    bool momentumIsKnown = false;
    bool hasBulletRows = false;  ///< Whether rows of Bullet's joints hold it in this group.
    pliant::Vector3 solvedAngularVelocity = pliant::Vector3::Zero();   ///< Change of omega by our rows, rad/s.
    pliant::Vector3 coupledAngularVelocity = pliant::Vector3::Zero();  ///< The part of it that came with q', rad/s.

    pliant::BodyBatch& batch() { return *group->batch; }
    const pliant::BodyBatch& batch() const { return *group->batch; }
    /// The model with the coordinates that move now.
    const pliant::ReducedModel& model() const { return *group->model; }

    /// Of the frame of a body in a hand without mass, about any axis, kg m^2, in place of I(q); 0: it is in none. Such
    /// a frame is the hand's: the deformation neither feels how it moves nor turns it.
    double handInertia = 0.0;
    // I(q)^-1 and the angular momentum of the deformation at the present q and q', body frame: with both,
    // `angularMomentum` becomes a velocity.
    pliant::Matrix3 inverseInertia = pliant::Matrix3::Identity();
    pliant::Vector3 modalAngularMomentum = pliant::Vector3::Zero();

    /// `deformed` and `field`.
    pliant::TouchingBody touching() const { return {&*deformed, field ? &*field : nullptr}; }
};

namespace btPliantInternal {

/// Coordinates along which a body sags under its own weight on the earth by more than a hundredth of its size, g /
/// omega^2 for each, or gives way to an impact by more than a share of its thickness, v / omega.
/// @param speed of the impact, m/s; 0: none
int softCoordinates(const BodyData& body, double speed);
/// Whether a solid is a sheet, no thicker than a fiftieth of its size, that sags by more than 0.2 % of its size under
/// its own weight.
bool isLimpSheet(const BodyData& body);

}  // namespace btPliantInternal
