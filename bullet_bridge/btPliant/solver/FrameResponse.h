// SPDX-License-Identifier: Zlib
// Internal: what impulses do to frames whose deformation stays as it is.
#pragma once

#include "btPliant/data/Convert.h"
#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Change of angular velocity by an angular impulse, both in the world: Bullet's own, zero of its fixed body.
inline btVector3 rigidResponse(const btSolverBody& body, const btVector3& angular) {
    if (!body.m_originalBody) return btVector3(0, 0, 0);
    return body.m_originalBody->getInvInertiaTensorWorld() * angular * body.m_originalBody->getAngularFactor();
}

/// The same of a frame of ours with the inertia of its present q. @param reduced null: a rigid body
inline btVector3 frameTurn(const btSolverBody& body, const ReducedBody* reduced, const btVector3& angular) {
    if (!reduced) return rigidResponse(body, angular);
    const BodyData& data = dataOf(*reduced->body);
    if (!data.frameIsFree) return btVector3(0, 0, 0);
    const pliant::Matrix3 A = toEigen(reduced->body->getWorldTransform().getBasis());
    const pliant::Vector3 turn = A * (data.inverseInertia * (A.transpose() * toEigen(angular)));
    return toBullet(turn) * reduced->body->getAngularFactor();
}

}  // namespace btPliantInternal
