// SPDX-License-Identifier: Zlib
/// @file
/// Reduced deformable bodies in a stock btDiscreteDynamicsWorld; one system per world.
#pragma once

#include <BulletDynamics/Dynamics/btActionInterface.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantCharacter.h"
#include "btPliant/btPliantContactSensor.h"
#include "btPliant/btPliantPrecision.h"
#include "btPliant/btPliantTouch.h"
#include "pliant/math/Api.h"

namespace btPliantInternal {
struct Access;
}  // namespace btPliantInternal

/// Settings of a system, with units.
struct btPliantSystemInfo {
    /// The defaults: one or two bodies of a model step one by one, in double precision.
    btPliantSystemInfo() { m_settings.aloneUpTo = 2; }

    int m_threads = 0;  ///< Workers; 0 = all cores. The number does not change results, bit for bit.
    /// Of every batch: precision, block size, energy guard, tolerance of reused tangents. Integrator, damping, Newmark
    /// coefficients and coupling are the bodies' own (btPliantBodyInfo), and have no effect here.
    pliant::BatchSettings m_settings;
    btScalar m_margin = btScalar(0);  ///< Margin around every segment, m.
    /// The speculative margin: contacts are made from this positive distance on, in radii of the segment (of solids: in
    /// quarters of the distance between their points); they allow approach at distance / time step.
    btScalar m_speculativeRadii = btScalar(0.5);
    /// Penetration that is left uncorrected, in radii of the segment (of solids: as m_speculativeRadii).
    btScalar m_penetrationSlop = btScalar(0.05);
    /// Share of the remaining penetration that a substep takes back by split impulses, in (0, 1].
    btScalar m_penetrationRecovery = btScalar(0.1);
    /// Contacts kept of a pair of bodies: of strands at most three of each region that touches, of solids as many of a
    /// patch as its shape asks for, and in impacts of thin ones as many more as hold their shapes. Pairs of strands at
    /// rest have fewer than ten; in an impact of two baskets 16 are not enough, and segments pass through each other.
    /// Pairs of solids in penalty contact have a spring for every point that touches, whatever this is.
    int m_maxContactsPerPair = 64;
    /// Contacts of all pairs in a substep, each of which takes about 2 kB. Bodies that all stand in each other have
    /// more: then every pair keeps its deepest ones, pairs take turns over substeps where they are more than this, and
    /// getStatus() says so. Heaps of 512 baskets have 5,000. Penalty contacts of solids are softer by what is left out.
    int m_maxContacts = 200000;
    /// A body may sleep when the energy of its deformation velocity, J per kg of the body, is below this: that of a
    /// tenth of a metre per second, an eighth of what Bullet takes for rest of a frame. Heaps tremble by less.
    double m_sleepingEnergy = 5e-3;
};

/// What one substep took and found. Seconds are of wall-clock time.
struct btPliantStats {
    double m_deformationSeconds = 0;  ///< Time of free steps of q, momentum and bounds, s.
    double m_collisionSeconds = 0;    ///< Time for finding contacts of reduced bodies, s.
    /// Time for contact constraints of reduced bodies: set-up, iterations, write back; s.
    double m_contactSolveSeconds = 0;
    int m_bodies = 0;       ///< Reduced bodies in the world.
    int m_awakeBodies = 0;  ///< Reduced bodies in the world that are not asleep.
    int m_contacts = 0;     ///< Contact points that touch a reduced body.
    int m_manifolds = 0;    ///< Manifolds with contacts that touch a reduced body.
    /// Contact points beyond btPliantSystemInfo::m_maxContacts, which were left out.
    int m_contactsLeftOut = 0;
    double m_largestDepth = 0;  ///< Largest penetration, m.
    /// Largest penetration, in radii of what touches (the thinner one of two): of a strand's segment, or of the spheres
    /// that a solid holds, which of a plate are half as thick as it is.
    double m_largestPenetration = 0;
    double m_penetration99 = 0;    ///< The 99th percentile over penetrating contacts, in the same unit.
    int m_restoredBodies = 0;      ///< Bodies that were put back to their last good state.
    int m_limitedBodies = 0;       ///< Bodies that were slowed because their step had gained energy.
    double m_kineticEnergy = 0;    ///< Kinetic energy of all bodies of the world that are not static, J.
    double m_elasticEnergy = 0;    ///< Strain energy of all reduced bodies, J.
    double m_potentialEnergy = 0;  ///< Potential energy in the world's gravity, zero at the world's origin, J.
    /// Kinetic, elastic and potential energy together, J.
    double totalEnergy() const { return m_kineticEnergy + m_elasticEnergy + m_potentialEnergy; }
};

