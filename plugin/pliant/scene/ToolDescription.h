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
    Path,          ///< A file of poses over time.
    Still,         ///< It stays where it takes hold.
    Udp,           ///< Poses that come as datagrams.
    Mouse,         ///< The mouse of a window.
    Gamepad,       ///< The gamepad of this machine.
    SpaceMouse,    ///< The SpaceMouse of this machine, by its service.
    SpaceMouseHid  ///< The same, read from the device itself.
};

/// Whether a device goes its way in the time of people, not in that of the scene.
inline bool isLive(HandDeviceKind device) {
    return device != HandDeviceKind::Path && device != HandDeviceKind::Still;
}

/// How a tool moves.
enum class ToolDynamics {
    Dynamic,  ///< With its mass, in the steps of the world.
    Static,   ///< Without mass, in the steps of the world.
    Thread    ///< Without mass, in cycles of its own beside the steps of the world.
};

/// A body in a hand.
struct Tool {
    std::string name;                ///< The name that sensors know it by.
    std::string where;               ///< Where it stands in the file: file:line:column.
    Reference body;                  ///< One body.
    Vector3 grip = Vector3::Zero();  ///< The point that is held, of the material at rest, mesh frame (body frame of
                                     ///< rigid ones), m.
    HandSettings settings;           ///< Coupling and limits.
    HandDeviceKind device = HandDeviceKind::Still;  ///< What moves it.
    HandPath path;                                  ///< Path: its keys, in the world.
    ToolDynamics dynamics = ToolDynamics::Dynamic;  ///< How it moves.
    /// Readings of the device in a second; 0 = one a step. Of a tool in a thread its cycles; 0 = 1,000.
    double rate = 0.0;
    double scale = 1.0;  ///< Factor on the device's ways from its first pose on.
    int port = 0;        ///< Port of a device that sends datagrams.
};

}  // namespace pliant::scene
