// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandDevice.h"

#include <limits>

namespace pliant {

HandDevice::~HandDevice() = default;

bool IdentityDevice::read(double, ToolPose& pose) {
    pose = m_pose;
    return true;
}

void IdentityDevice::write(double, const Wrench&) {}

bool PathDevice::read(double time, ToolPose& pose) {
    pose = m_path.at(time);
    return true;
}

void PathDevice::write(double, const Wrench&) {}

RecordDevice::RecordDevice(std::unique_ptr<HandDevice> device, std::size_t cycles)
    : m_device(std::move(device)), m_cycles(cycles) {
    m_record.keys.reserve(cycles);
}

bool RecordDevice::read(double time, ToolPose& pose) {
    if (!m_device->read(time, pose)) return false;
    const bool inOrder = m_record.keys.empty() || time > m_record.keys.back().time;
    // A path has finite poses at rising times: what is not one cannot be replayed.
    if (m_record.keys.size() < m_cycles && inOrder && isFinite(pose))
        m_record.keys.push_back({time, pose, {}});
    else
        ++m_lost;
    return true;
}

void RecordDevice::write(double time, const Wrench& wrench) {
    m_device->write(time, wrench);
    if (!m_record.keys.empty() && m_record.keys.back().time == time) m_record.keys.back().felt = wrench;
}

bool MockDevice::read(double time, ToolPose& pose) {
    for (const Fault& fault : m_faults) {
        if (time < fault.from || time >= fault.to) continue;
        if (!fault.sendsNaN) return false;
        pose.position.setConstant(std::numeric_limits<double>::quiet_NaN());
        return true;
    }
    return m_device->read(time, pose);
}

void MockDevice::write(double time, const Wrench& wrench) {
    m_last = wrench;
    m_device->write(time, wrench);
}

}  // namespace pliant
