// SPDX-License-Identifier: Zlib
#include "pliant/hand/DevicePort.h"

#include "pliant/hand/StaticTool.h"

namespace pliant {

DevicePort::DevicePort(const HandSettings& settings, const ToolPose& pose)
    : m_settings(settings), m_guard(settings.limits, pose), m_observer(settings) {
    m_state.followed = pose;
}

void DevicePort::follow(const ToolPose* reading, const ToolPose& tool, double dt) {
    const ToolPose last = m_guard.pose(), before = m_state.followed;
    m_guard.step(reading, dt);
    m_state.deviceWay = poseGap(last, m_guard.pose());
    const double hold = m_guard.hold();
    const ToolPose aim = hold < 1.0 ? moved(tool, hold * poseGap(tool, m_guard.pose())) : m_guard.pose();
    m_state.followed = followedPose(m_settings.limits, before, aim, dt);
    // Nothing is held: the pose stays with the tool however fast that one is, so that a hand that comes back finds it.
    if (hold <= 0.0) m_state.followed = tool;
    m_state.velocity = hold <= 0.0 ? Vector6(Vector6::Zero()) : Vector6(poseGap(before, m_state.followed) / dt);
}

Wrench DevicePort::render(const ToolPose& tool, double dt) {
    Wrench felt = renderedWrench(m_settings, m_state.followed, tool);
    felt.force *= m_guard.hold();
    felt.torque *= m_guard.hold();
    return m_observer.step(felt, m_state.deviceWay, dt);
}

DevicePort::State DevicePort::state() const {
    State state = m_state;
    state.guard = m_guard.state();
    state.energy = m_observer.energy();
    state.damping = m_observer.damping();
    return state;
}

void DevicePort::setState(const State& state) {
    m_state = state;
    m_guard.setState(state.guard);
    m_observer.setEnergy(state.energy);
    m_observer.setDamping(state.damping);
}

}  // namespace pliant
