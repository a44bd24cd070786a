// SPDX-License-Identifier: Zlib
// A scene in motion, with its measurements: what every loop advances frame by frame.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pliant/scene/SceneDescription.h"
#include "stats/RunStatistics.h"
#include "world/SceneWorld.h"

namespace pliant::program {

class Simulation {
public:
    /// Keeps references to `scene` and `models`. @param end of the run, s, which warnings go by
    Simulation(const scene::SceneDescription& scene, const Models& models, int threads, double end);

    /// One substep / the substeps of one frame, measured.
    void step();
    void advanceFrame();
    /// Closes the measurements of a frame. @param drawingSeconds wall-clock time of its picture
    void endFrame(double drawingSeconds) { m_statistics->endFrame(*m_world, drawingSeconds); }
    /// Back to the start.
    void reset();

    /// Where the scene's records are written, and who is told what its events say; in this run and after reset().
    void setOutput(const std::string& folder, std::function<void(double, const std::string&)> say);
    /// The end: what the scene expects then is checked.
    void finish() { m_world->physics().finish(); }
    /// The pictures that events want.
    std::vector<std::string> takePictures() { return m_world->physics().takePictures(); }
    /// Whether an event of the scene has ended the run.
    bool isStopped() const { return m_world->physics().isStopped(); }

    const SceneWorld& world() const { return *m_world; }
    Grab& hand() { return m_world->hand(); }
    const RunStatistics& statistics() const { return *m_statistics; }
    const Models& models() const { return m_models; }

private:
    void tellOutput();

    const scene::SceneDescription& m_scene;
    const Models& m_models;
    int m_threads;
    double m_end;
    std::string m_folder;
    std::function<void(double, const std::string&)> m_say;
    std::unique_ptr<SceneWorld> m_world;
    std::unique_ptr<RunStatistics> m_statistics;
};

/// Seconds since an arbitrary moment.
double now();

}  // namespace pliant::program
