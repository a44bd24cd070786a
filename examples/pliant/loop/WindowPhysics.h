// SPDX-License-Identifier: Zlib
// A simulation beside its pictures: steps in a thread of their own, which a window shows at its own rate.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "loop/Simulation.h"
#include "pliant/scene/ScenePoses.h"

namespace pliant::program {

class WindowPhysics {
public:
    /// Begins to step, and writes the scene's records of states into `folder`. The simulation belongs to the thread
    /// from here on: withWorld() is the way to it. @throws Error (unwritable files)
    WindowPhysics(Simulation& simulation, const std::string& folder);
    /// Ends after the step that is under way.
    ~WindowPhysics();
    WindowPhysics(const WindowPhysics&) = delete;
    WindowPhysics& operator=(const WindowPhysics&) = delete;

    /// Where everything is, one step late and between two steps. @param clock s, of the pictures. @throws Error that
    /// the steps have met
    const scene::ScenePoses& at(double clock);
    /// Does something between two steps, for which it waits.
    void withWorld(const std::function<void()>& what);
    void setPaused(bool paused);
    void stepOnce();
    void setSpeed(double speed);
    /// Back to the start. The records of states end: time has to rise in them.
    void reset();
    /// Seconds that the last picture took, for the measurements.
    void tellDrawing(double seconds);
    /// Ends the records of states. @return their names. @throws Error
    std::vector<std::string> close();

private:
    struct Data;
    std::unique_ptr<Data> m_data;
};

}  // namespace pliant::program
