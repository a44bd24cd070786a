// SPDX-License-Identifier: Zlib
// Reduced deformable bodies in a stock btDiscreteDynamicsWorld; one system per world.
//
//     btPliantSystem pliantSystem(&world);
//     btPliantBody* basket = pliantSystem.createBody(pliant::loadModel("basket.pliant"));
//     world.addRigidBody(basket);
//     ... world.stepSimulation(dt) ...
//     world.removeRigidBody(basket);
//     pliantSystem.destroyBody(basket);
//
// The system extends the world and patches nothing: it registers collision algorithms with the world's dispatcher, is
// an action of the world, and works with the btPliantConstraintSolver that the world was made with. Order of
// destruction: bodies, system, world (dispatcher and solver outlive the system).
#pragma once

#include <BulletDynamics/Dynamics/btActionInterface.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantBody.h"
#include "btPliant/btPliantPrecision.h"

/// Settings of a system, with units.
struct btPliantSystemInfo {
    btPliantSystemInfo() { m_settings.aloneUpTo = 2; }

    int m_threads = 0;                 ///< workers; 0 = all cores. Does not change results, bit for bit
    pliant::BatchSettings m_settings;  ///< block size and precision of every batch; damping, Newmark and coupling
                                       ///< are the bodies' own (btPliantBodyInfo)
    btScalar m_margin = btScalar(0);   ///< metres around every swept segment
    /// Contacts are made from this positive distance on, in units of the segment's radius; they allow approach at
    /// distance / time step.
    btScalar m_speculativeRadii = btScalar(0.5);
    btScalar m_penetrationSlop = btScalar(0.05);     ///< penetration left uncorrected, in units of the segment's radius
    btScalar m_penetrationRecovery = btScalar(0.1);  ///< share of the rest that a substep takes back, in (0, 1]
    /// Contacts kept of a pair of bodies, in clusters of four. Pairs at rest have fewer than ten; in an impact of two
    /// baskets 16 are not enough, and segments pass through each other.
    int m_maxContactsPerPair = 64;
    /// A body may sleep when the energy of its deformation velocity, J per kg of the body, is below this: that of a
    /// tenth of a metre per second, an eighth of what Bullet takes for rest of a frame. Heaps tremble by less.
    double m_sleepingEnergy = 5e-3;
};

/// What one substep took and found. Seconds of wall-clock time.
struct btPliantStats {
    double m_deformationSeconds = 0;   ///< free steps of q, momentum, bounds
    double m_collisionSeconds = 0;     ///< contacts of reduced bodies
    double m_contactSolveSeconds = 0;  ///< rows of reduced bodies: setup, iterations, write back
    int m_bodies = 0;                  ///< reduced bodies in the world
    int m_awakeBodies = 0;
    int m_contacts = 0;               ///< contact points that touch a reduced body
    int m_manifolds = 0;              ///< non-empty manifolds that touch a reduced body
    double m_largestPenetration = 0;  ///< in radii of the segment that touches (the thinner one of two)
    double m_penetration99 = 0;       ///< 99th percentile over penetrating contacts, same unit
    int m_restoredBodies = 0;         ///< bodies put back to their last good state
    int m_limitedBodies = 0;          ///< bodies slowed because their step had gained energy
    double m_kineticEnergy = 0;       ///< J, all bodies of the world that are not static
    double m_elasticEnergy = 0;       ///< J
    double m_potentialEnergy = 0;     ///< J, in the world's gravity, zero at the world's origin
    double totalEnergy() const { return m_kineticEnergy + m_elasticEnergy + m_potentialEnergy; }
};

