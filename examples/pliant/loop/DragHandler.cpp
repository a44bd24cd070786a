// SPDX-License-Identifier: Zlib
#include "loop/DragHandler.h"

#include <osgViewer/Viewer>

namespace pliant::program {
namespace {

/// Line of sight through the mouse, world: from the eye to the far plane.
struct Sight {
    Vector3 eye, end;
};

Sight sightOf(const osgGA::GUIEventAdapter& event, const osg::Camera& camera) {
    const osg::Matrixd toWorld = osg::Matrixd::inverse(camera.getViewMatrix() * camera.getProjectionMatrix());
    const osg::Vec3d end = osg::Vec3d(event.getXnormalized(), event.getYnormalized(), 1.0) * toWorld;
    const osg::Vec3d eye = osg::Vec3d(0, 0, 0) * osg::Matrixd::inverse(camera.getViewMatrix());
    return {Vector3(eye.x(), eye.y(), eye.z()), Vector3(end.x(), end.y(), end.z())};
}

}  // namespace

bool DragHandler::handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) {
    const auto* view = dynamic_cast<osgViewer::View*>(&action);
    if (!view || event.getHandled()) return false;
    Grab& hand = _simulation.hand();
    const bool ctrl = (event.getModKeyMask() & osgGA::GUIEventAdapter::MODKEY_CTRL) != 0;
    const Sight sight = sightOf(event, *view->getCamera());
    switch (event.getEventType()) {
        case osgGA::GUIEventAdapter::PUSH:
            if (!ctrl || event.getButton() != osgGA::GUIEventAdapter::LEFT_MOUSE_BUTTON) return false;
            hand.take(sight.eye, sight.end);
            return true;  // the camera does not turn, whether something was there or not
        case osgGA::GUIEventAdapter::DRAG:
            if (!hand.holds()) return ctrl;
            hand.move(sight.eye, sight.end);
            return true;
        case osgGA::GUIEventAdapter::RELEASE:
            if (!hand.holds()) return false;
            hand.release();
            return true;
        default:
            return false;
    }
}

void DragHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("Ctrl + left mouse", "Drag a body");
}

}  // namespace pliant::program
