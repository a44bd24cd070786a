// SPDX-License-Identifier: Zlib
#include "osgPliant/Handlers.h"

#include <algorithm>
#include <cmath>
#include <osg/Camera>
#include <osg/View>
#include <osgGA/GUIActionAdapter>
#include <utility>

namespace osgPliant {

namespace {

using Event = osgGA::GUIEventAdapter;

constexpr double slowest = 1.0 / 64.0, fastest = 4.0;

/// Line of sight through the pointer, in world coordinates: from the eye, or for parallel projections from the near
/// plane, to the far plane.
struct Sight {
    osg::Vec3d eye, end;
};

/// @return false where the event has no camera
bool sightOf(const Event& event, osgGA::GUIActionAdapter& action, Sight& sight) {
    osg::View* view = action.asView();
    const osg::Camera* camera = view ? view->getCamera() : nullptr;
    double x = static_cast<double>(event.getXnormalized()), y = static_cast<double>(event.getYnormalized());
    if (event.getNumPointerData() > 0) {
        const osgGA::PointerData* pointer = event.getPointerData(event.getNumPointerData() - 1);
        if (const auto* pointed = dynamic_cast<const osg::Camera*>(pointer->object.get())) {
            camera = pointed;
            x = static_cast<double>(pointer->getXnormalized());
            y = static_cast<double>(pointer->getYnormalized());
        }
    }
    if (!camera) return false;
    const osg::Matrixd toWorld = osg::Matrixd::inverse(camera->getViewMatrix() * camera->getProjectionMatrix());
    const bool parallel = camera->getProjectionMatrix()(3, 3) == 1.0;
    sight.end = osg::Vec3d(x, y, 1.0) * toWorld;
    sight.eye = parallel ? osg::Vec3d(x, y, -1.0) * toWorld
                         : osg::Vec3d(0, 0, 0) * osg::Matrixd::inverse(camera->getViewMatrix());
    return true;
}

}  // namespace

SimulationHandler::SimulationHandler(Callbacks callbacks) : _callbacks(std::move(callbacks)) {}

bool SimulationHandler::setSpeed(double speed) {
    _speed = std::clamp(speed, slowest, fastest);
    _callbacks.speed(_speed);
    return true;
}

bool SimulationHandler::handle(const Event& event, osgGA::GUIActionAdapter&) {
    if (event.getHandled() || event.getEventType() != Event::KEYDOWN) return false;
    switch (event.getKey()) {
        case 'p':
            _paused = !_paused;
            if (_callbacks.pause) _callbacks.pause(_paused);
            return true;
        case 'n':
            if (_paused && _callbacks.step) _callbacks.step();
            return true;
        case ',':
            return _callbacks.speed && setSpeed(0.5 * _speed);
        case '.':
            return _callbacks.speed && setSpeed(2.0 * _speed);
        case Event::KEY_BackSpace:
            if (_callbacks.reset) _callbacks.reset();
            return true;
        default:
            return false;
    }
}

void SimulationHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("p", "Pause or go on");
    usage.addKeyboardMouseBinding("n", "One step, while paused");
    if (_callbacks.speed) usage.addKeyboardMouseBinding(", and .", "Slower and faster");
    usage.addKeyboardMouseBinding("Backspace", "Start again");
}

DragHandler::DragHandler(Hand* hand) : _hand(hand) {}

bool DragHandler::handle(const Event& event, osgGA::GUIActionAdapter& action) {
    if (event.getHandled() || !_hand) return false;
    Sight sight;
    const bool ctrl = (event.getModKeyMask() & Event::MODKEY_CTRL) != 0;
    switch (event.getEventType()) {
        case Event::PUSH:
            if (!ctrl || event.getButton() != Event::LEFT_MOUSE_BUTTON || !sightOf(event, action, sight)) return false;
            _holds = _hand->take(sight.eye, sight.end);
            return true;  // the camera does not turn, whether something was there or not
        case Event::DRAG:
            if (!_holds) return ctrl;
            if (sightOf(event, action, sight)) _hand->move(sight.eye, sight.end);
            return true;
        case Event::RELEASE:
            if (!_holds) return false;
            _holds = false;
            _hand->release();
            return true;
        default:
            return false;
    }
}

void DragHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding("Ctrl + left mouse", "Drag a body");
}

DebugHandler::DebugHandler(DebugDrawing* drawing) : _drawing(drawing) {}

bool DebugHandler::handle(const Event& event, osgGA::GUIActionAdapter& action) {
    if (event.getHandled() || event.getEventType() != Event::KEYDOWN) return false;
    const int number = event.getKey() - Event::KEY_F1;
    osg::ref_ptr<DebugDrawing> drawing;
    if (number < 0 || number >= pliant::debugLayerCount || !_drawing.lock(drawing)) return false;
    const auto layer = static_cast<pliant::DebugLayer>(number);
    drawing->setLayerShown(layer, !drawing->getLayerShown(layer));
    action.requestRedraw();
    return true;
}

void DebugHandler::getUsage(osg::ApplicationUsage& usage) const {
    for (int layer = 0; layer < pliant::debugLayerCount; ++layer)
        usage.addKeyboardMouseBinding("F" + std::to_string(layer + 1),
                                      std::string("Debug layer: ") + nameOf(static_cast<pliant::DebugLayer>(layer)));
}

}  // namespace osgPliant
