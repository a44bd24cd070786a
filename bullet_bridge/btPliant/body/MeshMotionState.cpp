// SPDX-License-Identifier: Zlib
#include "btPliant/body/MeshMotionState.h"

#include <algorithm>

#include "btPliant/body/CharacterPoses.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"

namespace btPliantInternal {

// Asked at the start of a stepSimulation, and for driven frames only: forces that substeps have used are of the past.
void MeshMotionState::getWorldTransform(btTransform& worldFromBody) const {
    auto& pointForces = m_data.pointForces;
    pointForces.erase(
        std::remove_if(pointForces.begin(), pointForces.end(), [](const PointForce& f) { return f.consumed; }),
        pointForces.end());
    if (m_user && m_data.character) {
        btTransform worldFromMesh = m_data.body->getMeshTransform();
        m_user->getWorldTransform(worldFromMesh);
        if (isPlace(worldFromMesh)) place(m_data, toEigen(worldFromMesh));
        worldFromBody = m_data.body->getWorldTransform();
    } else if (m_user) {
        btTransform worldFromMesh = worldFromBody * m_data.bodyFromMesh;
        m_user->getWorldTransform(worldFromMesh);
        worldFromBody = worldFromMesh * m_data.meshFromBody;
    } else {
        worldFromBody = m_data.body->getWorldTransform();
    }
}

// Told at the end of a stepSimulation, just before Bullet clears the forces of its bodies.
void MeshMotionState::setWorldTransform(const btTransform& worldFromBody) {
    m_data.pointForces.clear();
    // Those of characters say where these stand, and are told nothing.
    if (m_user && !m_data.character) m_user->setWorldTransform(worldFromBody * m_data.bodyFromMesh);
}

}  // namespace btPliantInternal
