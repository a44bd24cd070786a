// SPDX-License-Identifier: Zlib
#include "btPliant/beside/PushLimit.h"

#include <algorithm>
#include <cmath>

namespace btPliantInternal {

using pliant::Vector3;

double PushBounds::shareIn(const PushStep& push) const {
    if (!std::isfinite(energyOf(most))) return 0.0;
    if (!(push.asked > push.energy) || !(asked() > 0.0)) return most;
    const double energy = push.energy * (asked() / push.asked);
    // The larger root of rate s + square s^2 = energy, without the difference of what is nearly the same.
    const double root = std::sqrt(rate * rate + 4.0 * square * energy);
    const double share = rate > 0.0 ? 2.0 * energy / (rate + root) : 0.5 * (root - rate) / square;
    return std::min(share, most);
}

PushBounds boundsOfPush(const btRigidBody& body, const Vector3& force, const Vector3& torque, const PushStep& push) {
    // What factors of Bullet's hold back moves nothing, and bounds nothing.
    const Vector3 moving = force.cwiseProduct(toEigen(body.getLinearFactor()));
    const Vector3 turning = torque.cwiseProduct(toEigen(body.getAngularFactor()));
    const Vector3 spun = toEigen(body.getInvInertiaTensorWorld() * toBullet(turning));
    const double perForce =
        push.step * (static_cast<double>(body.getInvMass()) * moving.squaredNorm() + turning.dot(spun));
    PushBounds bounds;
    if (!(perForce > 0.0)) return bounds;
    const Vector3 centre = toEigen(body.getCenterOfMassPosition());
    const double perWeight = moving.dot(toEigen(body.getGravity()));
    const double weight = push.step * std::min(0.0, perWeight);
    const double now = moving.dot(toEigen(body.getLinearVelocity())) + turning.dot(toEigen(body.getAngularVelocity()));
    const double tool =
        push.speed * moving.norm() + push.angularSpeed * (turning + (centre - push.tool).cross(moving)).norm();
    bounds.most = std::clamp((tool - now - weight) / perForce, 0.0, 1.0);
    bounds.rate = push.step * (now + 0.5 * push.step * perWeight);
    bounds.square = 0.5 * push.step * perForce;
    return bounds;
}

}  // namespace btPliantInternal
