// SPDX-License-Identifier: Zlib
// Internal: the state of a btPliantSystem. What happens to it in a substep is told by step/Substep.h.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/data/BodyData.h"
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
    std::vector<btPliantBody*> bodies;      ///< in order of creation, owned
    std::vector<btPliantBody*> characters;  ///< those of `bodies` that are characters, in the same order
    std::vector<std::unique_ptr<btPliantInternal::CharacterCrowd>> crowds;
    std::vector<btPliantBody*> work;  ///< bodies of the stage under way
    std::vector<btPliantInternal::ContactPair*>
        pairs;  ///< live collision pairs, by their order; of creation where pairs are not deterministic
    std::vector<btPliantInternal::ContactForce> contactForces;
    std::vector<btPliantInternal::ContactPair*> parallelPairs;  ///< those whose contacts are found in parallel
    std::vector<btManifoldPoint> points;                        ///< of the substep, before they are handed to Bullet
    std::vector<char> pointIsMatched;                           ///< of `points`: one of the last substep was matched
    int preparedPointCount = 0;                                 ///< of `points`, by the parallel pass
    std::vector<double> penetrations;                           ///< of the substep, in radii
    std::vector<double> energies;                               ///< J, kinetic, of the bodies in `work`
    std::vector<btPliantInternal::TouchRequest> touchRequests;  ///< later ones about the same pair replace earlier ones
    int touchVersion = 0;                                       ///< number of the last change of them
    bool contactsAreFound = false;  ///< the parallel pass over pairs has been made in this substep
    std::size_t contactsLeft = 0;   ///< that pairs may still make in the substep
    std::size_t laterContacts = 0;  ///< wanted in the last substep by pairs that are found after the parallel pass
    int nextLimitedPair = 0;        ///< in `parallelPairs`, where the next substep begins with too many contacts
    unsigned substep = 0;           ///< number of the last one whose contacts were asked for
    std::vector<std::unique_ptr<btPliantContactSensor>> sensors;  ///< in order of creation
    btPliantInternal::SensorIndex sensorIndex;                    ///< of `sensors`
    double stepLength = 0;
    double lastSolvedStep = 0;  ///< s, of the last substep that was solved
    int nextBodyNumber = 0;     ///< of bodies
    btPliantStats stats;
    btPliantStats substepStats;  ///< of the substep under way
    btPliantStats accumulated;
    bool energiesAreMeasured = false;  ///< in `stats`: they are measured when somebody asks

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
    /// Makes a body, with `character` where it is one.
    btPliantBody* makeBody(btPliantSystem& system, const std::shared_ptr<const pliant::ReducedModel>& model,
                           const btPliantBodyInfo& start, std::unique_ptr<btPliantInternal::CharacterData> character);
    /// Takes a body that is being deleted out of everything that knows it.
    void forget(btPliantBody& gone);
    /// Out of the world, with its joints.
    void takeOut(btPliantBody& body);
    bool worldIsGone = false;  ///< the user has destroyed it before the system

    bool isInWorld(const btPliantBody& body) const { return body.getBroadphaseHandle() != nullptr; }
};

namespace btPliantInternal {

/// Something that a user has handed over was not taken, which the status of the body's system tells.
inline void refuse(const BodyData& data) {
    dataOf(*data.system)
        .say("A force, an impulse or a place of a reduced body with a number that cannot be was not taken. ");
}

}  // namespace btPliantInternal
