// SPDX-License-Identifier: Zlib
/// @file
/// A mouse that moves a hand of six degrees of freedom.
#pragma once

#include <memory>
#include <osgGA/GUIEventHandler>

#include "pliant/hand/MouseDevice.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// Feeds a pliant::MouseDevice with the events of a view: `g` closes and opens the clutch; while it is closed the mouse
/// is the hand's and not the camera's: it moves it across the picture, the wheel into it, and with the right button
/// down it turns it.
class PLIANT_API MouseHandHandler : public osgGA::GUIEventHandler {
public:
    /// A handler to add to a viewer.  @param device not null
    explicit MouseHandHandler(std::shared_ptr<pliant::MouseDevice> device);

    /// Whether the mouse moves the hand.
    bool isClutchClosed() const { return _closed; }
    /// Moves another device from now on, with the clutch open: that of a world that has been made again.
    void setDevice(std::shared_ptr<pliant::MouseDevice> device);
    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~MouseHandHandler() override = default;

private:
    void setClutch(bool closed);
    bool handleMouse(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action);

    std::shared_ptr<pliant::MouseDevice> _device;
    bool _closed = false;
    double _x = 0.0, _y = 0.0;  ///< of the pointer, normalised
};

}  // namespace osgPliant
