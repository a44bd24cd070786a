// SPDX-License-Identifier: Zlib
#include "pliant/hand/DeviceGuard.h"

#include <algorithm>

namespace pliant {

const char* nameOf(DeviceStatus status) {
    switch (status) {
        case DeviceStatus::Ready:
            return "ready";
        case DeviceStatus::Stuttering:
            return "stutters";
        case DeviceStatus::Vanished:
            return "vanished";
        case DeviceStatus::NotFinite:
            return "sends no numbers";
    }
    return "";
}

void DeviceGuard::step(const ToolPose* reading, double dt) {
    const bool good = reading && isFinite(*reading);
    if (good) {
        m_state.pose = {reading->position, reading->rotation.normalized()};
        m_state.silence = 0.0;
        m_state.sawBadNumbers = false;
    } else {
        m_state.silence += dt;
        m_state.sawBadNumbers = m_state.sawBadNumbers || reading;
    }
    if (m_state.silence > m_limits.silence)
        m_state.status = m_state.sawBadNumbers ? DeviceStatus::NotFinite : DeviceStatus::Vanished;
    else
        m_state.status = m_state.silence > 0.5 * m_limits.silence ? DeviceStatus::Stuttering : DeviceStatus::Ready;
    const double change = dt / m_limits.release;
    const bool holds = m_state.silence <= m_limits.silence;
    m_state.grip = holds ? std::min(m_state.grip + change, 1.0) : std::max(m_state.grip - change, 0.0);
}

}  // namespace pliant
