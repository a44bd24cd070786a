// SPDX-License-Identifier: Zlib
// A scene in motion, with its measurements: what every loop advances frame by frame.
#pragma once

#include <memory>

#include "pliant/scene/SceneDescription.h"
#include "stats/RunStatistics.h"
#include "world/SceneWorld.h"

namespace pliant::program {

class Simulation {
public:
    /// Keeps references to `scene` and `models`.
    Simulation(const scene::SceneDescription& scene, const Models& models, int threads);

    /// One substep / the substeps of one frame, measured.
    void step();
    void advanceFrame();
    /// Closes the measurements of a frame. @param drawingSeconds wall-clock time of its picture
    void endFrame(double drawingSeconds) { m_statistics->endFrame(*m_world, drawingSeconds); }
    /// Back to the start.
    void reset();

    const SceneWorld& world() const { return *m_world; }
    Grab& hand() { return m_world->hand(); }
    const RunStatistics& statistics() const { return *m_statistics; }
    const Models& models() const { return m_models; }

private:
    const scene::SceneDescription& m_scene;
    const Models& m_models;
    int m_threads;
    std::unique_ptr<SceneWorld> m_world;
    std::unique_ptr<RunStatistics> m_statistics;
};

/// Seconds since an arbitrary moment.
double now();

}  // namespace pliant::program
