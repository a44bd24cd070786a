// SPDX-License-Identifier: Zlib
// A picture of a scene about the origin, from its own cameras.
#pragma once

#include <osg/Image>

#include "../bridge/BarModel.h"
#include "draw/ScenePainter.h"

namespace pliant::test {

/// A box of two metres about the origin, which scenes of one body fill.
inline scene::Bounds aboutTheOrigin() {
    scene::Bounds bounds;
    bounds.add(Vector3(-1, -1, -1));
    bounds.add(Vector3(1, 1, 1));
    return bounds;
}

class PaintedScene {
public:
    /// @param scene outlives this; all its bodies are of the one model
    PaintedScene(const scene::SceneDescription& scene, const std::shared_ptr<const ReducedModel>& model, int width,
                 int height)
        : m_view(scene, {model}, aboutTheOrigin()), m_painter(m_view, width, height), m_cameras(scene, {}) {}

    /// The image lives until the next call.
    const osg::Image& paint(const scene::ScenePoses& poses) {
        m_cameras.follow(poses);
        m_view.show(poses);
        return m_painter.paint(m_cameras.views(), 0.0);
    }

private:
    program::SceneView m_view;
    program::ScenePainter m_painter;
    scene::SceneCameras m_cameras;
};

/// A bar whose normals turn with every coordinate, each by another amount.
inline std::shared_ptr<const ReducedModel> makeBarWithTurningNormals() {
    const auto bar = std::make_shared<ReducedModel>(*makeBar());
    for (Eigen::Index j = 0; j < bar->surfaceNormalBasis.cols(); ++j)
        for (Eigen::Index i = 0; i < bar->surfaceNormalBasis.rows(); ++i)
            bar->surfaceNormalBasis(i, j) = 0.1f * static_cast<float>(j + 1) - 0.01f * static_cast<float>(i % 17) -
                                            0.3f * static_cast<float>(i % 2);
    return bar;
}

/// Poses at rest of bodies of one model.
inline scene::ScenePoses restPoses(const ReducedModel& model, int count) {
    scene::ScenePoses poses;
    poses.models.resize(1);
    poses.models[0].resize(count, model.dimension());
    poses.isShown = {std::vector<char>(static_cast<std::size_t>(count), 1)};
    return poses;
}

}  // namespace pliant::test
