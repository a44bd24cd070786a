// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file says about hands: which bodies they hold, how, and what moves them.
#pragma once

#include <string>

#include "pliant/hand/HandPath.h"
#include "pliant/hand/HandSettings.h"
#include "pliant/math/Types.h"
#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

/// Where a hand's pose comes from.
enum class HandDeviceKind {
    Path,       ///< a file of poses over time
    Still,      ///< it stays where it takes hold
    Udp,        ///< datagrams
    Mouse,      ///< of a window
    Gamepad,    ///< of this machine
    SpaceMouse  ///< of this machine
};

/// Whether a device goes its way in the time of people, not in that of the scene.
inline bool isLive(HandDeviceKind device) {
    return device != HandDeviceKind::Path && device != HandDeviceKind::Still;
}

/// A body in a hand.
struct Tool {
    std::string name;                ///< for sensors
    std::string where;               ///< file:line:column
    Reference body;                  ///< one body
    Vector3 grip = Vector3::Zero();  ///< of the material at rest, mesh frame (body frame of rigid ones), m
    HandSettings settings;           ///< coupling and limits
    HandDeviceKind device = HandDeviceKind::Still;  ///< what moves it
    HandPath path;                                  ///< path: its keys, in the world
    double rate = 0.0;                              ///< readings of the device in a second; 0 = one a step
    double scale = 1.0;                             ///< of the device's ways from its first pose on
    int port = 0;                                   ///< udp
};

}  // namespace pliant::scene
