// SPDX-License-Identifier: Zlib
// How the cost of a step grows with the number of bodies: in free fall, a body; in the heap that they make on the
// ground, a contact. The baskets of the main scene stand in a grid of eight layers whatever their number is. Still, a
// small heap has more of a rim: more of its contacts are with the ground, which has no deformation to answer. So there
// are also heaps of 64 each, far from each other, which differ in little but their number; and the cost of one side of
// a contact, of which those with the ground have one. Nothing sleeps. Counters: the least microseconds of a step, a
// body (falling) or a contact (piled, heaps), of CPU; by its stages, of wall-clock time.
//
// PLIANT_PILE_MODEL names a reduced model to use; without it media/basket/basket.obj is reduced as in the main scene.
// PLIANT_SETTLE is the simulated time before a heap is measured, s (default 3), PLIANT_STEPS how many steps are
// measured then (default 20).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "BasketWorld.h"
#include "btPliant/btPliantConstraintSolver.h"

namespace {

using pliant::benchmarks::basket;
using pliant::benchmarks::kSpacing;

constexpr int kLayers = 8;
constexpr int kDimension = 24;
constexpr int kHeap = 64;
constexpr double kBetweenHeaps = 20.0;  // m
constexpr double kStep = 1.0 / 240;

double numberFrom(const char* variable, double otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::atof(text) : otherwise;
}

class Baskets : public pliant::benchmarks::GroundWorld {
public:
    /// `count` of them in heaps of `heap`, the lowest `height` m above the ground.
    Baskets(int count, int heap, double height) : GroundWorld(std::make_unique<btPliantConstraintSolver>()) {
        btPliantSystemInfo settings;
        settings.m_threads = 1;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        const int columns = std::max(1, heap / kLayers);
        const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(columns))));
        for (int i = 0; i < count; ++i) {
            const int column = i % heap % columns, layer = i % heap / columns;
            btTransform at = place(column % side, column / side, side, height + kSpacing * layer);
            at.getOrigin() += middleOfHeap(i / heap);
            addBasket(*m_system, basket(kDimension), at);
        }
    }
    ~Baskets() override { m_system.reset(); }
    void step() { m_world.stepSimulation(btScalar(kStep), 0); }
    btPliantSystem& system() { return *m_system; }
    int contactsWithGround() {
        int count = 0;
        for (int i = 0; i < m_dispatcher.getNumManifolds(); ++i) {
            const btPersistentManifold& manifold = *m_dispatcher.getManifoldByIndexInternal(i);
            if (manifold.getBody0()->isStaticObject() || manifold.getBody1()->isStaticObject())
                count += manifold.getNumContacts();
        }
        return count;
    }

private:
    static btVector3 middleOfHeap(int heap) {
        constexpr int aRow = 6;
        const double x = kBetweenHeaps * (heap % aRow), y = kBetweenHeaps * (heap / aRow);
        return btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y), btScalar(0));
    }

    std::unique_ptr<btPliantSystem> m_system;
};

/// Of CPU, so that other work on the machine, which takes turns with this thread, does not count.
double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Least seconds of a step, and of its stages, over the iterations.
struct Least {
    double whole = 1e30, deformation = 1e30, collision = 1e30, solve = 1e30;

    void measure(Baskets& baskets, benchmark::State& state) {
        for (auto _ : state) {
            const double start = threadSeconds();
            baskets.step();
            const double seconds = threadSeconds() - start;
            state.SetIterationTime(seconds);
            baskets.system().resetAccumulatedSeconds();
            const btPliantStats& stats = baskets.system().getStats();
            whole = std::min(whole, seconds);
            deformation = std::min(deformation, stats.m_deformationSeconds);
            collision = std::min(collision, stats.m_collisionSeconds);
            solve = std::min(solve, stats.m_contactSolveSeconds);
        }
    }
    void tell(benchmark::State& state, int share) const {
        const double scale = 1e6 / std::max(1, share);
        state.counters["us_each"] = scale * whole;
        state.counters["deformation"] = scale * deformation;
        state.counters["collision"] = scale * collision;
        state.counters["solve"] = scale * solve;
    }
};

void falling(benchmark::State& state) {
    const int count = static_cast<int>(state.range(0));
    Baskets baskets(count, count, 1000.0);
    for (int i = 0; i < 5; ++i) baskets.step();
    Least least;
    least.measure(baskets, state);
    least.tell(state, count);
}

void settled(benchmark::State& state, int count, int heap) {
    Baskets baskets(count, heap, 0.2);
    std::fprintf(stderr, "settling %d baskets\n", count);
    const int steps = static_cast<int>(numberFrom("PLIANT_SETTLE", 3.0) / kStep);
    for (int i = 0; i < steps; ++i) baskets.step();
    std::fprintf(stderr, "measuring\n");
    Least least;
    least.measure(baskets, state);
    const int contacts = baskets.system().getStats().m_contacts, ground = baskets.contactsWithGround();
    least.tell(state, contacts);
    state.counters["contacts"] = contacts;
    state.counters["ground"] = ground;
    state.counters["us_body"] = 1e6 * least.whole / count;
    state.counters["us_side"] = 1e6 * least.whole / std::max(1, 2 * contacts - ground);
}

void piled(benchmark::State& state) {
    const int count = static_cast<int>(state.range(0));
    settled(state, count, count);
}

void heaps(benchmark::State& state) {
    settled(state, static_cast<int>(state.range(0)), kHeap);
}

int measuredSteps() {
    return std::max(1, static_cast<int>(numberFrom("PLIANT_STEPS", 20)));
}

BENCHMARK(falling)->ArgName("bodies")->RangeMultiplier(2)->Range(64, 2048)->UseManualTime()->Iterations(40)->Unit(
    benchmark::kMillisecond);
BENCHMARK(piled)
    ->ArgName("bodies")
    ->RangeMultiplier(2)
    ->Range(64, 2048)
    ->UseManualTime()
    ->Iterations(measuredSteps())
    ->Unit(benchmark::kMillisecond);
BENCHMARK(heaps)
    ->ArgName("bodies")
    ->RangeMultiplier(2)
    ->Range(kHeap, 2048)
    ->UseManualTime()
    ->Iterations(measuredSteps())
    ->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
