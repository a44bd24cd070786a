// SPDX-License-Identifier: Zlib
#include "pliant/hand/VirtualCoupling.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// k u up to half of `limit`, then towards `limit` with the slope of an exponential ([B07, (4.39), (4.40)]; the printed
/// formula lacks its exp), and the derivative by u.
Vector3 saturated(double k, double limit, const Vector3& u, Matrix3& slope) {
    const double r = u.norm();
    if (!(2.0 * k * r > limit)) {
        slope = k * Matrix3::Identity();
        return k * u;
    }
    const double rest = std::exp(1.0 - 2.0 * k * r / limit);  // exp(2 k (r_lin - r) / limit), r_lin = limit / 2k
    const double secant = limit * (1.0 - 0.5 * rest) / r;
    const Vector3 along = u / r;
    slope = secant * Matrix3::Identity() + (k * rest - secant) * along * along.transpose();
    return secant * u;
}

Vector3 cut(const Vector3& u, double limit) {
    const double length = u.norm();
    return length > limit ? Vector3(u * (limit / length)) : u;
}

Rotation turnBetween(const ToolPose& device, const ToolPose& tool) {
    return shorterTurn(device.rotation * tool.rotation.conjugate());
}

}  // namespace

double saturatedForce(double stiffness, double limit, double stretch) {
    const double linear = stiffness * stretch;
    if (!(2.0 * linear > limit)) return linear;
    return limit * (1.0 - 0.5 * std::exp(1.0 - 2.0 * linear / limit));
}

WrenchAndSlope couple(const CouplingSettings& settings, const ToolPose& device, const ToolPose& tool) {
    WrenchAndSlope result;
    Matrix3 slope;
    result.wrench.force = saturated(settings.stiffness, settings.maxForce, device.position - tool.position, slope);
    result.slope.topLeftCorner<3, 3>() = -slope;
    const Rotation turn = turnBetween(device, tool);
    result.wrench.torque = saturated(settings.torqueStiffness, settings.maxTorque, turn.vec(), slope);
    // A rotation w of the tool multiplies `turn` by (1, -w / 2) from the right.
    result.slope.bottomRightCorner<3, 3>() = -0.5 * slope * (turn.w() * Matrix3::Identity() + crossMatrix(turn.vec()));
    return result;
}

double mostCouplingEnergy(const CouplingSettings& settings, const ToolPose& device, const ToolPose& tool) {
    const double stretch = (device.position - tool.position).norm();
    const Rotation turn = turnBetween(device, tool);
    const double half = std::atan2(turn.vec().norm(), turn.w());
    // The integral of k sin(t / 2) over the angle, which is 2 half.
    const double linear = 0.5 * settings.stiffness * stretch * stretch;
    const double turned = 4.0 * settings.torqueStiffness * std::pow(std::sin(0.5 * half), 2);
    return std::min(linear, settings.maxForce * stretch) + std::min(turned, settings.maxTorque * 2.0 * half);
}

Wrench renderedWrench(const HandSettings& settings, const ToolPose& device, const ToolPose& tool) {
    const CouplingSettings& coupling = settings.coupling;
    const Wrench wrench{coupling.stiffness * (tool.position - device.position),
                        -coupling.torqueStiffness * turnBetween(device, tool).vec()};
    return clampedWrench(settings.limits, wrench);
}

Wrench clampedWrench(const HandLimits& limits, const Wrench& wrench) {
    return {cut(wrench.force, limits.deviceForce), cut(wrench.torque, limits.deviceTorque)};
}

}  // namespace pliant
