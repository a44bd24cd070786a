// SPDX-License-Identifier: Zlib
#include "pliant/hand/MouseDevice.h"

#include <cmath>

namespace pliant {

namespace {

constexpr double kMouseTurn = 3.14159265358979323846;  // rad, by half of the window
constexpr double kNotch = 0.1;                         // of the picture's half height

}  // namespace

void MouseHand::look(const MouseView& view) {
    const bool finite = view.right.allFinite() && view.up.allFinite() && std::isfinite(view.halfWidth) &&
                        std::isfinite(view.halfHeight);
    if (finite) m_view = view;
}

void MouseHand::setClutch(bool closed) {
    m_closed = closed;
    if (!closed) m_turning = false;
}

void MouseHand::move(double x, double y) {
    if (!m_closed || !std::isfinite(x) || !std::isfinite(y)) return;
    Vector6 step = Vector6::Zero();
    if (m_turning)  // the side that one sees follows the pointer
        step.tail<3>() = kMouseTurn * (x * m_view.up - y * m_view.right);
    else
        step.head<3>() = x * m_view.halfWidth * m_view.right + y * m_view.halfHeight * m_view.up;
    m_pose = moved(m_pose, step);
}

void MouseHand::wheel(double notches) {
    if (!m_closed || !std::isfinite(notches)) return;
    m_pose.position += notches * kNotch * m_view.halfHeight * m_view.up.cross(m_view.right);
}

bool MouseDevice::read(double, ToolPose& pose) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    pose = m_hand.pose();
    return true;
}

void MouseDevice::write(double, const Wrench& wrench) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_felt = wrench;
}

void MouseDevice::feed(const std::function<void(MouseHand&)>& events) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    events(m_hand);
}

Wrench MouseDevice::felt() const {
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_felt;
}

}  // namespace pliant
