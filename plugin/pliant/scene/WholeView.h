// SPDX-License-Identifier: Zlib
/// @file
/// A camera that keeps all bodies of a scene in the picture as they fall together: that of scenes that name none.
#pragma once

#include <vector>

#include "pliant/scene/SceneBounds.h"

namespace pliant::scene {

/// How a scene is seen that names no camera: from `start` at first, then always from that side and as near as the boxes
/// that all bodies have at rest are in the picture (of characters, by the pose of their first bone). Without boxes it
/// stays where it is.
struct WholeView {
    /// Nothing is seen.
    WholeView() = default;
    /// A camera that stays where it is.
    WholeView(const ViewPoint& point) : start(point) {}

    ViewPoint start;             ///< At first. Sees where bodies fall to, too.
    std::vector<Bounds> models;  ///< The drawn surface of each model at rest, body frame.
    std::vector<Bounds> rigid;   ///< Each rigid body in its own frame; empty for what has no end.
    double aspect = 16.0 / 9.0;  ///< Width of the picture over its height.
};

}  // namespace pliant::scene
