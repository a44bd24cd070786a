// SPDX-License-Identifier: Zlib
/// @file
/// Where everything of a scene is at one time: plain numbers, the road from physics to pictures.
#pragma once

#include <vector>

#include "pliant/math/Types.h"
#include "pliant/view/Poses.h"

namespace pliant::scene {

/// Rods and pins that show what holds bodies: joints have no shape of their own. World frame, m.
struct LinkShapes {
    /// A cylinder between two points.
    struct Rod {
        Vector3 from;         ///< One end.
        Vector3 to;           ///< The other end.
        double radius = 0.0;  ///< Its radius.
    };
    /// A ball.
    struct Pin {
        Vector3 centre;       ///< Its centre.
        double radius = 0.0;  ///< Its radius.
    };

    std::vector<Rod> rods;  ///< All rods.
    std::vector<Pin> pins;  ///< All pins.
};

/// Where everything of a scene is at one time.
struct ScenePoses {
    double time = 0.0;                  ///< Simulated time, s.
    std::vector<Poses> models;          ///< The bodies of each model, in the order of SceneDescription::models.
    std::vector<RigidTransform> rigid;  ///< World from the frame of every rigid body, group by group.
    /// Whether bodies of each model take part; those that wait for an event do not.
    std::vector<std::vector<char>> isShown;
    std::vector<char> isRigidShown;  ///< The same of rigid bodies.
    std::vector<char> isHeld;        ///< Whether each joint holds, in the order of the file.
    LinkShapes links;                ///< What joints look like.
    int camera = -1;                 ///< Index of the camera that an event has cut to; -1: none has.
    double cutTime = 0.0;            ///< When it has, s.
};

}  // namespace pliant::scene