/// Two objects that stand in each other and do nothing to each other, since neither moves freely.
struct btPliantIdlePair {
    const btPliantBody* m_body = nullptr;        ///< An anchored or kinematic body.
    const btCollisionObject* m_other = nullptr;  ///< Another one, or a static or kinematic object of Bullet's.
    btScalar m_depth = 0;                        ///< How deep they are in each other, m.
};

/// The reduced bodies of one world: makes them, steps their deformation and finds their contacts.
///
///     btPliantSystem pliantSystem(&world);
///     btPliantBody* basket = pliantSystem.createBody(pliant::loadModel("basket.pliant"));
///     world.addRigidBody(basket);
///     ... world.stepSimulation(dt) ...
///     world.removeRigidBody(basket);
///     pliantSystem.destroyBody(basket);
///
/// The system extends the world and patches nothing: it registers collision algorithms with the world's dispatcher, is
/// an action of the world, and works with the btPliantConstraintSolver that the world was made with. Order of
/// destruction: bodies, system, world (dispatcher and solver outlive the system). A system that goes after a world with
/// bodies in it, or after its solver, notices and leaves them alone; one without bodies in the world cannot notice.
class PLIANT_API btPliantSystem : public btActionInterface {
public:
    /// Adds reduced bodies to a world.
    /// @param world must outlive the system
    /// @param info settings of the system
    /// @throws pliant::Error when the caller's Bullet has another precision than this library, or a setting is out of
    /// range
    explicit btPliantSystem(btDiscreteDynamicsWorld* world, const btPliantSystemInfo& info = btPliantSystemInfo())
        : btPliantSystem((btPliantCheckScalarSize(sizeof(btScalar)), world), info, 0) {}
    /// The same for a world whose kind is known at run time only.
    /// @param world must outlive the system
    /// @param info settings of the system
    /// @throws pliant::Error as above, and when it is no btDiscreteDynamicsWorld
    explicit btPliantSystem(btDynamicsWorld* world, const btPliantSystemInfo& info = btPliantSystemInfo())
        : btPliantSystem((btPliantCheckScalarSize(sizeof(btScalar)), asDiscrete(world)), info, 0) {}
    /// Destroys the bodies that are left and takes the system out of the world.
    ~btPliantSystem() override;
    btPliantSystem(const btPliantSystem&) = delete;
    btPliantSystem& operator=(const btPliantSystem&) = delete;

    /// True when the world uses a btPliantConstraintSolver (a btDiscreteDynamicsWorldMt: a
    /// btPliantConstraintSolverPool): bodies are fully coupled. Otherwise they are coupled one way: the world's solver
    /// solves contacts between rigid bodies that are soft where they touch, and its impulses bend them afterwards
    /// (docs/one-way-coupling.md has the limits); getStatus() says so. A world that is given another solver, or a
    /// solver that another system lets go of, is noticed in the next substep.
    bool isConnected() const;
    /// Empty, or sentences about everything that has not worked since the system was made, and what to do; also that
    /// another system has the world already. (btPliantBody::getStatus() is of the last substep.)
    const std::string& getStatus() const;

