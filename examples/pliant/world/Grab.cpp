// SPDX-License-Identifier: Zlib
#include "world/Grab.h"

#include <algorithm>

#include "btPliant/btPliantBody.h"
#include "btPliantScene/btPliantConversions.h"

namespace pliant::program {
namespace {

constexpr double kStrength = 40.0;  // times the weight on earth: enough to swing a body about, too little to crush it
constexpr btScalar kShare = btScalar(0.1);  // of the way that a step makes good

/// Keeps which triangle of a body was hit.
struct NearestTriangle : btCollisionWorld::ClosestRayResultCallback {
    using ClosestRayResultCallback::ClosestRayResultCallback;
    btScalar addSingleResult(btCollisionWorld::LocalRayResult& result, bool normalInWorldSpace) override {
        triangle = result.m_localShapeInfo ? result.m_localShapeInfo->m_triangleIndex : -1;
        return ClosestRayResultCallback::addSingleResult(result, normalInWorldSpace);
    }
    int triangle = -1;
};

}  // namespace

bool Grab::take(const Vector3& eye, const Vector3& end) {
    release();
    NearestTriangle hit(toBullet(eye), toBullet(end));
    m_world.rayTest(toBullet(eye), toBullet(end), hit);
    if (!hit.hasHit()) return false;
    auto* body = btRigidBody::upcast(const_cast<btCollisionObject*>(hit.m_collisionObject));
    const btPliantBody* soft = btPliantBody::upcast(body);
    if (!body || (!soft && body->isStaticOrKinematicObject())) return false;
    const btVector3 point = soft ? soft->getRestPoint(hit.triangle, hit.m_hitPointWorld)
                                 : body->getCenterOfMassTransform().inverse() * hit.m_hitPointWorld;
    const double mass = soft ? soft->getModel().totalMass() : 1.0 / static_cast<double>(body->getInvMass());
    m_distance = static_cast<double>((hit.m_hitPointWorld - toBullet(eye)).length());
    m_motor = std::make_unique<btPliantPointMotor>(*body, point, static_cast<btScalar>(kStrength * 9.81 * mass));
    m_motor->setParam(BT_CONSTRAINT_ERP, kShare);
    m_world.addConstraint(m_motor.get());
    body->activate(true);
    return true;
}

void Grab::move(const Vector3& eye, const Vector3& end) {
    if (!m_motor) return;
    const Vector3 target = eye + m_distance * (end - eye).normalized();
    m_motor->setTargetPosition(toBullet(target));
}

void Grab::release() {
    if (!m_motor) return;
    m_world.removeConstraint(m_motor.get());
    m_motor.reset();
}

}  // namespace pliant::program
