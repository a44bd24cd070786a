// SPDX-License-Identifier: Zlib
#include "pliant/hand/ToolPose.h"

#include <cmath>

namespace pliant {

Rotation shorterTurn(const Rotation& q) {
    return q.w() < 0.0 ? Rotation(-q.w(), -q.x(), -q.y(), -q.z()) : q;
}

Vector6 poseGap(const ToolPose& from, const ToolPose& to) {
    const Rotation turn = shorterTurn(to.rotation * from.rotation.conjugate());
    const double sine = turn.vec().norm();
    // The factor tends to 2 for small turns, where the quotient of both loses its digits.
    const double factor = sine > 1e-12 ? 2.0 * std::atan2(sine, turn.w()) / sine : 2.0;
    return (Vector6() << to.position - from.position, factor * turn.vec()).finished();
}

ToolPose moved(const ToolPose& pose, const Vector6& step) {
    const Vector3 turn = step.tail<3>();
    const double angle = turn.norm();
    const double factor = angle > 1e-12 ? std::sin(0.5 * angle) / angle : 0.5;
    const Vector3 axis = factor * turn;
    const Rotation change(std::cos(0.5 * angle), axis.x(), axis.y(), axis.z());
    return {pose.position + step.head<3>(), (change * pose.rotation).normalized()};
}

bool isFinite(const ToolPose& pose) {
    const double length = pose.rotation.squaredNorm();
    return pose.position.allFinite() && std::isfinite(length) && length > 1e-12;
}

}  // namespace pliant
