// SPDX-License-Identifier: Zlib
#include "pliant/runtime/DefaultDamping.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kTwoPi = 6.28318530717958648;

/// Square of half the angular frequency of a pendulum as long as the body, 1/s^2; 0 of one without a surface.
double squareOfSwing(const ReducedModel& model) {
    constexpr double gravity = 9.81;  // m/s^2
    const Points& drawn = model.surface.positions;
    if (drawn.cols() == 0) return 0.0;
    const double length = (drawn.rowwise().maxCoeff() - drawn.rowwise().minCoeff()).norm();
    return length > 0.0 ? 0.25 * gravity / length : 0.0;
}

}  // namespace

double defaultDampingFrequency(const ReducedModel& model) {
    if (model.restEigenvalues.size() == 0) return 0.0;
    // Rounding may leave a rigid motion of an imported basis with next to no stiffness.
    const double least = 1e-12 * model.restEigenvalues.maxCoeff();
    double lowest = 0.0;
    for (const double lambda : model.restEigenvalues)
        if (lambda > least && (lowest == 0.0 || lambda < lowest)) lowest = lambda;
    return lowest > 0.0 ? std::sqrt(std::max(lowest, squareOfSwing(model))) / kTwoPi : 0.0;
}

DampingSettings defaultDamping(const ReducedModel& model) {
    DampingSettings damping;
    const double frequency = defaultDampingFrequency(model);
    if (frequency > 0.0) damping.stiffness = 2.0 * defaultDampingRatio / (kTwoPi * frequency);
    return damping;
}

DampingSettings defaultDamping(const ReducedModel& model, double step) {
    DampingSettings damping = defaultDamping(model);
    if (damping.stiffness > 0.0) damping.stiffness = std::max(damping.stiffness, defaultDampingOfStep * step);
    return damping;
}

}  // namespace pliant
