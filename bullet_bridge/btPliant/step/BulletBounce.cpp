// SPDX-License-Identifier: Zlib
// Bullet's row of a contact asks for the velocity e |v| + depth erp / dt, or, before the bodies touch, e |v| - gap /
// dt. Neither is a bounce: a ball that falls from 5 m with e = 1 came back to 7 m or to 4.8, by where the step met it.
#include "btPliant/step/BulletBounce.h"

#include <BulletDynamics/Dynamics/btRigidBody.h>

namespace btPliantInternal {

namespace {

constexpr int springFlags =
    BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP | BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING;

bool mayBounce(const btManifoldPoint& point) {
    return point.m_combinedRestitution > 0 && !(point.m_contactPointFlags & springFlags);
}

btVector3 velocityAt(const btCollisionObject* object, const btVector3& place) {
    const btRigidBody* body = btRigidBody::upcast(object);
    if (!body) return btVector3(0, 0, 0);
    return body->getVelocityInLocalPoint(place - body->getCenterOfMassPosition());
}

}  // namespace

bool mayBounce(const btPersistentManifold& manifold) {
    for (int i = 0; i < manifold.getNumContacts(); ++i)
        if (!mayBounce(manifold.getContactPoint(i))) return false;
    return manifold.getNumContacts() > 0;
}

void letBounce(const btPersistentManifold& manifold, const btContactSolverInfo& info, btSolverConstraint& row) {
    const auto& point = *static_cast<const btManifoldPoint*>(row.m_originalContactPoint);
    const btScalar gap = point.getDistance() + info.m_linearSlop;
    if (!mayBounce(point) || !(gap > 0)) return;
    const btVector3 approach = velocityAt(manifold.getBody1(), point.getPositionWorldOnB()) -
                               velocityAt(manifold.getBody0(), point.getPositionWorldOnA());
    const btScalar speed = point.m_normalWorldOnB.dot(approach);
    if (!(speed > 0) || speed < info.m_restitutionVelocityThreshold) return;  // Bullet gives it no restitution
    const btScalar bounce = point.m_combinedRestitution * speed * row.m_jacDiagABInv;
    // What the row asks for beyond the bounce is the approach under all forces of the step, less that of the gap.
    const bool touchesInStep = row.m_rhs > bounce;
    row.m_rhs += touchesInStep ? gap / info.m_timeStep * row.m_jacDiagABInv : -bounce;
}

}  // namespace btPliantInternal
