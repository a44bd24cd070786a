// SPDX-License-Identifier: Zlib
#include "pliant/hand/HandThread.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "pliant/hand/DeviceLog.h"
#include "pliant/math/Error.h"

namespace pliant {

namespace {

constexpr std::size_t kFewSurroundings = 8;  // that are under way at once, for whom memory is taken beforehand

HandSettings checkedThread(const HandSettings& settings, double rate) {
    checkHandSettings(settings, "HandThread");
    if (!(rate >= 1.0 && rate <= 1e5))
        throw Error("HandThread", "the rate is no number from 1 to 100,000",
                    "give cycles in a second, for instance 1000");
    return settings;
}

}  // namespace

HandSurroundings::~HandSurroundings() = default;

void HandSurroundings::takeOver(HandSurroundings&) {}

void HandSurroundings::beginCycle(const ToolPose&, double) {}

bool HandSurroundings::revise(const ToolPose&, double) {
    return false;
}

Wrench HandSurroundings::settle(const ToolPose& pose, double ahead) {
    return touch(pose, ahead).wrench;
}

struct HandThread::Data {
    Data(const HandSettings& settings, const ToolPose& pose, std::shared_ptr<HandDevice> handDevice, double cycleRate)
        : loop(settings, pose),
          device(std::move(handDevice)),
          rate(cycleRate),
          dt(1.0 / cycleRate),
          log(settings.limits) {
        report.tool = report.followed = pose;
        retired.reserve(kFewSurroundings);
        spares.reserve(kFewSurroundings);
    }

    void cycle();
    void cycles();
    void adoptNewest();
    void note(const HandCycle& found, const Wrench& touched, double seconds);

    // Of whoever makes the cycles.
    HandLoop loop;
    std::shared_ptr<HandDevice> device;
    const double rate, dt;
    double ahead = 0.0, mostAhead = 0.0;
    std::uint64_t count = 0;
    std::function<void(bool)> watch;
    const ContactFunction contact = [this](const ToolPose& pose) {
        return current ? current->touch(pose, ahead) : WrenchAndSlope();
    };

    const ContactRevision revision = [this](const ToolPose& pose) { return current && current->revise(pose, ahead); };

    // Under the lock. `current` is changed under it, and used without it by whoever makes the cycles.
    mutable std::mutex mutex;
    std::unique_ptr<HandSurroundings> current, newest;
    double newestStep = 0.0;
    DeviceLog log;
    std::vector<std::unique_ptr<HandSurroundings>> retired;  ///< Touched, and not collected yet; oldest first.
    double covered = 0.0;                                    ///< Time of the cycles since the last collect(), s.
    HandReport report;

