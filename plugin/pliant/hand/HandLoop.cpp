// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandLoop.h"

namespace pliant {

HandLoop::HandLoop(const HandSettings& settings, const ToolPose& pose)
    : m_settings(settings),
      m_guard(settings.limits, pose),
      m_tool(settings, pose),
      m_observer(settings),
      m_followed(pose) {}

HandCycle HandLoop::step(const ToolPose* reading, const ContactFunction& contact, double dt) {
    const ToolPose last = m_guard.pose();
    m_guard.step(reading, dt);
    const Vector6 motion = poseGap(last, m_guard.pose());
    const double grip = m_guard.grip();
    const ToolPose& tool = m_tool.pose();
    const ToolPose aim = grip < 1.0 ? moved(tool, grip * poseGap(tool, m_guard.pose())) : m_guard.pose();
    m_followed = followedPose(m_settings.limits, m_followed, aim, dt);

    HandCycle cycle;
    cycle.tool = m_tool.step(m_followed, contact, dt);
    Wrench felt = renderedWrench(m_settings, m_followed, m_tool.pose());
    felt.force *= grip;
    felt.torque *= grip;
    cycle.felt = m_observer.step(felt, motion, dt);
    cycle.status = m_guard.status();
    return cycle;
}

}  // namespace pliant