    /// Makes a body that is not yet in the world: hand it to world->addRigidBody(). The system owns it until
    /// destroyBody().
    /// @param model shared by all bodies that are made of it
    /// @param info where the body starts, and its settings
    /// @throws pliant::Error where there is no model, or one (made in memory) with sizes or numbers that cannot be, and
    ///     where place, velocities or settings of `info` are numbers that cannot be
    btPliantBody* createBody(std::shared_ptr<const pliant::ReducedModel> model,
                             const btPliantBodyInfo& info = btPliantBodyInfo());
    /// Makes a character that is not yet in the world, with its flesh at rest in its first pose:
    ///
    ///     btPliantCharacter* fox = pliantSystem.createCharacter(pliant::loadCharacter("fox.pliant"));
    ///     world.addRigidBody(fox, btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter);
    ///     fox->play("run");
    ///
    /// Without groups Bullet lets driven bodies meet neither static ones nor each other. The system owns it until
    /// destroyBody().
    /// @param model shared by all characters that are made of it
    /// @param info where it stands, what moves it, and settings of its flesh
    /// @throws pliant::Error where there is no model, or no clip of that name, and for numbers that cannot be
    btPliantCharacter* createCharacter(std::shared_ptr<const pliant::CharacterModel> model,
                                       const btPliantCharacterInfo& info = btPliantCharacterInfo());
    /// Deletes a body. Where it still is in the world it is removed, its joints too (they stay their owner's).
    void destroyBody(btPliantBody* body);
    /// The number of bodies of this system, in the world or not.
    int getNumBodies() const;
    /// The body with this number, from 0, in order of creation; null where there is none.
    btPliantBody* getBody(int index) const;

    /// Has a solid touch by distributed contact: pressure on many points of its surface. Takes the time to sample that
    /// surface. A later call about the same pair replaces an earlier one; one about a pair is taken before one about
    /// any. What has no distance in closed form (meshes, compounds) is touched as before, and getStatus() says so.
    /// @param body a solid of this system
    /// @param other the object that it touches so; null: any. It must not be destroyed before clearTouch() or the body
    /// @param settings law, friction, points
    /// @throws pliant::Error for a body that is no solid, and settings out of range
    void setTouch(btPliantBody& body, const btCollisionObject* other, const btPliantTouchSettings& settings);
    /// Takes setTouch() back. @param other as there
    void clearTouch(btPliantBody& body, const btCollisionObject* other);
    /// Has the contacts of a pair act as springs and dampers (penalty contact [HSO03, 4.3]), or as limits on the
    /// velocity, whatever its two objects ask for by Bullet's setContactStiffnessAndDamping(). A later call about the
    /// same pair replaces an earlier one, whichever of two reduced bodies is named first. Wakes both. Of distributed
    /// contact the law is that of setTouch(). Springs gain no energy with Integrator::Newmark; with Analytic they can.
    /// @param body a body of this system
    /// @param other the other object, or the body itself for its contact with itself. It must not be destroyed before
    /// clearPenalty() or the body, but for reduced bodies of this system
    /// @param stiffness N/m of each contact, of a solid on its largest face; 0: limits on the velocity
    /// @param damping N s/m of the same
    /// @throws pliant::Error for a body of another system, and for numbers that are negative or not finite
    void setPenalty(btPliantBody& body, const btCollisionObject& other, btScalar stiffness, btScalar damping = 0);
    /// Takes setPenalty() back: the two objects decide again. Wakes both.
    void clearPenalty(btPliantBody& body, const btCollisionObject& other);
    /// What distributed contact did to the body in the last substep, or the tool of a hand beside the world
    /// (btPliantHandThread::getTool()) in the last step: the mean over its cycles.
    /// @param body the body that force and normals are those of
    /// @param other what it touches
    /// @param patch written
    /// @return false where the two are not near each other, or touch in another way
    bool getContactPatch(const btPliantBody& body, const btCollisionObject& other, btPliantContactPatch& patch) const;
    /// The pairs that stand in each other now and pass through each other, since neither moves freely: anchored and
    /// kinematic bodies of this system, against each other and against static and kinematic objects. No contact is ever
    /// made of them, and getStatus() says nothing. What is in no world, has no contact response or is parted by filters
    /// of the user's is left out. Takes the time of a contact test for each pair whose boxes overlap; to be called
    /// between stepSimulations.
    /// @param pairs replaced; bodies by their numbers
    /// @param least share of the diagonal of the smaller box by which they have to be in each other: less is rounding
    void getIdlePairs(std::vector<btPliantIdlePair>& pairs, btScalar least = btScalar(0.01)) const;
    /// How deep two objects are in each other of which neither moves freely, whatever filters say.
    /// @return m; 0 where they are apart, or one of them moves freely or is a character
    btScalar getIdleDepth(const btPliantBody& body, const btCollisionObject& other) const;
    /// Makes a sensor that measures contacts of some objects in every substep from now on. The system owns it until
    /// destroyContactSensor(). Reduced bodies whose material or box it asks for have to be there; all others are
    /// addresses to it.
    /// @throws pliant::Error where it watches nothing, or a region that its bodies do not have
    btPliantContactSensor* createContactSensor(const btPliantContactSensorInfo& info);
    /// Deletes a sensor.
    void destroyContactSensor(btPliantContactSensor* sensor);
    /// The number of sensors.
    int getNumContactSensors() const;
    /// The sensor with this number, from 0, in order of creation.
    btPliantContactSensor* getContactSensor(int index) const;

