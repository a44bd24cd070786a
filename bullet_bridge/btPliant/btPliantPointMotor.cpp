// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantPointMotor.h"

#include "btPliant/btPliantBody.h"
#include "btPliant/data/Sound.h"

using btPliantInternal::isFinite;

btPliantPointMotor::btPliantPointMotor(btRigidBody& body, const btVector3& restPoint, btScalar largestForce)
    : btPliantPoint2PointConstraint(body, restPoint), m_largestForce(largestForce) {}

bool btPliantPointMotor::setTargetPosition(const btVector3& position, const btVector3& velocity) {
    if (!isFinite(position) || !isFinite(velocity)) return false;
    setPivotB(position);
    m_velocity = velocity;
    m_holdsPosition = true;
    getRigidBodyA().activate();
    return true;
}

bool btPliantPointMotor::setTargetVelocity(const btVector3& velocity) {
    if (!isFinite(velocity)) return false;
    m_velocity = velocity;
    m_holdsPosition = false;
    getRigidBodyA().activate();
    return true;
}

bool btPliantPointMotor::setLargestForce(btScalar force) {
    if (!(force >= btScalar(0))) return false;
    m_largestForce = force;
    return true;
}

void btPliantPointMotor::getInfo2(btConstraintInfo2* info) {
    btPoint2PointConstraint::getInfo2(info);
    for (int k = 0; k < 3; ++k) {
        btScalar& target = info->m_constraintError[k * info->rowskip];
        target = (m_holdsPosition ? target : btScalar(0)) + m_velocity[k];
        // A plain rigid body's rows are Bullet's, one by one; those of reduced bodies share getLargestImpulse().
        if (m_largestForce >= SIMD_INFINITY || btPliantBody::upcast(&getRigidBodyA())) continue;
        info->m_lowerLimit[k * info->rowskip] = -m_largestForce / info->fps;
        info->m_upperLimit[k * info->rowskip] = m_largestForce / info->fps;
    }
}

btScalar btPliantPointMotor::getLargestImpulse(btScalar h) const {
    return m_largestForce >= SIMD_INFINITY ? SIMD_INFINITY : h * m_largestForce;
}
