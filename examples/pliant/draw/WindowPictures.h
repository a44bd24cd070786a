// SPDX-License-Identifier: Zlib
// Pictures of what a window shows.
#pragma once

#include <osg/Camera>
#include <osg/Image>
#include <osg/ref_ptr>

namespace pliant::program {

/// Copies the picture of a window when it is drawn and somebody has asked for it. The window is drawn by the thread
/// that asks.
class WindowPictures : public osg::Camera::DrawCallback {
public:
    /// The next frame is copied.
    void ask() { m_isWanted = true; }
    /// The copy, once it is there: RGB; null before.
    osg::ref_ptr<osg::Image> take() {
        osg::ref_ptr<osg::Image> image = m_image;
        m_image = nullptr;
        return image;
    }

    void operator()(osg::RenderInfo& info) const override {
        const osg::Viewport* area = info.getCurrentCamera()->getViewport();
        if (!m_isWanted || !area) return;
        m_isWanted = false;
        m_image = new osg::Image;
        m_image->readPixels(static_cast<int>(area->x()), static_cast<int>(area->y()), static_cast<int>(area->width()),
                            static_cast<int>(area->height()), GL_RGB, GL_UNSIGNED_BYTE);
    }

private:
    mutable bool m_isWanted = false;
    mutable osg::ref_ptr<osg::Image> m_image;
};

}  // namespace pliant::program
