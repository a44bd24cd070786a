// SPDX-License-Identifier: Zlib
#include "btPliant/beside/PushLimit.h"

#include <algorithm>

namespace btPliantInternal {

using pliant::Vector3;

double shareOfPush(const btRigidBody& body, const Vector3& force, const Vector3& torque, const PushStep& push) {
    // What factors of Bullet's hold back moves nothing, and bounds nothing.
    const Vector3 moving = force.cwiseProduct(toEigen(body.getLinearFactor()));
    const Vector3 turning = torque.cwiseProduct(toEigen(body.getAngularFactor()));
    const Vector3 spun = toEigen(body.getInvInertiaTensorWorld() * toBullet(turning));
    const double perForce =
        push.step * (static_cast<double>(body.getInvMass()) * moving.squaredNorm() + turning.dot(spun));
    if (!(perForce > 0.0)) return 1.0;
    const Vector3 centre = toEigen(body.getCenterOfMassPosition());
    const double tool =
        push.speed * moving.norm() + push.angularSpeed * (turning + (centre - push.tool).cross(moving)).norm();
    const double weight = push.step * std::min(0.0, moving.dot(toEigen(body.getGravity())));
    const double now = moving.dot(toEigen(body.getLinearVelocity())) + turning.dot(toEigen(body.getAngularVelocity()));
    return std::clamp((tool - now - weight) / perForce, 0.0, 1.0);
}

}  // namespace btPliantInternal
