// SPDX-License-Identifier: Zlib
// Worlds of characters whose bones nobody drives.
#pragma once

#include <vector>

#include "CharacterWorld.h"

namespace pliant::test {

/// The bar, nodding at a height above the plane y = 0 or without one.
struct RagdollWorld : CharacterWorld {
    explicit RagdollWorld(const btPliantSystemInfo& info = oneThread()) : CharacterWorld(info) {
        world.getDispatchInfo().m_deterministicOverlappingPairs = true;
    }
    btPliantCharacter* addNodding(const btVector3& at, double tilt = 0.0, double damping = 0.0) {
        btPliantCharacterInfo info;
        info.m_phase = 0.2;
        info.m_speed = 1.5;
        info.m_base = shape;
        info.m_damping.stiffness = damping;
        info.m_meshTransform = btTransform(btQuaternion(btVector3(1, 0, 1), static_cast<btScalar>(tilt)), at);
        return add(info);
    }
    RestShape shape = RestShape::Skin;  ///< of the bars that are added

    /// Kinetic and elastic energy, J.
    static double energy(const btPliantCharacter& character) {
        return character.getKineticEnergy() + character.getStrainEnergy();
    }
};

/// A heap of ragdolls and balls.
struct RagdollHeap : RagdollWorld {
    explicit RagdollHeap(int threads = 1, RestShape of = RestShape::Skin) : RagdollWorld(info(threads)) {
        shape = of;
        addGround();
        for (int i = 0; i < 3; ++i)
            ragdolls.push_back(addNodding(
                btVector3(static_cast<btScalar>(0.2 * i), static_cast<btScalar>(0.4 + 0.5 * i), btScalar(0.05 * i)),
                0.3 * i, 0.003));
        for (btPliantCharacter* ragdoll : ragdolls) ragdoll->startRagdoll();
        for (int i = 0; i < 2; ++i)
            balls.push_back(addBall(0.1, 2.0, btVector3(btScalar(0.4), static_cast<btScalar>(2 + 0.5 * i), 0)));
    }
    static btPliantSystemInfo info(int threads) {
        btPliantSystemInfo made;
        made.m_threads = threads;
        return made;
    }
    std::vector<double> numbers() const {
        std::vector<double> all;
        for (const btPliantCharacter* character : ragdolls) {
            const VectorX q = character->getReducedCoordinates(), v = character->getReducedVelocities();
            all.insert(all.end(), q.begin(), q.end());
            all.insert(all.end(), v.begin(), v.end());
            std::vector<AffineMap> bones;
            character->getBones(bones);
            for (const AffineMap& bone : bones) all.insert(all.end(), bone.data(), bone.data() + 12);
            if (const btPliantInternal::RagdollData* d = btPliantInternal::dataOf(*character).ragdoll())
                all.insert(all.end(), d->V.begin(), d->V.end());
        }
        for (const btRigidBody* ball : balls)
            for (int k = 0; k < 3; ++k) all.push_back(static_cast<double>(ball->getCenterOfMassPosition()[k]));
        return all;
    }
    std::vector<btPliantCharacter*> ragdolls;
    std::vector<btRigidBody*> balls;
};

}  // namespace pliant::test
