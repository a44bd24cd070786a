// SPDX-License-Identifier: Zlib
/// @file
/// Keys and mouse of a simulation, for any View and any camera of it.
#pragma once

#include <functional>
#include <osg/observer_ptr>
#include <osgGA/GUIEventHandler>

#include "osgPliant/DebugDrawing.h"
#include "osgPliant/Hand.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Keys of a simulation: pause (p), one step (n), slower (,) and faster (.), start again (Backspace).
class PLIANT_API SimulationHandler : public osgGA::GUIEventHandler {
public:
    /// What the keys do; each may be empty.
    struct Callbacks {
        /// Called when the simulation is paused or goes on.
        std::function<void(bool paused)> pause;
        /// Called for one step, while paused only.
        std::function<void()> step;
        /// Called to start again.
        std::function<void()> reset;
        /// Called with simulated seconds in a second: halved or doubled from 1, 1/64 to 4.
        std::function<void(double speed)> speed = {};
    };

    /// A handler to add to a viewer.
    explicit SimulationHandler(Callbacks callbacks);

    /// Whether the simulation is paused.
    bool isPaused() const { return _paused; }
    /// Simulated seconds in a second.
    double getSpeed() const { return _speed; }
    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~SimulationHandler() override = default;

private:
    bool setSpeed(double speed);

    Callbacks _callbacks;
    bool _paused = false;
    double _speed = 1.0;
};

/// Bodies follow the mouse: Ctrl and the left button (without Ctrl, the button is the camera's). The line of sight is
/// that of the camera of the event: of a view's main camera, or of the slave that the pointer is in.
class PLIANT_API DragHandler : public osgGA::GUIEventHandler {
public:
    /// A handler that moves a hand, which it keeps.
    explicit DragHandler(Hand* hand);

    /// Whether the hand holds something.
    bool isHolding() const { return _holds; }
    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~DragHandler() override = default;

private:
    osg::ref_ptr<Hand> _hand;
    bool _holds = false;
};

/// Keys of a DebugDrawing: F1 to F9 show and hide its layers, in the order of pliant::DebugLayer.
class PLIANT_API DebugHandler : public osgGA::GUIEventHandler {
public:
    /// A handler for a drawing, which it observes.
    explicit DebugHandler(DebugDrawing* drawing);

    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~DebugHandler() override = default;

private:
    osg::observer_ptr<DebugDrawing> _drawing;
};

}  // namespace osgPliant
