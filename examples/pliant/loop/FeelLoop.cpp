// SPDX-License-Identifier: Zlib
#include "loop/FeelLoop.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>
#include <utility>

#include "loop/Simulation.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

/// A device that others hold, too.
class SharedDevice : public HandDevice {
public:
    explicit SharedDevice(std::shared_ptr<HandDevice> device) : m_device(std::move(device)) {}
    bool read(double time, ToolPose& pose) override { return m_device->read(time, pose); }
    void write(double time, const Wrench& wrench) override { m_device->write(time, wrench); }

private:
    std::shared_ptr<HandDevice> m_device;
};

/// Runs a hand's thread that calls a watch; ends both, whatever the world throws meanwhile.
class Watched {
public:
    Watched(HandThread& thread, std::function<void(bool)> watch) : m_thread(thread) {
        m_thread.setWatch(std::move(watch));
        m_thread.start();
    }
    ~Watched() {
        m_thread.stop();
        m_thread.setWatch({});
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

private:
    HandThread& m_thread;
};

}  // namespace

KeptDevice::KeptDevice(std::shared_ptr<HandDevice> device, std::size_t cycles)
    : m_record(std::make_unique<SharedDevice>(std::move(device)), cycles) {}

void KeptDevice::write(double, const Wrench& wrench) {
    // The wrench belongs to the pose that was read for the end of this step, whose time may differ in the last bit.
    if (!m_record.record().keys.empty()) m_record.write(m_record.record().keys.back().time, wrench);
}

void runCycles(SceneWorld& world, int cycles, bool paced, CycleTimes& times) {
    ProgressBar bar;
    constexpr int kBetweenLooks = 64;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const std::chrono::duration<double> cycle(world.scene().time.step());
    for (int i = 0; i < cycles && !world.physics().isStopped(); ++i) {
        if (i % kBetweenLooks == 0 && !bar("feeling", static_cast<double>(i) / cycles)) throw Cancelled("the run");
        if (paced) std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(i * cycle));
        const double thread = threadSeconds(), wall = now();
        world.step();
        times.add(threadSeconds() - thread, now() - wall);
    }
}

BesideReport runBeside(SceneWorld& world, int tool, CycleTimes& times) {
    btPliantHandThread& beside = *world.physics().getHandThread(tool);
    HandThread& thread = beside.getThread();
    double startThread = 0.0, startWall = 0.0;
    const auto watch = [&](bool begins) {
        if (begins) {
            startThread = threadSeconds();
            startWall = now();
        } else {
            times.add(threadSeconds() - startThread, now() - startWall);
        }
    };
    const int steps =
        std::max(1, static_cast<int>(std::lround(world.scene().time.duration / world.scene().time.step())));
    BesideReport report;
    ProgressBar bar;
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const std::chrono::duration<double> step(world.scene().time.step());
    {
        const Watched watched(thread, watch);
        for (; report.steps < steps && !world.physics().isStopped(); ++report.steps) {
            if (!bar("feeling", static_cast<double>(report.steps) / steps)) break;
            std::this_thread::sleep_until(start + std::chrono::duration_cast<Clock::duration>(report.steps * step));
            world.step();
        }
    }
    report.hand = thread.report();
    report.wallSeconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (report.steps < steps && !world.physics().isStopped()) throw Cancelled("the run");
    return report;
}

}  // namespace pliant::program
