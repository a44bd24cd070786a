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

struct PairState;

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
    /// Models cut to fewer coordinates, kept for the next body that wants as many.
    struct CutModel {
        std::shared_ptr<const pliant::ReducedModel> full, cut;
    };
    std::vector<CutModel> cutModels;
    std::vector<btPliantBody*> bodies;  ///< in order of creation, owned
    std::vector<btPliantBody*> work;    ///< bodies of the stage under way
    std::vector<btPliantInternal::PairState*>
        pairs;  ///< live collision pairs, by their order; of creation where pairs are not deterministic
    std::vector<btPliantInternal::ContactForce> contactForces;
    std::vector<btPliantInternal::PairState*> prepass;  ///< those that are computed in parallel
    std::vector<btManifoldPoint> points;                ///< of the substep, before they are handed to Bullet
    std::vector<char> pointIsKnown;                     ///< of `points`: goes on from an old one
    int preparedPoints = 0;                             ///< of `points`, by the parallel pass
    std::vector<double> penetrations;                   ///< of the substep, in radii
    std::vector<double> energies;                       ///< J, kinetic, of the bodies in `work`
    bool contactsAreFresh = false;                      ///< the parallel pass over pairs has been made in this substep
    unsigned substep = 0;                               ///< number of the last one whose contacts were asked for
    double stepLength = 0;
    double solvedStep = 0;  ///< s, of the last substep that was solved
    int nextNumber = 0;     ///< of bodies
    btPliantStats stats;
    btPliantStats running;  ///< of the substep under way
    btPliantStats accumulated;
    bool energiesAreKnown = false;  ///< in `stats`: they are measured when somebody asks

    bool isInWorld(const btPliantBody& body) const { return body.getBroadphaseHandle() != nullptr; }
    btPliantInternal::BatchGroup& groupFor(const std::shared_ptr<const pliant::ReducedModel>& model,
                                           const pliant::BatchSettings& settings);
    std::shared_ptr<const pliant::ReducedModel> cutModel(const std::shared_ptr<const pliant::ReducedModel>& full,
                                                         int dimension);
    void leaveGroup(btPliantInternal::BatchGroup& group, int slot);

    // Stages of a substep, in order.
    void prepareContacts();  ///< before the first pair: parallel pass over known pairs
    void gatherInWorld();    ///< `work`
    /// Brings collision's view of the bodies in `work` up to date, but for inner boxes.
    void moveCollisionBodies(bool substepEnds);
    void preparePoints();  ///< of the pairs in `prepass`
    void reservePoints(int count);
    void evaluateNeeded();                             ///< balls and inner boxes that `prepass` is about to look at
    void scaleImpulses(btScalar ratio);                ///< to what the same forces do in a step `ratio` times as long
    void beginSolve(double h);                         ///< prepareSolve: free step of all awake bodies
    void freeStep(const std::vector<btPliantBody*>&);  ///< of these bodies, which have not stepped yet
    void addContactForces(const std::vector<btPliantBody*>&);
    void listContactForces(btScalar factor);  ///< `contactForces`, of bodies that take them
    void endSolve();                          ///< allSolved: the velocities that Bullet integrates
    void endSubstep();                        ///< updateAction: momentum, sleeping, bounds
    void findSelfContacts();                  ///< of the next substep
    void undoSleepers();                      ///< bodies that Bullet put to sleep after they had stepped
    void collectContactStats();
    void collectPenetrations();  ///< of all contacts, and how many there are
    void collectEnergies();
    void collectStrainEnergies();  ///< of those in `work`
};
