// SPDX-License-Identifier: Zlib
#include "osgPliant/MouseHandHandler.h"

#include <cmath>
#include <osg/Camera>
#include <osg/View>
#include <osgGA/GUIActionAdapter>
#include <utility>

namespace osgPliant {

namespace {

using Event = osgGA::GUIEventAdapter;
using pliant::MouseHand;

pliant::Vector3 eigenOf(const osg::Vec3d& v) {
    return {v.x(), v.y(), v.z()};
}

/// What the camera of a view shows at a place. @return false where there is no camera, or it does not look there
bool viewAt(osgGA::GUIActionAdapter& action, const pliant::Vector3& place, pliant::MouseView& seen) {
    osg::View* view = action.asView();
    const osg::Camera* camera = view ? view->getCamera() : nullptr;
    if (!camera) return false;
    const osg::Matrixd toWorld = osg::Matrixd::inverse(camera->getViewMatrix());
    const osg::Matrixd& projection = camera->getProjectionMatrix();
    const osg::Vec3d inView = osg::Vec3d(place.x(), place.y(), place.z()) * camera->getViewMatrix();
    const bool parallel = projection(3, 3) == 1.0;
    const double distance = parallel ? 1.0 : -inView.z();
    if (!(distance > 0.0)) return false;
    seen.right = eigenOf(osg::Matrixd::transform3x3(osg::Vec3d(1, 0, 0), toWorld)).normalized();
    seen.up = eigenOf(osg::Matrixd::transform3x3(osg::Vec3d(0, 1, 0), toWorld)).normalized();
    seen.halfWidth = distance / projection(0, 0);
    seen.halfHeight = distance / projection(1, 1);
    return true;
}

}  // namespace

MouseHandHandler::MouseHandHandler(std::shared_ptr<pliant::MouseDevice> device) : _device(std::move(device)) {}

void MouseHandHandler::setDevice(std::shared_ptr<pliant::MouseDevice> device) {
    _device = std::move(device);
    _closed = false;
}

void MouseHandHandler::setClutch(bool closed) {
    _closed = closed;
    _device->feed([closed](MouseHand& hand) { hand.setClutch(closed); });
}

bool MouseHandHandler::handle(const Event& event, osgGA::GUIActionAdapter& action) {
    if (event.getHandled()) return false;
    if (event.getEventType() == Event::KEYDOWN && event.getKey() == 'g') {
        setClutch(!_closed);
        return true;
    }
    return handleMouse(event, action);
}

bool MouseHandHandler::handleMouse(const Event& event, osgGA::GUIActionAdapter& action) {
    const Event::EventType type = event.getEventType();
    const bool moves = type == Event::MOVE || type == Event::DRAG;
    const bool buttons = type == Event::PUSH || type == Event::RELEASE;
    if (!moves && !buttons && type != Event::SCROLL) return false;
    const double x = static_cast<double>(event.getXnormalized()), y = static_cast<double>(event.getYnormalized());
    const double dx = x - std::exchange(_x, x), dy = y - std::exchange(_y, y);
    if (!_closed) return false;
    _device->feed([&](MouseHand& hand) {
        pliant::MouseView seen;
        if (!viewAt(action, hand.pose().position, seen)) return;
        hand.look(seen);
        if (buttons && event.getButton() == Event::RIGHT_MOUSE_BUTTON) hand.setTurning(type == Event::PUSH);
        if (moves) hand.move(dx, dy);
        if (event.getScrollingMotion() == Event::SCROLL_UP) hand.wheel(1);
        if (event.getScrollingMotion() == Event::SCROLL_DOWN) hand.wheel(-1);
    });
    action.requestRedraw();
    return true;
}

void MouseHandHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("g", "The mouse moves the hand (wheel: away; right button: turn) or the camera");
}

}  // namespace osgPliant
