// SPDX-License-Identifier: Zlib
#include "pliant/hand/RateHand.h"

#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

constexpr double kLongestCycle = 0.1;  // s; after a pause, such as of a debugger, the hand does not leap

}  // namespace

void RateHand::deflect(int axis, double value) {
    if (axis < 0 || axis > 5 || !std::isfinite(value)) return;
    const double size = (std::min(std::abs(value), 1.0) - m_settings.deadZone) / (1.0 - m_settings.deadZone);
    // Squared, so that small deflections are fine ones.
    m_deflection[axis] = size > 0.0 ? std::copysign(size * size, value) : 0.0;
}

const ToolPose& RateHand::at(double time) {
    const double dt = m_hasTime ? std::clamp(time - m_time, 0.0, kLongestCycle) : 0.0;
    m_time = time;
    m_hasTime = true;
    Matrix3 axes;
    axes << m_settings.right, m_settings.up.cross(m_settings.right), m_settings.up;
    Vector6 step;
    step << dt * m_settings.speed * (axes * m_deflection.head<3>()),
        dt * m_settings.angularSpeed * (axes * m_deflection.tail<3>());
    m_pose = moved(m_pose, step);
    return m_pose;
}

}  // namespace pliant
