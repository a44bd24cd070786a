// SPDX-License-Identifier: Zlib
/// @file
/// A mouse as a device of six degrees of freedom.
#pragma once

#include <functional>
#include <mutex>

#include "pliant/hand/HandDevice.h"

namespace pliant {

/// What one sees of the world where a hand is.
struct MouseView {
    Vector3 right = Vector3::UnitX();  ///< Of the picture, in the world, of unit length.
    Vector3 up = Vector3::UnitZ();     ///< The same, upright on `right`.
    double halfWidth = 1.0;            ///< Of what the window shows at the hand's distance, m.
    double halfHeight = 1.0;           ///< The same, m.
};

/// The pose that the events of a mouse lead to: moves go across the picture, the wheel goes into it, with the right
/// button down moves turn, and while the clutch is open nothing happens, so that the mouse can be taken elsewhere.
/// Knows no window: events are calls.
class PLIANT_API MouseHand {
public:
    /// At a pose, with the clutch open.
    explicit MouseHand(const ToolPose& pose) : m_pose(pose) {}

    /// What is seen from now on; views that are not finite are passed over.
    void look(const MouseView& view);
    /// Closes or opens the clutch; an open one ends a turn, too.
    void setClutch(bool closed);
    /// The right button goes down or up.
    void setTurning(bool turning) { m_turning = turning && m_closed; }
    /// The pointer has moved.  @param x, y to the right and up, in halves of the window's width and height
    void move(double x, double y);
    /// The wheel has turned.  @param notches away from the user: a tenth of `halfHeight` each, into the picture
    void wheel(double notches);

    /// Where the hand is, in the world.
    const ToolPose& pose() const { return m_pose; }
    /// Whether the mouse moves the hand.
    bool isClutchClosed() const { return m_closed; }
    /// Whether it turns it.
    bool isTurning() const { return m_turning; }

private:
    ToolPose m_pose;
    MouseView m_view;
    bool m_closed = false, m_turning = false;
};

/// A MouseHand between two threads: a window's that feeds it, and the one of the cycle.
class PLIANT_API MouseDevice : public HandDevice {
public:
    /// At a pose, with the clutch open.
    explicit MouseDevice(const ToolPose& pose) : m_hand(pose) {}
    bool read(double time, ToolPose& pose) override;
    void write(double time, const Wrench& wrench) override;
    /// Tells the hand about events.  @param events runs at once, while nobody reads
    void feed(const std::function<void(MouseHand&)>& events);
    /// What was felt last.
    Wrench felt() const;

private:
    mutable std::mutex m_mutex;
    MouseHand m_hand;
    Wrench m_felt;
};

}  // namespace pliant
