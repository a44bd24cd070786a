// SPDX-License-Identifier: Zlib
// Pictures of a scene from several cameras at once, without a window.
#pragma once

#include <memory>
#include <vector>

#include "draw/SceneView.h"
#include "osgPliant/HeadlessViewer.h"
#include "pliant/scene/SceneCameras.h"

namespace pliant::program {

class ScenePainter {
public:
    /// @param view shared; outlives this. @param width, height of the pictures, pixels. @throws Error (no GL context)
    ScenePainter(SceneView& view, int width, int height);

    /// What the cameras see; rectangles of later ones lie over those of earlier ones. @return RGB, overwritten by the
    /// next call. @throws Error (no GL context)
    const osg::Image& paint(const std::vector<scene::ShownView>& views, double time);

private:
    osgPliant::HeadlessViewer& viewerOf(std::size_t view, int width, int height);

    SceneView& m_view;
    int m_width, m_height;
    std::vector<std::unique_ptr<osgPliant::HeadlessViewer>> m_viewers;  ///< of each view
    osg::ref_ptr<osg::Image> m_whole;
};

}  // namespace pliant::program
