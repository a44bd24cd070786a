// SPDX-License-Identifier: Zlib
// OpenSceneGraph's realize() leaves the thread that calls it on one processor; physics is not left there with it.
#ifdef __linux__

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>

#include "pliant/runtime/Workers.h"
#include "pliant/view/PhysicsThread.h"

namespace pliant::test {
namespace {

/// Processors that the calling thread may use.
cpu_set_t ownProcessors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    return set;
}

/// The calling thread on the first of its processors.
class OnOneProcessor {
public:
    OnOneProcessor() {
        cpu_set_t one;
        CPU_ZERO(&one);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu)
            if (CPU_ISSET(cpu, &m_before)) CPU_SET(cpu, &one);
        sched_setaffinity(0, sizeof one, &one);
    }
    ~OnOneProcessor() { sched_setaffinity(0, sizeof m_before, &m_before); }
    int before() const { return CPU_COUNT(&m_before); }

private:
    cpu_set_t m_before = ownProcessors();
};

TEST(Processors, AThreadOfPhysicsUsesThoseThatTheProcessHad) {
    const OnOneProcessor pinned;
    if (pinned.before() < 2) GTEST_SKIP() << "there is one processor";
    std::atomic<int> seen{0};
    PhysicsThreadSettings settings;
    settings.waits = true;
    PhysicsThread physics(settings, [&](std::vector<Poses>& poses) {
        poses.resize(1);
        const cpu_set_t own = ownProcessors();
        seen = CPU_COUNT(&own);
    });
    physics.at(0.0);
    EXPECT_EQ(seen, pinned.before());
}

TEST(Processors, WorkersRunOnThoseThatTheProcessHad) {
    const OnOneProcessor pinned;
    if (pinned.before() < 2) GTEST_SKIP() << "there is one processor";
    const Workers workers;
    EXPECT_EQ(workers.count(), pinned.before());
    std::atomic<int> most{0};
    for (int i = 0; i < 200 && workers.observed() < 2; ++i)
        workers.forBlocks(64, 1, [&](int, int) {
            const cpu_set_t own = ownProcessors();
            int before = most;
            while (before < CPU_COUNT(&own) && !most.compare_exchange_weak(before, CPU_COUNT(&own))) {
            }
            volatile double sum = 0.0;
            for (int k = 0; k < 100000; ++k) sum = sum + k;
        });
    EXPECT_GE(workers.observed(), 2);
    EXPECT_EQ(most, pinned.before());
}

}  // namespace
}  // namespace pliant::test

#endif
