// SPDX-License-Identifier: Zlib
// Internal: the parts of a saved world. Each part is read and checked as a whole before anything is applied.
#pragma once

#include <BulletCollision/BroadphaseCollision/btBroadphaseProxy.h>
#include <BulletCollision/CollisionDispatch/btCollisionObject.h>
#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <vector>

#include "btPliant/btPliantSystem.h"
#include "btPliant/data/BodyData.h"
#include "btPliant/data/SensorData.h"
#include "btPliant/snapshot/SideState.h"
#include "btPliant/snapshot/TouchState.h"
#include "pliant/collision/pair/ContactHistory.h"
#include "pliant/runtime/snapshot/StateBlob.h"

namespace btPliantInternal {

/// One of Bullet's objects.
struct ObjectState {
    bool rigid = false, ours = false;
    int shapeType = 0;
    btTransform transform, interpolation;
    btVector3 interpolationLinear, interpolationAngular;
    int activation = 0;
    btScalar deactivationTime = 0;
    btVector3 linear, angular, force, torque;  ///< Velocities and loads of rigid bodies.
};
void putObject(const btCollisionObject& object, pliant::StateWriter& out);
bool getObject(const btCollisionObject& object, pliant::StateReader& in, ObjectState& state);
void applyObject(btCollisionObject& object, const ObjectState& state);

/// What of a character is saved beside its body.
struct CharacterState {
    int clip = -1;
    double speed = 0, time = 0;
    pliant::Pose pose;
    Placement placement;
    std::vector<pliant::AffineMap> bones, previousBones, rates;
    pliant::VectorX lastForce;
    bool isRagdoll = false;
    BoneReturn back;
    pliant::VectorX limbVelocities;  ///< Velocities of a ragdoll's limbs.
};

class SavedLevels;

/// What the bridge keeps of a reduced body; the memory of `batch` is the blob's.
struct BodyState {
    std::shared_ptr<const pliant::ReducedModel> model;  ///< The body's, with `moving` coordinates.
    CharacterState character;                           ///< State of characters.
    btVector3 lastLinearVelocity, momentumVelocity;
    btMatrix3x3 momentumBasis;
    double stepLength = 0, fadeElapsed = 0;
    double substepTravel = 0, travelSince = 0;  ///< Ways in the last substep and since then, m.
    double substepRelativeMotionBound = 0, relativeMotionBoundSince = 0;
    pliant::DeformedBody::OuterReach outerReach;
    int detail = 0;
    int moving = 0;  ///< Coordinates of the batch: more than `detail` while those beyond it fade.
    bool isAsleep = false, momentumIsKnown = false;
    pliant::Vector3 angularMomentum;
    pliant::VectorX previousQ;
    std::vector<PointForce> pointForces;
    const std::byte* batch = nullptr;
    std::size_t batchSize = 0;
};
void putBody(const btPliantBody& body, std::vector<std::byte>& scratch, pliant::StateWriter& out);
bool getBody(const btPliantBody& body, pliant::StateReader& in, SavedLevels& levels, BodyState& state);
void applyBody(btPliantBody& body, BodyState& state);

/// What the broadphase knows of every object with a proxy, in order of the world's objects, and its overlapping pairs.
struct BroadphaseState {
    struct Proxy {
        bool present = false;
        btVector3 lower, upper;          ///< Box of the proxy.
        btVector3 leafLower, leafUpper;  ///< Larger box that the tree holds.
        int stage = 0;
    };
    struct Pair {
        int first = 0, second = 0;  ///< Numbers of objects.
        bool algorithm = false;
    };
    bool isTree = false;  ///< Whether it is a btDbvtBroadphase.
    std::vector<Proxy> proxies;
    std::vector<Pair> pairs;
    int stageCurrent = 0, fixedLeft = 0, newPairs = 0, parse = 0, cleanup = 0;
    bool needCleanup = false;
};
void putBroadphase(const btDiscreteDynamicsWorld& world, pliant::StateWriter& out);
bool getBroadphase(const btDiscreteDynamicsWorld& world, pliant::StateReader& in, BroadphaseState& state);
/// Makes exactly these pairs, with their algorithms.
void applyBroadphase(btDiscreteDynamicsWorld& world, const BroadphaseState& state);

/// Contacts: those of our pairs with what the pair remembers, and those of Bullet's own algorithms.
struct ContactState {
    using Points = std::vector<btManifoldPoint>;
    struct Ours {
        int body = 0, other = 0, child = 0,
            ordinal = 0;  ///< Numbers of the body, the object and the child (ContactPair::Order), and among equals.
        std::vector<pliant::ContactHistory::Entry> history;
        std::vector<int> cachedContacts;  ///< Segments A and B and part of each contact of ContactPair::ContactCache.
        double cacheReach = -1, relativeMotionBoundSince = 0;
        pliant::Vector3 cacheApart = pliant::Vector3::Zero();
        SavedSides sidesOfA, sidesOfB;
        SavedTouch touch;
        std::vector<Points> manifolds;
    };
    struct Foreign {
        int pair = 0, ordinal = 0;  ///< Number of the overlapping pair, and of the manifold in it.
        Points points;
    };
    struct ManifoldReference {
        bool ours = false;
        int index = 0, manifold = 0;
    };
    std::vector<Ours> ours;
    std::vector<Foreign> foreign;
    std::vector<ManifoldReference> order;  ///< Order of the dispatcher's manifolds.
};
void putContacts(const SystemData& system, pliant::StateWriter& out);
bool getContacts(const SystemData& system, pliant::StateReader& in, ContactState& state);
void applyContacts(SystemData& system, const ContactState& state);

/// One of the world's constraints.
struct JointState {
    struct Row {
        btVector3 direction = btVector3(0, 0, 0);
        btScalar impulse = 0;
        bool isLinear = false, isHard = false;
    };
    int kind = 0;
    bool ours = false, enabled = true;
    btScalar appliedImpulse = 0;
    btVector3 linear = btVector3(0, 0, 0), angular = btVector3(0, 0, 0);
    btScalar lastSize = 0, sizeBefore = 0;
    std::vector<Row> rows;
    std::vector<double> own;  ///< Numbers of btPliantJoint::getNumbers().

    static JointState of(const btTypedConstraint& constraint);
    void apply(btTypedConstraint& constraint) const;
};
void putJoints(const btDiscreteDynamicsWorld& world, pliant::StateWriter& out);
bool getJoints(const btDiscreteDynamicsWorld& world, pliant::StateReader& in, std::vector<JointState>& states);

/// What contact sensors have summed and filtered; those of the present system in order of creation, as many as there
/// are in both. The others begin anew.
void putSensors(const SystemData& system, pliant::StateWriter& out);
bool getSensors(pliant::StateReader& in, std::vector<SensorNumbers>& sensors);
void applySensors(SystemData& system, const std::vector<SensorNumbers>& sensors);

}  // namespace btPliantInternal
