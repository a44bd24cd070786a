// SPDX-License-Identifier: Zlib
#include "loop/FeelLoop.h"

#include <chrono>
#include <thread>

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

}  // namespace pliant::program
