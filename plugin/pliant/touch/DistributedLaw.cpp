// SPDX-License-Identifier: Zlib
#include "pliant/touch/DistributedLaw.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

/// Share of the greatest depth at which the tangent takes over: the force keeps a Lipschitz number, 100 k, and no
/// depth has a pole.
constexpr double kTangentShare = 0.9;

/// Of x / (1 - x), from 0 to x < 1: -x - log(1 - x), which for small x is the difference of nearly equal numbers.
double stiffeningIntegral(double x) {
    if (x < 1e-3) return x * x * (1.0 / 2 + x * (1.0 / 3 + x * (1.0 / 4 + x * (1.0 / 5 + x / 6))));
    return -x - std::log1p(-x);
}

double stiffeningPressure(const DistributedLaw& law, double depth) {
    const double end = kTangentShare * law.maxDepth;
    const double curved = std::min(depth, end);
    const double rest = 1.0 - curved / law.maxDepth;
    return law.stiffness * (curved / rest + (depth - curved) / (rest * rest));
}

double stiffeningPotential(const DistributedLaw& law, double depth) {
    const double curved = std::min(depth, kTangentShare * law.maxDepth), beyond = depth - curved;
    const double x = curved / law.maxDepth, rest = 1.0 - x;
    return law.stiffness * (law.maxDepth * law.maxDepth * stiffeningIntegral(x) + beyond * curved / rest +
                            beyond * beyond / (2.0 * rest * rest));
}

}  // namespace

double elasticPressure(const DistributedLaw& law, double depth) {
    if (!(depth > 0.0)) return 0.0;
    switch (law.law) {
        case PressureLaw::Hertz:
            return law.stiffness * std::sqrt(depth);
        case PressureLaw::Stiffening:
            return stiffeningPressure(law, depth);
        case PressureLaw::Linear:
            break;
    }
    return law.stiffness * depth;
}

double pressureSlope(const DistributedLaw& law, double depth) {
    if (!(depth > 0.0)) return 0.0;
    if (law.law == PressureLaw::Hertz) return 0.5 * law.stiffness / std::sqrt(depth);
    if (law.law == PressureLaw::Linear) return law.stiffness;
    const double rest = 1.0 - std::min(depth, kTangentShare * law.maxDepth) / law.maxDepth;
    return law.stiffness / (rest * rest);
}

double pressurePotential(const DistributedLaw& law, double depth) {
    if (!(depth > 0.0)) return 0.0;
    switch (law.law) {
        case PressureLaw::Hertz:
            return law.stiffness * depth * std::sqrt(depth) * (2.0 / 3.0);
        case PressureLaw::Stiffening:
            return stiffeningPotential(law, depth);
        case PressureLaw::Linear:
            break;
    }
    return law.stiffness * depth * depth / 2.0;
}

double dampedPressure(const DistributedLaw& law, double depth, double depthRate) {
    return elasticPressure(law, depth) * std::max(0.0, 1.0 + law.damping * depthRate);
}

Vector3 areaVector(const Matrix3& deformationGradient, const Vector3& restNormal, double restArea) {
    const Vector3 x = deformationGradient.col(0), y = deformationGradient.col(1), z = deformationGradient.col(2);
    return restArea * (restNormal.x() * y.cross(z) + restNormal.y() * z.cross(x) + restNormal.z() * x.cross(y));
}

void DistributedWrenches::add(const Vector3& place, const Vector3& inwardArea, double pressure,
                              const Vector3& shellCentre, const Vector3& fieldCentre) {
    const Vector3 pointForce = pressure * inwardArea;
    force += pointForce;
    shellTorque += (place - shellCentre).cross(pointForce);
    fieldTorque -= (place - fieldCentre).cross(pointForce);
}

}  // namespace pliant
