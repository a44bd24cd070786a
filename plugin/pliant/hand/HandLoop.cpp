// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandLoop.h"

namespace pliant {

namespace {

/// Work on the coupling of a pose that moves while the tool stands, J.
double workOfWay(const CouplingSettings& coupling, const ToolPose& from, const ToolPose& to, const ToolPose& tool) {
    const Vector6 way = poseGap(from, to);
    if (way.isZero(0.0)) return 0.0;
    return 0.5 * way.dot(couple(coupling, from, tool).wrench.vector() + couple(coupling, to, tool).wrench.vector());
}

}  // namespace

HandLoop::HandLoop(const HandSettings& settings, const ToolPose& pose)
    : m_port(settings, pose), m_tool(settings, pose) {}

HandCycle HandLoop::step(const ToolPose* reading, const ContactFunction& contact, double dt,
                         const ContactRevision& revise) {
    const ToolPose before = m_port.followed();
    m_port.follow(reading, m_tool.pose(), dt);
    HandCycle cycle;
    cycle.work = workOfWay(m_port.settings().coupling, before, m_port.followed(), m_tool.pose());
    cycle.tool = m_tool.step(m_port.followed(), contact, dt, revise);
    cycle.felt = m_port.render(m_tool.pose(), dt);
    cycle.status = m_port.status();
    return cycle;
}

}  // namespace pliant
