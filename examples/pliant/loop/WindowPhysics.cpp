// SPDX-License-Identifier: Zlib
#include "loop/WindowPhysics.h"

#include <atomic>
#include <cmath>
#include <deque>
#include <filesystem>
#include <mutex>

#include "loop/SceneLog.h"
#include "loop/ScenePacking.h"
#include "models/ModelStore.h"
#include "pliant/math/Error.h"
#include "pliant/view/PhysicsThread.h"

namespace pliant::program {
namespace {

constexpr std::size_t kMostLooks = 8;  ///< of joints, that wait to be shown: as far as the clock may be behind

PhysicsThreadSettings settingsOf(const scene::SceneDescription& scene) {
    PhysicsThreadSettings settings;
    settings.step = scene.time.step();
    settings.mostBehind = scene.time.substeps;
    return settings;
}

}  // namespace

struct WindowPhysics::Data {
    /// A record of states under way.
    struct Record {
        std::string path;
        double every;  ///< s
        std::unique_ptr<SceneLogWriter> log;
        int written = 0;
    };

    /// What joints look like after a step.
    struct Looks {
        double time;  ///< of the thread's count of steps, s
        scene::LinkShapes links;
    };

    Data(Simulation& ours, const std::string& folder);
    void step(std::vector<Poses>& groups);
    void endFrame(const scene::ScenePoses& poses);
    void showLooks(double time);

    Simulation& simulation;
    std::vector<Record> records;
    int frames = 0;
    int stepsOfFrame = 0;
    std::uint64_t steps = 0;
    std::atomic<double> drawingSeconds{0.0};
    std::atomic<bool> isStopped{false};

    std::mutex world;  ///< of the simulation and the records
    std::mutex looks;  ///< of `waiting`
    std::deque<Looks> waiting;
    scene::ScenePoses shown;
    std::unique_ptr<PhysicsThread> thread;  ///< last: it begins with everything above
};

WindowPhysics::Data::Data(Simulation& ours, const std::string& folder) : simulation(ours) {
    const scene::SceneDescription& scene = simulation.world().scene();
    for (const scene::OutputFile& output : scene.outputs) {
        if (output.kind != scene::OutputKind::States) continue;
        const std::string path = (std::filesystem::path(folder) / output.file).string();
        expectWritableFolder(std::filesystem::path(path).parent_path().string());
        records.push_back({path, output.every, std::make_unique<SceneLogWriter>(path, scene, simulation.models())});
    }
    shown = simulation.world().physics().getPoses();
}

/// The end of a frame of the scene, whatever the window draws.
void WindowPhysics::Data::endFrame(const scene::ScenePoses& poses) {
    const double rate = simulation.world().scene().time.framesPerSecond;
    simulation.endFrame(drawingSeconds.exchange(0.0));
    for (Record& record : records) {
        const bool isDue =
            record.every <= 0.0 || (frames + 1) / rate >= (record.written + 1) * record.every - 0.5 / rate;
        if (!isDue || !record.log) continue;
        record.log->add(poses);
        ++record.written;
    }
    ++frames;
}

void WindowPhysics::Data::step(std::vector<Poses>& groups) {
    const std::lock_guard<std::mutex> lock(world);
    const bool moves = steps > 0 && !simulation.isStopped();  // the thread's first step is how the scene starts
    if (moves) simulation.step();
    isStopped = simulation.isStopped();
    const scene::ScenePoses& poses = simulation.world().physics().getPoses();
    pack(poses, groups);
    if (moves && ++stepsOfFrame == simulation.world().scene().time.substeps) {
        stepsOfFrame = 0;
        endFrame(poses);
    }
    const std::lock_guard<std::mutex> lockLooks(looks);
    waiting.push_back({static_cast<double>(steps++) * simulation.world().scene().time.step(), poses.links});
    if (waiting.size() > kMostLooks) waiting.pop_front();
}

/// The looks of joints that are nearest to the time of the bodies; those before it are over.
void WindowPhysics::Data::showLooks(double time) {
    const std::lock_guard<std::mutex> lock(looks);
    while (waiting.size() > 1 && std::abs(waiting[1].time - time) <= std::abs(waiting[0].time - time))
        waiting.pop_front();
    if (!waiting.empty()) shown.links = waiting.front().links;
}

WindowPhysics::WindowPhysics(Simulation& simulation, const std::string& folder)
    : m_data(std::make_unique<Data>(simulation, folder)) {
    m_data->thread = std::make_unique<PhysicsThread>(settingsOf(simulation.world().scene()),
                                                     [this](std::vector<Poses>& groups) { m_data->step(groups); });
}

WindowPhysics::~WindowPhysics() {
    m_data->thread.reset();
}

const scene::ScenePoses& WindowPhysics::at(double clock) {
    const std::string problem = m_data->thread->problem();
    if (!problem.empty()) throw Error("", problem);
    const std::vector<Poses>& groups = m_data->thread->at(clock);
    if (!groups.empty()) {
        unpack(groups, m_data->shown);
        m_data->showLooks(m_data->thread->shownTime());
    }
    return m_data->shown;
}

void WindowPhysics::withWorld(const std::function<void()>& what) {
    const std::lock_guard<std::mutex> lock(m_data->world);
    what();
}

void WindowPhysics::setPaused(bool paused) {
    paused ? m_data->thread->pause() : m_data->thread->resume();
}

void WindowPhysics::stepOnce() {
    m_data->thread->stepOnce();
}

void WindowPhysics::setSpeed(double speed) {
    m_data->thread->setSpeed(speed);
}

void WindowPhysics::reset() {
    withWorld([this] {
        for (Data::Record& record : m_data->records)
            if (record.log) {
                record.log->close();
                record.log.reset();
            }
        m_data->simulation.reset();
        m_data->stepsOfFrame = 0;
    });
}

void WindowPhysics::tellDrawing(double seconds) {
    double before = m_data->drawingSeconds;  // the thread may take them meanwhile
    while (!m_data->drawingSeconds.compare_exchange_weak(before, before + seconds)) {
    }
}

std::vector<std::string> WindowPhysics::close() {
    m_data->thread.reset();
    std::vector<std::string> made;
    for (Data::Record& record : m_data->records) {
        if (record.log) record.log->close();
        made.push_back(record.path);
    }
    m_data->records.clear();
    return made;
}

}  // namespace pliant::program