class btPliantSystem : public btActionInterface {
public:
    /// @throws pliant::Error when the caller's Bullet has another precision than this library.
    explicit btPliantSystem(btDiscreteDynamicsWorld* world, const btPliantSystemInfo& info = btPliantSystemInfo())
        : btPliantSystem((btPliantCheckScalarSize(sizeof(btScalar)), world), info, 0) {}
    /// The same for a world whose kind is known at run time only. @throws pliant::Error when it is no
    /// btDiscreteDynamicsWorld, with a sentence.
    explicit btPliantSystem(btDynamicsWorld* world, const btPliantSystemInfo& info = btPliantSystemInfo())
        : btPliantSystem((btPliantCheckScalarSize(sizeof(btScalar)), asDiscrete(world)), info, 0) {}
    ~btPliantSystem() override;
    btPliantSystem(const btPliantSystem&) = delete;
    btPliantSystem& operator=(const btPliantSystem&) = delete;

    /// True when the world uses a btPliantConstraintSolver (a btDiscreteDynamicsWorldMt: a
    /// btPliantConstraintSolverPool). Otherwise bodies move and collide as rigid ones, without deformation, and
    /// getStatus() says so.
    bool isConnected() const;
    /// Empty, or a sentence: what does not work and what to do.
    const std::string& getStatus() const;

    /// Makes a body, not yet in the world; hand it to world->addRigidBody(). Owned by the system until destroyBody.
    /// @throws pliant::Error where there is no model, or one (made in memory) with sizes or numbers that cannot be
    btPliantBody* createBody(std::shared_ptr<const pliant::ReducedModel> model,
                             const btPliantBodyInfo& info = btPliantBodyInfo());
    /// Removes the body from the world where it still is there, its joints too (they stay their owner's), and deletes
    /// it.
    void destroyBody(btPliantBody* body);
    int getNumBodies() const;
    btPliantBody* getBody(int index) const;  ///< in order of creation

    // Everything that the further run of the world depends on: reduced bodies, the frames, velocities, forces and
    // activation of Bullet's own objects, overlapping pairs, contacts with their impulses, Bullet's clock. To be called
    // between stepSimulations. The run goes on with the same bits, in the same world or in one that was built the same
    // way (same objects in the same order), where m_deterministicOverlappingPairs is on; contacts with compound shapes
    // and between Bullet's own bodies go on with their impulses as far as their algorithms make the same manifolds
    // again. Of joints it holds the impulses and whether they hold or have broken. Settings, shapes, masses and which
    // joints there are, are not part of it.
    /// Replaces what is in `blob`; its memory is used again.
    void saveState(std::vector<std::byte>& blob) const;
    /// All or nothing: the world is as it was where the status is not Ok.
    pliant::StateStatus restoreState(const std::byte* blob, std::size_t size);

    btDiscreteDynamicsWorld* getWorld() const;
    const btPliantSystemInfo& getInfo() const;

    /// Of the last substep; energies are those of the present state, measured by this call when it is the first one
    /// after a substep.
    const btPliantStats& getStats() const;
    /// Distinct threads that have worked for this system so far.
    int getWorkersObserved() const;
    /// Rigid integration and everything else of Bullet: the caller's seconds of the stepSimulations since
    /// resetAccumulatedSeconds less our sums.
    double getOtherSeconds(double stepSeconds) const;
    /// Starts new sums of seconds (getAccumulatedStats).
    void resetAccumulatedSeconds();
    /// Seconds summed over the substeps since resetAccumulatedSeconds; counts are those of the last substep, energies
    /// are not measured.
    const btPliantStats& getAccumulatedStats() const;

    // btActionInterface, called by the world after it has integrated the transforms.
    void updateAction(btCollisionWorld* world, btScalar timeStep) override;
    void debugDraw(btIDebugDraw* debugDrawer) override;

    struct Data;  ///< internal
    Data& data() { return *m_data; }
    const Data& data() const { return *m_data; }

private:
    static btDiscreteDynamicsWorld* asDiscrete(btDynamicsWorld* world);
    btPliantSystem(btDiscreteDynamicsWorld* world, const btPliantSystemInfo& info, int);
    std::unique_ptr<Data> m_data;
};