    /// Saves everything that the further run of the world depends on: reduced bodies; the frames, velocities, forces
    /// and activation of Bullet's own objects; overlapping pairs; contacts with their impulses; Bullet's clock. To be
    /// called between stepSimulations.
    ///
    /// The run goes on with the same bits, in the same world or in one that was built the same way (same objects in the
    /// same order), where m_deterministicOverlappingPairs is on. Contacts with compound shapes and between Bullet's own
    /// bodies go on with their impulses as far as their algorithms make the same manifolds again. Distributed contact
    /// goes on with its bristles and levels where setTouch() asks for the same shells. Bodies come back at the level of
    /// detail that they had (btPliantBody::setDetail()). Of joints it holds the impulses and whether they hold or have
    /// broken; of contact sensors, one by one in order of creation, all but the list of points. Settings, shapes,
    /// masses and which joints there are, are not part of it.
    /// @param blob replaced; its memory is used again
    void saveState(std::vector<std::byte>& blob) const;
    /// Restores what saveState() has saved, all or nothing.
    /// @return Ok, or why the world is as it was
    pliant::StateStatus restoreState(const std::byte* blob, std::size_t size);

    /// The world that this system was made for.
    btDiscreteDynamicsWorld* getWorld() const;
    /// The settings that this system was made with.
    const btPliantSystemInfo& getInfo() const;

    /// Numbers of the last substep. Energies are those of the present state, measured by this call when it is the first
    /// one after a substep.
    const btPliantStats& getStats() const;
    /// Distinct threads that have worked for this system so far.
    int getWorkersObserved() const;
    /// Time of rigid integration and everything else of Bullet, s.
    /// @param stepSeconds the caller's sum over the stepSimulations since resetAccumulatedSeconds(), s
    /// @return that sum less the seconds of getAccumulatedStats()
    double getOtherSeconds(double stepSeconds) const;
    /// Starts new sums of seconds (getAccumulatedStats()).
    void resetAccumulatedSeconds();
    /// Seconds summed over the substeps since resetAccumulatedSeconds(). Counts are those of the last substep, and
    /// energies are not measured.
    const btPliantStats& getAccumulatedStats() const;

    /// Bullet's callback of an action, called by the world after it has integrated the transforms.
    void updateAction(btCollisionWorld* world, btScalar timeStep) override;
    /// Bullet's callback of an action for debug drawing: a btPliantDebugShapes is told about segments, spheres,
    /// contacts, frames and activity of bodies. On other drawers the world draws bodies through their shapes.
    void debugDraw(btIDebugDraw* debugDrawer) override;

private:
    friend struct btPliantInternal::Access;
    struct PLIANT_HIDDEN Data;
    Data& data() { return *m_data; }
    const Data& data() const { return *m_data; }
    static btDiscreteDynamicsWorld* asDiscrete(btDynamicsWorld* world);
    btPliantSystem(btDiscreteDynamicsWorld* world, const btPliantSystemInfo& info, int);
    void followSolver();
    std::unique_ptr<Data> m_data;
};
