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

/// Energy of saturatedForce() up to a stretch, J.
double energyOfForce(double k, double limit, double stretch) {
    if (!(2.0 * k * stretch > limit)) return 0.5 * k * stretch * stretch;
    const double linear = 0.5 * limit / k, beyond = stretch - linear;
    return 0.25 * limit * linear + limit * beyond + 0.5 * limit * linear * std::expm1(-beyond / linear);
}

/// Integral of exp(c (sin a - sin t)) over t from `a` to `b`, where 0 <= a <= b <= pi / 2: Gauss' rule of five points
/// in eight parts of the way until nothing is left of it.
double integralOfFading(double c, double a, double b) {
    constexpr double kGone = 30.0;  // exp(-30) is 1e-13
    constexpr int kParts = 8;
    constexpr double kPlaces[] = {0.0, 0.5384693101056831, 0.9061798459386640};
    constexpr double kWeights[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
    const double start = std::sin(a), end = std::min(b, std::asin(std::min(1.0, start + kGone / c)));
    const double half = 0.5 * (end - a) / kParts;
    double sum = 0.0;
    for (int part = 0; part < kParts; ++part) {
        const double middle = a + (2 * part + 1) * half;
        const auto at = [&](double place) { return std::exp(c * (start - std::sin(middle + half * place))); };
        sum += kWeights[0] * at(0.0);
        for (int i = 1; i < 3; ++i) sum += kWeights[i] * (at(kPlaces[i]) + at(-kPlaces[i]));
    }
    return half * sum;
}

/// Energy of the torque saturatedForce() of sin(t / 2) up to the angle t = 2 `half`, J.
double energyOfTorque(double k, double limit, double half) {
    const double linear = 0.5 * limit / k;
    if (!(std::sin(half) > linear)) return 4.0 * k * std::pow(std::sin(0.5 * half), 2);
    const double corner = std::asin(linear);
    return 4.0 * k * std::pow(std::sin(0.5 * corner), 2) + 2.0 * limit * (half - corner) -
           limit * integralOfFading(1.0 / linear, corner, half);
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
    return energyOfForce(settings.stiffness, settings.maxForce, stretch) +
           energyOfTorque(settings.torqueStiffness, settings.maxTorque, half);
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
