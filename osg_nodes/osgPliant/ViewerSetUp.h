// SPDX-License-Identifier: Zlib
/// @file
/// What users of an OpenSceneGraph viewer expect on their keyboard, and the keys of a simulation.
#pragma once

#include <functional>
#include <osgGA/GUIEventHandler>
#include <osgViewer/Viewer>
#include <string>

#include "pliant/math/Api.h"

namespace osgPliant {

/// Adds handlers for statistics (s), help (h), full screen (f), wireframe and lights (w, l, t, b), screen shot (c),
/// record the camera's path (z), multisampled windows (unless OSG_MULTI_SAMPLES says otherwise), and a
/// KeySwitchMatrixManipulator: trackball (1), flight (2), drive (3), terrain (4). Space: home.
PLIANT_API void setUpViewer(osgViewer::Viewer& viewer);

/// Whether a window can be opened (DISPLAY is set and answers).
/// @param problem receives why not; may be null
PLIANT_API bool hasDisplay(std::string* problem = nullptr);

/// Opens the viewer's windows. Viewer::run() itself returns 0 without having shown anything.
/// @return empty, or one sentence that tells what went wrong
PLIANT_API std::string realizeViewer(osgViewer::Viewer& viewer);

/// Keys of a simulation: pause (p), one step (n), start again (Backspace).
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
    };

    /// A handler to add to a viewer.
    explicit SimulationHandler(Callbacks callbacks);

    /// Whether the simulation is paused.
    bool isPaused() const { return _paused; }
    /// OpenSceneGraph's callback for events.
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    /// OpenSceneGraph's callback that lists the keys for the help handler.
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~SimulationHandler() override = default;

private:
    Callbacks _callbacks;
    bool _paused = false;
};

}  // namespace osgPliant
