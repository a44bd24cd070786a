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
        m_pose = {reading->position, reading->rotation.normalized()};
        m_silence = 0.0;
        m_sawBadNumbers = false;
    } else {
        m_silence += dt;
        m_sawBadNumbers = m_sawBadNumbers || reading;
    }
    if (m_silence > m_limits.silence)
        m_status = m_sawBadNumbers ? DeviceStatus::NotFinite : DeviceStatus::Vanished;
    else
        m_status = m_silence > 0.5 * m_limits.silence ? DeviceStatus::Stuttering : DeviceStatus::Ready;
    const double change = dt / m_limits.release;
    const bool holds = m_silence <= m_limits.silence;
    m_grip = holds ? std::min(m_grip + change, 1.0) : std::max(m_grip - change, 0.0);
}

}  // namespace pliant
