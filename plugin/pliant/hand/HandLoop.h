// SPDX-License-Identifier: Zlib
/// @file
/// A whole cycle of a hand: what a device says, a static tool, and what the device is sent.
#pragma once

#include "pliant/hand/DevicePort.h"
#include "pliant/hand/StaticTool.h"

namespace pliant {

/// What a cycle found.
struct HandCycle {
    Wrench felt;                                ///< To be sent to the device.
    ToolStep tool;                              ///< Of the tool.
    DeviceStatus status = DeviceStatus::Ready;  ///< Of the device.
    /// Work of the pose that is followed on the coupling, J: its energy after that pose has moved, less that before.
    double work = 0.0;
};

/// A static tool with everything around it. When the device falls silent the pose that is followed goes to the tool's,
/// so that the hand lets go of what it presses and of the device alike, and the tool stays where it is; when the
/// device comes back the tool follows it again, no faster than the limits.
class PLIANT_API HandLoop {
public:
    /// Tool and device at one pose.  @param settings have passed checkHandSettings()
    HandLoop(const HandSettings& settings, const ToolPose& pose);

    /// @param reading newest pose of the device in the world; null: none since the last cycle
    /// @param contact what touches the tool; empty: nothing  @param dt time of the cycle, s, > 0
    /// @param revise as of StaticTool::step()
    HandCycle step(const ToolPose* reading, const ContactFunction& contact, double dt,
                   const ContactRevision& revise = {});

    /// Where the tool is.
    const ToolPose& toolPose() const { return m_tool.pose(); }
    /// The pose that the tool follows.
    const ToolPose& followed() const { return m_port.followed(); }
    /// How firmly the hand holds, from 0 (it has let go) to 1.
    double hold() const { return m_port.hold(); }
    /// Energy of the passivity observer, J.
    double energy() const { return m_port.energy(); }

private:
    DevicePort m_port;
    StaticTool m_tool;
};

}  // namespace pliant
