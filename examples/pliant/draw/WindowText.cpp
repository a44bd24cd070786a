// SPDX-License-Identifier: Zlib
#include "draw/WindowText.h"

#include <algorithm>

namespace pliant::program {
namespace {

constexpr float kTextWidth = 1280.0f, kTextHeight = 720.0f;  ///< of a window, in the units of its texts
constexpr float kTextMargin = 16.0f, kTextTop = 684.0f, kTextSize = 20.0f;
constexpr std::size_t kMostOfText = 1500;  ///< what a window holds of a note

}  // namespace

osg::ref_ptr<osg::Camera> makeWindowText(osgText::Text* text, TextPlace place) {
    osg::ref_ptr<osg::Camera> camera = new osg::Camera;
    camera->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
    camera->setProjectionMatrixAsOrtho2D(0, static_cast<double>(kTextWidth), 0, static_cast<double>(kTextHeight));
    camera->setViewMatrix(osg::Matrix::identity());
    camera->setClearMask(GL_DEPTH_BUFFER_BIT);
    camera->setRenderOrder(osg::Camera::POST_RENDER);
    camera->setAllowEventFocus(false);
    camera->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    text->setCharacterSize(kTextSize);
    const bool isTop = place == TextPlace::Top;
    text->setPosition(osg::Vec3(kTextMargin, isTop ? kTextTop : kTextTop - kTextSize, 0.0f));
    text->setAlignment(isTop ? osgText::TextBase::LEFT_BASE_LINE : osgText::TextBase::LEFT_TOP);
    text->setMaximumWidth(kTextWidth - 2.0f * kTextMargin);
    text->setColor(osg::Vec4(0.05f, 0.05f, 0.05f, 1.0f));
    text->setBackdropType(osgText::Text::OUTLINE);
    text->setBackdropColor(osg::Vec4(1.0f, 1.0f, 1.0f, 1.0f));
    text->setDataVariance(osg::Object::DYNAMIC);
    camera->addChild(text);
    camera->setNodeMask(0);
    return camera;
}

void WindowNote::show(const std::string& text) {
    const bool isCut = text.size() > kMostOfText;
    std::size_t end = kMostOfText;
    while (isCut && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0u) == 0x80u) --end;  // whole characters
    m_text->setText(isCut ? text.substr(0, end) + " ..." : text, osgText::String::ENCODING_UTF8);
    m_camera->setNodeMask(text.empty() ? 0u : ~0u);
}

}  // namespace pliant::program
