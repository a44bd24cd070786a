// SPDX-License-Identifier: Zlib
/// @file
/// Where the cameras of a scene look from, as it runs: from poses alone, so that a recorded run has them, too.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/scene/SceneBounds.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/ScenePoses.h"
#include "pliant/scene/WholeView.h"

namespace pliant::scene {

/// A rectangle of the picture, and where it looks from.
struct ShownView {
    ViewPoint point;                                    ///< Where it is seen from.
    std::array<double, 4> area = {0.0, 0.0, 1.0, 1.0};  ///< Left, bottom, width, height, shares of the picture.
};

/// Where the cameras of a scene look from, as it runs.
///
///     SceneCameras cameras(scene, physics.getWholeView());
///     ... cameras.follow(physics.getPoses()); draw(cameras.views()); ...
class PLIANT_API SceneCameras {
public:
    /// @param scene has the cameras; copied
    /// @param whole what is shown where the scene names none: all bodies, as near as they are all in the picture
    SceneCameras(const SceneDescription& scene, const WholeView& whole);

    /// Brings everything to the time of the poses, which are those of the same scene. Cameras with lag come nearer to
    /// what they follow; a time before that of the last call starts them anew.
    void follow(const ScenePoses& poses);
    /// What the picture shows, at least one view.
    /// @param camera shown in place of all views; empty: what views, shots and events say
    std::vector<ShownView> views(const std::string& camera = {}) const;

private:
    struct Target {
        int model = -1, number = 0;  ///< a reduced body; model -1: a rigid one
    };
    Vector3 positionOf(const Target& target, const ScenePoses& poses) const;
    ViewPoint pointOf(std::size_t camera) const;
    int shotCamera() const;

    SceneDescription m_scene;
    WholeView m_whole;
    ViewPoint m_standard;             ///< As m_whole is seen now.
    std::vector<Target> m_targets;    ///< Of each camera.
    std::vector<Vector3> m_followed;  ///< Of each camera: where it takes its body to be, m.
    double m_time = -1.0, m_cutTime = 0.0;
    int m_cut = -1;
};

}  // namespace pliant::scene
