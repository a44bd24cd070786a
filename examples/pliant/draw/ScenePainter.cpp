// SPDX-License-Identifier: Zlib
#include "draw/ScenePainter.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

/// Lays a picture into a larger one.
void lay(const osg::Image& part, int left, int bottom, osg::Image& whole) {
    const std::size_t bytes = static_cast<std::size_t>(part.s()) * 3;
    for (int row = 0; row < part.t(); ++row)
        std::memcpy(whole.data(static_cast<unsigned>(left), static_cast<unsigned>(bottom + row)),
                    part.data(0, static_cast<unsigned>(row)), bytes);
}

}  // namespace

ScenePainter::ScenePainter(SceneView& view, int width, int height) : m_view(view), m_width(width), m_height(height) {
    viewerOf(0, width, height);  // that there is no context is told at once, not after a long run
}

osgPliant::HeadlessViewer& ScenePainter::viewerOf(std::size_t view, int width, int height) {
    if (m_viewers.size() <= view) m_viewers.resize(view + 1);
    std::unique_ptr<osgPliant::HeadlessViewer>& viewer = m_viewers[view];
    if (viewer && viewer->getWidth() == width && viewer->getHeight() == height) return *viewer;
    osgPliant::HeadlessOptions options;
    options.width = width;
    options.height = height;
    viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
    if (!viewer->isValid()) throw Error("", viewer->getProblem(), "or run with --no-draw");
    viewer->setScene(m_view.root());
    return *viewer;
}

const osg::Image& ScenePainter::paint(const std::vector<scene::ShownView>& views, double time) {
    const osg::Image* whole = nullptr;
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::array<double, 4>& area = views[i].area;
        const auto pixels = [](double share, int of) { return static_cast<int>(std::lround(share * of)); };
        const int left = std::min(pixels(area[0], m_width), m_width - 1);
        const int bottom = std::min(pixels(area[1], m_height), m_height - 1);
        const int width = std::clamp(pixels(area[2], m_width), 1, m_width - left);
        const int height = std::clamp(pixels(area[3], m_height), 1, m_height - bottom);
        osgPliant::HeadlessViewer& viewer = viewerOf(i, width, height);
        const osgPliant::CameraPlace place = osgPliant::cameraPlace(views[i].point);
        viewer.setCamera(place.eye, place.centre, place.up, place.fieldOfView);
        const osg::Image* image = viewer.render(time);
        if (!image) throw Error("", viewer.getProblem());
        if (views.size() == 1 && width == m_width && height == m_height) return *image;
        if (!m_whole) {
            m_whole = new osg::Image;
            m_whole->allocateImage(m_width, m_height, 1, GL_RGB, GL_UNSIGNED_BYTE, 1);
        }
        if (i == 0) std::memset(m_whole->data(), 0, m_whole->getTotalSizeInBytes());
        lay(*image, left, bottom, *m_whole);
        whole = m_whole;
    }
    return *whole;
}

}  // namespace pliant::program
