// SPDX-License-Identifier: Zlib
#include "pliant/view/PhysicsThread.h"

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "pliant/view/InterpolatePoses.h"
#include "pliant/view/PoseRing.h"

#ifdef __linux__
#include <pthread.h>
#include <sched.h>
#endif

namespace pliant {
namespace {

// A thread begins on the processors of the one that makes it, which OpenSceneGraph's realize() leaves with a single
// one: physics may use those that the process could use when it began.
#ifdef __linux__
cpu_set_t processorsAtFirst() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) CPU_ZERO(&set);
    return set;
}
const cpu_set_t g_processors = processorsAtFirst();

void useAllProcessors() {
    if (CPU_COUNT(&g_processors) > 0) pthread_setaffinity_np(pthread_self(), sizeof g_processors, &g_processors);
}
#else
void useAllProcessors() {}
#endif

}  // namespace

struct PhysicsThread::Data {
    PhysicsThreadSettings settings;
    Step step;
    Obey obey;
    PoseRing ring;

    mutable std::mutex mutex;  ///< of everything down to `problem`
    std::condition_variable changed;
    std::uint64_t due = 1, made = 0;  ///< steps
    int pauses = 0;
    int singleSteps = 0;  ///< asked for while there was a pause, not yet shown
    double speed = 1.0;
    std::vector<PhysicsCommand> posted, done;
    bool ends = false;
    std::string problem;

    // The reader's.
    bool hasClock = false;
    double lastClock = 0.0;
    double simulated = 0.0;  ///< s, what the clock has come to
    std::vector<Poses> shown;
    double shownTime = 0.0;

    std::size_t replayed = 0;  ///< the stepping thread's
    std::thread thread;        ///< last: it begins with everything above

    void run();
    void obeyCommands(std::uint64_t number);
    std::uint64_t advanceClock(double clock);
    void ask(std::uint64_t steps);
    void waitFor(std::uint64_t steps);
};

PhysicsThread::PhysicsThread(PhysicsThreadSettings settings, Step step, Obey obey) : m_data(std::make_unique<Data>()) {
    Data& data = *m_data;
    data.settings = std::move(settings);
    data.speed = data.settings.speed;
    data.step = std::move(step);
    data.obey = std::move(obey);
    data.thread = std::thread([&data] { data.run(); });
}

PhysicsThread::~PhysicsThread() {
    {
        const std::lock_guard<std::mutex> lock(m_data->mutex);
        m_data->ends = true;
    }
    m_data->changed.notify_all();
    m_data->thread.join();
}

void PhysicsThread::Data::run() {
    useAllProcessors();
    for (;;) {
        std::uint64_t number = 0;
        {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return ends || made < due; });
            if (ends) return;
            number = made;
        }
        std::string failure;
        try {
            obeyCommands(number);
            step(ring.written());
            for (Poses& poses : ring.written()) poses.time = static_cast<double>(number) * settings.step;
        } catch (const std::exception& thrown) {
            failure = thrown.what();
        } catch (...) {
            failure = "an exception that tells nothing";
        }
        const bool failed = !failure.empty();
        if (!failed) ring.publish();
        {
            const std::lock_guard<std::mutex> lock(mutex);
            if (failed) problem = failure;
            if (!failed) ++made;
            ends |= failed;
        }
        changed.notify_all();
    }
}

void PhysicsThread::Data::obeyCommands(std::uint64_t number) {
    std::vector<PhysicsCommand> now;
    for (; replayed < settings.replay.size() && settings.replay[replayed].step <= number; ++replayed)
        now.push_back(settings.replay[replayed]);
    {
        const std::lock_guard<std::mutex> lock(mutex);
        now.insert(now.end(), posted.begin(), posted.end());
        posted.clear();
        for (PhysicsCommand& command : now) {
            command.step = number;
            done.push_back(command);
        }
    }
    if (!obey) return;
    for (const PhysicsCommand& command : now) obey(command);
}

/// Moves the simulation's time on with the clock. @return the steps up to it
std::uint64_t PhysicsThread::Data::advanceClock(double clock) {
    const std::lock_guard<std::mutex> lock(mutex);
    const double elapsed = hasClock ? std::max(0.0, clock - lastClock) : 0.0;
    hasClock = true;
    lastClock = clock;
    if (pauses == 0) simulated += elapsed * speed;
    simulated += singleSteps * settings.step;
    singleSteps = 0;
    const double last = made > 0 ? static_cast<double>(made - 1) * settings.step : 0.0;
    if (!settings.waits) simulated = std::min(simulated, last + settings.mostBehind * settings.step);
    // The last share of a step is rounding: sixty sixtieths are a second.
    return std::max(due, static_cast<std::uint64_t>(std::floor(simulated / settings.step + 1e-9)) + 1);
}

void PhysicsThread::Data::ask(std::uint64_t steps) {
    {
        const std::lock_guard<std::mutex> lock(mutex);
        due = steps;
    }
    changed.notify_all();
}

void PhysicsThread::Data::waitFor(std::uint64_t steps) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return ends || made >= steps; });
}

const std::vector<Poses>& PhysicsThread::at(double clock) {
    Data& data = *m_data;
    const std::uint64_t wanted = data.advanceClock(clock);
    if (data.settings.waits) {
        // One by one, so that it is always the last two that are shown between.
        for (std::uint64_t next = std::min(stepCount() + 1, wanted); next <= wanted; ++next) {
            data.ask(next);
            data.waitFor(next);
            data.ring.take();
        }
    } else {
        data.ask(wanted);
    }
    data.ring.take();
    const std::vector<Poses>&before = data.ring.before(), &after = data.ring.after();
    if (after.empty()) return data.shown;
    const double end = after.front().time, start = before.empty() ? end : before.front().time;
    data.shownTime = std::clamp(data.simulated - data.settings.step, start, end);
    const double share = end > start ? (data.shownTime - start) / (end - start) : 1.0;
    interpolatePoses(before, after, share, data.shown);
    return data.shown;
}

double PhysicsThread::shownTime() const {
    return m_data->shownTime;
}

void PhysicsThread::pause() {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    ++m_data->pauses;
}

void PhysicsThread::resume() {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    m_data->pauses = std::max(0, m_data->pauses - 1);
}

bool PhysicsThread::isPaused() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->pauses > 0;
}

void PhysicsThread::stepOnce() {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    if (m_data->pauses > 0) ++m_data->singleSteps;
}

void PhysicsThread::setSpeed(double speed) {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    m_data->speed = std::isfinite(speed) ? std::max(0.0, speed) : m_data->speed;
}

double PhysicsThread::speed() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->speed;
}

void PhysicsThread::post(int kind, const std::array<double, 8>& numbers) {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    m_data->posted.push_back({0, kind, numbers});
}

std::vector<PhysicsCommand> PhysicsThread::commands() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->done;
}

std::uint64_t PhysicsThread::stepCount() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->made;
}

std::string PhysicsThread::problem() const {
    const std::lock_guard<std::mutex> lock(m_data->mutex);
    return m_data->problem;
}

}  // namespace pliant
