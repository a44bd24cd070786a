// SPDX-License-Identifier: Zlib
// Texts over what a window shows.
#pragma once

#include <osg/Camera>
#include <osgText/Text>
#include <string>

namespace pliant::program {

/// Where a text stands in a window.
enum class TextPlace { Top, BelowTop };

/// A camera that draws a text over the picture: dark with a light outline, wrapped at the sides of the window. It is
/// hidden, by its node mask, until somebody has something to tell.
osg::ref_ptr<osg::Camera> makeWindowText(osgText::Text* text, TextPlace place);

/// Lines below the top of a window, which come and go.
class WindowNote {
public:
    WindowNote() : m_text(new osgText::Text), m_camera(makeWindowText(m_text, TextPlace::BelowTop)) {}

    /// To be added to what the window shows.
    osg::Camera* camera() const { return m_camera.get(); }
    /// Shows a text, cut where it is longer than the window is high; empty: none. Between frames.
    void show(const std::string& text);

private:
    osg::ref_ptr<osgText::Text> m_text;
    osg::ref_ptr<osg::Camera> m_camera;
};

}  // namespace pliant::program