    // Of the thread of the world.
    std::vector<std::unique_ptr<HandSurroundings>> spares;
    std::thread thread;
    std::atomic<bool> stops{false};
};

void HandThread::Data::adoptNewest() {
    std::unique_ptr<HandSurroundings> next;
    {
        const std::lock_guard<std::mutex> lock(mutex);
        if (!newest) return;
        next = std::move(newest);
        // They are of the end of a step that began when collect() was called last. Time that is counted from when they
        // come would begin anew for a world that takes a part of its step to make it, and feed bodies with energy.
        ahead = std::min(covered, newestStep);
        mostAhead = 2.0 * newestStep;
    }
    // Without the lock: what is retired may be collected and filled anew, what is current stays as it is.
    if (current) next->takeOver(*current);
    const std::lock_guard<std::mutex> lock(mutex);
    if (current) retired.push_back(std::move(current));
    current = std::move(next);
}

void HandThread::Data::cycle() {
    if (watch) watch(true);
    const auto start = std::chrono::steady_clock::now();
    adoptNewest();
    ahead = std::min(ahead + dt, mostAhead);
    const double time = static_cast<double>(++count) * dt;
    ToolPose pose;
    const bool has = device && device->read(time, pose);
    if (current) current->beginCycle(loop.toolPose(), dt);
    const HandCycle found = loop.step(has ? &pose : nullptr, contact, dt, revision);
    if (device) device->write(time, found.felt);
    // Bodies get the force where the tool has gone to. That before its step is the stiffness of the surface times
    // whatever has moved in between, which the spring of the hand has not been asked about: bodies that are handed it
    // in the first cycle after each step swing up from half of the h^2 k / m on that is stable otherwise.
    note(found, current ? current->settle(loop.toolPose(), ahead) : Wrench(),
         std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (watch) watch(false);
}

void HandThread::Data::note(const HandCycle& found, const Wrench& touched, double seconds) {
    const std::lock_guard<std::mutex> lock(mutex);
    const bool isSound = touched.vector().allFinite();
    if (current && isSound) current->keep(dt);
    if (isSound) report.passed += dt * touched.force;
    covered += dt;
    report.tool = loop.toolPose();
    report.followed = loop.followed();
    report.coupling = found.tool.coupling;
    report.felt = found.felt;
    report.contact = touched;
    report.energy = loop.energy();
    if (std::isfinite(report.work + found.work)) report.work += found.work;
    report.hold = loop.hold();
    report.status = found.status;
    log.step(found.status, dt);
    report.cycles = count;
    report.longestCycle = std::max(report.longestCycle, seconds);
}

void HandThread::Data::cycles() {
    using Clock = std::chrono::steady_clock;
    const auto period = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(dt));
    for (Clock::time_point due = Clock::now(); !stops.load(); due += period) {
        std::this_thread::sleep_until(due);
        const Clock::time_point now = Clock::now();
        if (now - due > period) {
            const std::lock_guard<std::mutex> lock(mutex);
            ++report.late;
            if (std::chrono::duration<double>(now - due).count() > kMostBehind) {
                report.lost += static_cast<std::uint64_t>((now - due) / period);
                due = now;
            }
        }
        cycle();
    }
}

HandThread::HandThread(const HandSettings& settings, const ToolPose& pose, std::shared_ptr<HandDevice> device,
                       double rate)
    : m_data(std::make_unique<Data>(checkedThread(settings, rate), pose, std::move(device), rate)) {}

HandThread::~HandThread() {
    stop();
}

void HandThread::start() {
    if (isRunning()) return;
    m_data->stops = false;
    m_data->thread = std::thread([this] { m_data->cycles(); });
}

void HandThread::stop() {
    if (!isRunning()) return;
    m_data->stops = true;
    m_data->thread.join();
}

bool HandThread::isRunning() const {
    return m_data->thread.joinable();
}

void HandThread::run(int cycles) {
    if (isRunning()) return;
    for (int i = 0; i < cycles; ++i) m_data->cycle();
}

void HandThread::setWatch(std::function<void(bool)> watch) {
    if (!isRunning()) m_data->watch = std::move(watch);
}

void HandThread::publish(std::unique_ptr<HandSurroundings> surroundings, double step) {
    {
        const std::lock_guard<std::mutex> lock(m_data->mutex);
        std::swap(m_data->newest, surroundings);
        m_data->newestStep = step;
    }
    if (surroundings) m_data->spares.push_back(std::move(surroundings));  // nobody has touched these
}

std::unique_ptr<HandSurroundings> HandThread::takeSpare() {
    if (m_data->spares.empty()) return nullptr;
    std::unique_ptr<HandSurroundings> spare = std::move(m_data->spares.back());
    m_data->spares.pop_back();
    return spare;
}

double HandThread::collect(const std::function<void(HandSurroundings&)>& owed) {
    const std::size_t first = m_data->spares.size();
    HandSurroundings* current = nullptr;
    double covered = 0.0;
    {
        const std::lock_guard<std::mutex> lock(m_data->mutex);
        for (std::unique_ptr<HandSurroundings>& touched : m_data->retired) {
            touched->handOver();
            m_data->spares.push_back(std::move(touched));
        }
        m_data->retired.clear();
        current = m_data->current.get();
        if (current) current->handOver();
        std::swap(covered, m_data->covered);
    }
    for (std::size_t i = first; i < m_data->spares.size(); ++i) owed(*m_data->spares[i]);
    if (current) owed(*current);  // It may retire meanwhile, but stays: only takeSpare() gives it away.
    return covered;
}

HandReport HandThread::report() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->report;
}

std::string HandThread::deviceMessage() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->log.message();
}

double HandThread::rate() const {
    return m_data->rate;
}

}  // namespace pliant
