// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandLoop.h"

namespace pliant {

HandLoop::HandLoop(const HandSettings& settings, const ToolPose& pose)
    : m_port(settings, pose), m_tool(settings, pose) {}

HandCycle HandLoop::step(const ToolPose* reading, const ContactFunction& contact, double dt,
                         const ContactRevision& revise) {
    const ToolPose before = m_port.followed();
    m_port.follow(reading, m_tool.pose(), dt);
    HandCycle cycle;
    const CouplingSettings& coupling = m_port.settings().coupling;
    cycle.work = mostCouplingEnergy(coupling, m_port.followed(), m_tool.pose()) -
                 mostCouplingEnergy(coupling, before, m_tool.pose());
    cycle.tool = m_tool.step(m_port.followed(), contact, dt, revise);
    cycle.felt = m_port.render(m_tool.pose(), dt);
    cycle.status = m_port.status();
    return cycle;
}

}  // namespace pliant
