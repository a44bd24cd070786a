// SPDX-License-Identifier: Zlib
// Internal: the state of a btPliantSystem. What happens to it in a substep is told by step/Substep.h.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/data/BodyData.h"
#include "btPliant/data/HandPushes.h"
#include "btPliant/data/PairPenalties.h"
#include "btPliant/data/SensorData.h"
#include "btPliant/data/TouchPair.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {
struct ContactPair;
}

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
    /// Models with other materials, as long as a body has them.
    struct EditedModel {
        std::shared_ptr<const pliant::ReducedModel> original;
        std::vector<pliant::MaterialEdit> edits;
        std::weak_ptr<const pliant::ReducedModel> edited;
    };
    std::vector<EditedModel> editedModels;
    std::vector<btPliantBody*> bodies;      ///< Owned, in the order of creation.
    std::vector<btPliantBody*> characters;  ///< Those of `bodies` that are characters, in the same order.
    std::vector<std::unique_ptr<btPliantInternal::CharacterCrowd>> crowds;
    std::vector<btPliantBody*> work;  ///< Bodies of the stage under way.
    std::vector<btPliantInternal::ContactPair*>
        /// Live collision pairs by their order, which is that of creation where pairs are not deterministic.
        pairs;
    /// Pairs of strands that may have passed through each other in the substep; room for all `pairs`.
    std::vector<btPliantInternal::ContactPair*> movedPairs;
    std::vector<btPliantInternal::ContactForce> contactForces;
    std::vector<btPliantInternal::ContactPair*> parallelPairs;  ///< Pairs whose contacts are found in parallel.
    std::vector<btManifoldPoint> points;  ///< Points of the substep before they are handed to Bullet.
    /// Whether one of the last substep was matched, for each of `points`.
    std::vector<char> pointIsMatched;
    int preparedPointCount = 0;        ///< How many of `points` the parallel pass has prepared.
    std::vector<double> penetrations;  ///< Depths of the substep, in radii.
    std::vector<double> energies;      ///< Kinetic energies of the bodies in `work`, J.
    /// Later ones about the same pair replace earlier ones.
    std::vector<btPliantInternal::TouchRequest> touchRequests;
    int touchVersion = 0;  ///< Number of the last change of them.
    btPliantInternal::PairPenalties pairPenalties;
    /// Whether the parallel pass over pairs has been made in this substep.
    bool contactsAreFound = false;
    /// Whether all characters have begun the substep's pose; one that is moved from outside ends that.
    bool posesAreBegun = false;
    std::size_t contactsLeft = 0;  ///< How many contacts pairs may still make in the substep.
    /// How many were wanted in the last substep by pairs that are found after the parallel pass.
    std::size_t laterContacts = 0;
    bool hasSprings = false;  ///< Whether a point of a manifold has been a spring by area.
    /// Where in `parallelPairs` the next substep begins with too many contacts.
    int nextLimitedPair = 0;
    unsigned substep = 0;  ///< Number of the last substep whose contacts were asked for.
    std::vector<std::unique_ptr<btPliantContactSensor>> sensors;  ///< Sensors in the order of creation.
    btPliantInternal::SensorIndex sensorIndex;                    ///< Index of `sensors`.
    std::vector<std::weak_ptr<btPliantInternal::HandPushes>>
        hands;  ///< Hands beside the world, in the order of setSystem().
    double stepLength = 0;
    double lastSolvedStep = 0;  ///< Length of the last substep that was solved, s.
    int nextBodyNumber = 0;     ///< Number of the next body.
    btPliantStats stats;
    btPliantStats substepStats;  ///< Those of the substep under way.
    btPliantStats accumulated;
    bool energiesAreMeasured = false;  ///< Whether `stats` has them: they are measured when somebody asks.

    /// Adds a sentence to the status, once. Not from workers. @param sentence with a space at its end
    void say(const std::string& sentence) {
        if (status.find(sentence) == std::string::npos) status += sentence;
    }

    /// The solver is being destroyed before the system.
    void lose(const btPliantConstraintSolver& gone) {
        if (solver != &gone) return;
        solver = nullptr;
        say("The world's solver was destroyed before the btPliantSystem: reduced bodies are coupled one way. ");
    }
    bool worldIsGone = false;  ///< Whether the user has destroyed it before the system.

    bool isInWorld(const btPliantBody& body) const { return body.getBroadphaseHandle() != nullptr; }
};

namespace btPliantInternal {

/// Something that a user has handed over was not taken, which the status of the body's system tells.
inline void refuse(const BodyData& data) {
    dataOf(*data.system)
        .say("A force, an impulse or a place of a reduced body with a number that cannot be was not taken. ");
}

}  // namespace btPliantInternal
