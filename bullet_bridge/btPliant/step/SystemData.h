// SPDX-License-Identifier: Zlib
// Internal: the state of a btPliantSystem and the stages of a substep.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "btPliant/body/BodyData.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

struct ContactPair;

/// Adds the seconds of its lifetime to a counter.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : m_seconds(seconds), m_start(std::chrono::steady_clock::now()) {}
    ~Stopwatch() { m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& m_seconds;
    std::chrono::steady_clock::time_point m_start;
};

}  // namespace btPliantInternal

struct btPliantSystem::Data {
    btDiscreteDynamicsWorld* world = nullptr;
    btPliantSystemInfo info;
    btPliantConstraintSolver* solver = nullptr;
    std::string status;
    std::unique_ptr<pliant::Workers> workers;
    std::vector<std::unique_ptr<btPliantInternal::BatchGroup>> groups;
    /// Models truncated to fewer coordinates, kept for the next body that needs as many.
    struct TruncatedModel {
        std::shared_ptr<const pliant::ReducedModel> full, truncated;
    };
    std::vector<TruncatedModel> truncatedModels;
    std::vector<btPliantBody*> bodies;  ///< in order of creation, owned
    std::vector<btPliantBody*> work;    ///< bodies of the stage under way
    std::vector<btPliantInternal::ContactPair*>
        pairs;  ///< live collision pairs, by their order; of creation where pairs are not deterministic
    std::vector<btPliantInternal::ContactForce> contactForces;
    std::vector<btPliantInternal::ContactPair*> parallelPairs;  ///< those whose contacts are found in parallel
    std::vector<btManifoldPoint> points;                        ///< of the substep, before they are handed to Bullet
    std::vector<char> pointIsMatched;                           ///< of `points`: one of the last substep was matched
    int preparedPointCount = 0;                                 ///< of `points`, by the parallel pass
    std::vector<double> penetrations;                           ///< of the substep, in radii
    std::vector<double> energies;                               ///< J, kinetic, of the bodies in `work`
    bool contactsAreFound = false;  ///< the parallel pass over pairs has been made in this substep
    unsigned substep = 0;           ///< number of the last one whose contacts were asked for
    double stepLength = 0;
    double lastSolvedStep = 0;  ///< s, of the last substep that was solved
    int nextBodyNumber = 0;     ///< of bodies
    btPliantStats stats;
    btPliantStats substepStats;  ///< of the substep under way
    btPliantStats accumulated;
    bool energiesAreMeasured = false;  ///< in `stats`: they are measured when somebody asks

    bool isInWorld(const btPliantBody& body) const { return body.getBroadphaseHandle() != nullptr; }
    btPliantInternal::BatchGroup& groupFor(const std::shared_ptr<const pliant::ReducedModel>& model,
                                           const pliant::BatchSettings& settings);
    std::shared_ptr<const pliant::ReducedModel> truncatedModel(const std::shared_ptr<const pliant::ReducedModel>& full,
                                                               int dimension);
    void removeFromGroup(btPliantInternal::BatchGroup& group, int slot);

    // Stages of a substep, in order.
    void findContacts();       ///< before the first pair: the contacts of `parallelPairs`
    void listBodiesInWorld();  ///< `work`
    /// Moves the collision geometry of the bodies in `work` to their present state, inner bounding volumes left out.
    void updateCollisionBodies(bool substepEnds);
    void preparePoints();  ///< of the pairs in `parallelPairs`
    void reservePoints(int count);
    void evaluateRequired();  ///< spheres, bounding volumes and predictions that `parallelPairs` are about to use
    void scaleImpulses(btScalar ratio);                ///< to what the same forces do in a step `ratio` times as long
    void beginSolve(double h);                         ///< prepareSolve: free step of all awake bodies
    void freeStep(const std::vector<btPliantBody*>&);  ///< of these bodies, which have not stepped yet
    void addContactForces(const std::vector<btPliantBody*>&);
    void listContactForces(btScalar factor);  ///< `contactForces`, of bodies that take them
    void endSolve();                          ///< allSolved: the velocities that Bullet integrates
    void endSubstep();                        ///< updateAction: momentum, sleeping, bounds
    void findSelfContacts();                  ///< of the next substep
    void resetSleepingBodies();               ///< bodies that Bullet put to sleep after they had stepped
    void collectContactStats();
    void collectPenetrations();  ///< of all contacts, and how many there are
    void collectEnergies();
    void collectStrainEnergies();  ///< of those in `work`
};
