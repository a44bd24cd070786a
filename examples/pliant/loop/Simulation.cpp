// SPDX-License-Identifier: Zlib
#include "loop/Simulation.h"

#include <chrono>

namespace pliant::program {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Simulation::Simulation(const scene::SceneDescription& scene, const Models& models, int threads, double end)
    : m_scene(scene), m_models(models), m_threads(threads), m_end(end) {
    reset();
}

void Simulation::reset() {
    m_statistics.reset();
    m_world.reset();
    m_world = std::make_unique<SceneWorld>(m_scene, m_models, m_threads);
    m_statistics = std::make_unique<RunStatistics>(*m_world, m_end);
    tellOutput();
}

void Simulation::setOutput(const std::string& folder, std::function<void(double, const std::string&)> say) {
    if (!m_scene.timeline.records.empty()) m_folder = folder;
    m_say = std::move(say);
    tellOutput();
}

void Simulation::tellOutput() {
    if (!m_folder.empty()) m_world->physics().setRecordFolder(m_folder);
    m_world->physics().setSayCallback(m_say);
}

void Simulation::step() {
    const double start = now();
    m_world->step();
    m_statistics->addStep(*m_world, now() - start);
}

void Simulation::advanceFrame() {
    for (int i = 0; i < m_scene.time.substeps; ++i) step();
}

}  // namespace pliant::program
