// SPDX-License-Identifier: Zlib
#pragma once

#include <osgGA/GUIEventHandler>

#include "loop/Simulation.h"

namespace pliant::program {

/// Bodies follow the mouse: Ctrl and the left button (without Ctrl, the button is the camera's).
class DragHandler : public osgGA::GUIEventHandler {
public:
    explicit DragHandler(Simulation& simulation) : _simulation(simulation) {}

    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~DragHandler() override = default;

private:
    Simulation& _simulation;
};

}  // namespace pliant::program
