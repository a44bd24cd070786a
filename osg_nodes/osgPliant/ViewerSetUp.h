// SPDX-License-Identifier: Zlib
// What users of an OpenSceneGraph viewer expect on their keyboard, and the keys of a simulation.
#pragma once

#include <functional>
#include <osgGA/GUIEventHandler>
#include <osgViewer/Viewer>
#include <string>

namespace osgPliant {

/// Statistics (s), help (h), full screen (f), wireframe and lights (w, l, t, b), screen shot (c), record the camera's
/// path (z), multisampled windows (unless OSG_MULTI_SAMPLES says otherwise), and a KeySwitchMatrixManipulator:
/// trackball (1), flight (2), drive (3), terrain (4). Space: home.
void setUpViewer(osgViewer::Viewer& viewer);

/// Whether a window can be opened (DISPLAY is set and answers). @param problem receives why not; may be null
bool hasDisplay(std::string* problem = nullptr);

/// Opens the viewer's windows. @return empty, or one sentence: Viewer::run() itself returns 0 without having shown
/// anything.
std::string realizeViewer(osgViewer::Viewer& viewer);

/// Pause (p), one step (n), start again (Backspace).
class SimulationHandler : public osgGA::GUIEventHandler {
public:
    struct Callbacks {
        std::function<void(bool paused)> pause;
        std::function<void()> step;  ///< called while paused only
        std::function<void()> reset;
    };

    explicit SimulationHandler(Callbacks callbacks);

    bool isPaused() const { return _paused; }
    bool handle(const osgGA::GUIEventAdapter& event, osgGA::GUIActionAdapter& action) override;
    void getUsage(osg::ApplicationUsage& usage) const override;

protected:
    ~SimulationHandler() override = default;

private:
    Callbacks _callbacks;
    bool _paused = false;
};

}  // namespace osgPliant
