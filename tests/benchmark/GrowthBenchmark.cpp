// SPDX-License-Identifier: Zlib
// How the cost of a step grows with the number of bodies: in free fall, a body; in the heap that they make on the
// ground, a contact. The baskets of the main scene stand in a grid of eight layers whatever their number is. Still, a
// small heap has more of a rim: more of its contacts are with the ground, which has no deformation to answer, and in
// the air fewer boxes overlap. So there are also heaps and blocks of 64 each, far from each other, which differ in
// little but their number; and the cost of one side of a contact, of which those with the ground have one. Rigid boxes
// as large as the baskets fall too: what Bullet alone needs. Nothing sleeps. Counters: the least microseconds of a
// step, a body (in the air) or a contact (piled, heaps), of CPU; by its stages, of wall-clock time.
//
// PLIANT_PILE_MODEL names a reduced model to use; without it media/basket/basket.obj is reduced as in the main scene.
// PLIANT_SETTLE is the simulated time before a heap is measured, s (default 3), PLIANT_STEPS how many steps are
// measured then (default 20). PLIANT_STATES names a folder: settled heaps are saved there, and taken from there where
// they have been (delete them when the model or the time to settle changes).
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "BasketWorld.h"
#include "btPliant/btPliantConstraintSolver.h"

namespace {

using pliant::benchmarks::basket;
using pliant::benchmarks::GroundWorld;
using pliant::benchmarks::kSpacing;

constexpr int kLayers = 8;
constexpr int kDimension = 24;
constexpr int kHeap = 64;
constexpr double kBetweenHeaps = 20.0;  // m
constexpr double kStep = 1.0 / 240;
constexpr double kHigh = 1000.0;   // m, where nothing is near
constexpr int kFallenSteps = 120;  // after which bodies come by 2 cm, several radii of a segment, in a step

double numberFrom(const char* variable, double otherwise) {
    const char* text = std::getenv(variable);
    return text ? std::atof(text) : otherwise;
}

/// How many there are, in heaps of how many, the lowest how many metres above the ground.
struct Grid {
    int count, heap;
    double height;

    /// Calls visit(transform) for each.
    template <typename Visit>
    void forEach(GroundWorld& world, const Visit& visit) const {
        const int columns = std::max(1, heap / kLayers);
        const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(columns))));
        for (int i = 0; i < count; ++i) {
            const int column = i % heap % columns, layer = i % heap / columns;
            btTransform at = world.place(column % side, column / side, side, height + kSpacing * layer);
            at.getOrigin() += middleOfHeap(i / heap);
            visit(at);
        }
    }

private:
    static btVector3 middleOfHeap(int heap) {
        constexpr int aRow = 6;
        const double x = kBetweenHeaps * (heap % aRow), y = kBetweenHeaps * (heap / aRow);
        return btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y), btScalar(0));
    }
};

class Baskets : public GroundWorld {
public:
    explicit Baskets(const Grid& grid) : GroundWorld(std::make_unique<btPliantConstraintSolver>()) {
        btPliantSystemInfo settings;
        settings.m_threads = 1;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        grid.forEach(*this, [this](const btTransform& at) { addBasket(*m_system, basket(kDimension), at); });
    }
    ~Baskets() override { m_system.reset(); }
    void step() { m_world.stepSimulation(btScalar(kStep), 0); }
    void steps(int count) {
        for (int i = 0; i < count; ++i) step();
    }
    btPliantSystem& system() { return *m_system; }
    int overlappingPairs() { return m_broadphase.getOverlappingPairCache()->getNumOverlappingPairs(); }
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
    std::unique_ptr<btPliantSystem> m_system;
};

/// Rigid boxes as large as the baskets, without Pliant.
class Boxes : public GroundWorld {
public:
    explicit Boxes(const Grid& grid) : GroundWorld(std::make_unique<btSequentialImpulseConstraintSolver>()) {
        const btScalar mass(1);
        btVector3 inertia;
        m_box.calculateLocalInertia(mass, inertia);
        const btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &m_box, inertia);
        grid.forEach(*this, [&](const btTransform& at) {
            m_boxes.push_back(std::make_unique<btRigidBody>(info));
            m_boxes.back()->setWorldTransform(at);
            m_boxes.back()->forceActivationState(DISABLE_DEACTIVATION);
            m_world.addRigidBody(m_boxes.back().get());
        });
    }
    ~Boxes() override {
        for (const auto& box : m_boxes) m_world.removeRigidBody(box.get());
    }
    void step() { m_world.stepSimulation(btScalar(kStep), 0); }

private:
    btBoxShape m_box{btVector3(btScalar(0.19), btScalar(0.19), btScalar(0.15))};
    std::vector<std::unique_ptr<btRigidBody>> m_boxes;
};

/// Of CPU, so that other work on the machine, which takes turns with this thread, does not count.
double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename World>
double secondsOfStep(World& world) {
    const double start = threadSeconds();
    world.step();
    return threadSeconds() - start;
}

/// Least seconds of a step, and of its stages, over the iterations.
struct Least {
    double whole = 1e30, deformation = 1e30, collision = 1e30, solve = 1e30;

    void measure(Baskets& baskets, benchmark::State& state) {
        for (auto _ : state) {
            baskets.system().resetAccumulatedSeconds();
            const double seconds = secondsOfStep(baskets);
            state.SetIterationTime(seconds);
            // getStats() would measure energies and so leave other memory near than a step does.
            const btPliantStats& stats = baskets.system().getAccumulatedStats();
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

int bodiesOf(const benchmark::State& state) {
    return static_cast<int>(state.range(0));
}

void fall(benchmark::State& state, int heap) {
    const int count = bodiesOf(state);
    Baskets baskets({count, heap, kHigh});
    baskets.steps(kFallenSteps);
    Least least;
    least.measure(baskets, state);
    least.tell(state, count);
    state.counters["pairs"] = static_cast<double>(baskets.overlappingPairs()) / count;
}

void falling(benchmark::State& state) {
    fall(state, bodiesOf(state));
}

void fallingBlocks(benchmark::State& state) {
    fall(state, kHeap);
}

void fallingBoxes(benchmark::State& state) {
    const int count = bodiesOf(state);
    Boxes boxes({count, count, kHigh});
    for (int i = 0; i < kFallenSteps; ++i) boxes.step();
    double least = 1e30;
    for (auto _ : state) {
        const double seconds = secondsOfStep(boxes);
        state.SetIterationTime(seconds);
        least = std::min(least, seconds);
    }
    state.counters["us_each"] = 1e6 * least / count;
}

/// Goes on from a saved heap where there is one.
void settle(Baskets& baskets, const Grid& grid) {
    const char* folder = std::getenv("PLIANT_STATES");
    const std::string file =
        folder ? std::string(folder) + "/heaps_" + std::to_string(grid.count) + "_" + std::to_string(grid.heap) : "";
    if (folder) {
        std::ifstream in(file, std::ios::binary);
        const std::string saved{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
        const auto* bytes = reinterpret_cast<const std::byte*>(saved.data());
        if (baskets.system().restoreState(bytes, saved.size()) == pliant::StateStatus::Ok) return;
    }
    std::fprintf(stderr, "settling %d baskets\n", grid.count);
    baskets.steps(static_cast<int>(numberFrom("PLIANT_SETTLE", 3.0) / kStep));
    if (folder) {
        std::vector<std::byte> blob;
        baskets.system().saveState(blob);
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(blob.data()), static_cast<std::streamsize>(blob.size()));
    }
}

void settled(benchmark::State& state, int heap) {
    constexpr int aFew = 20;  // after a restored state lists of near segments are made anew
    const Grid grid{bodiesOf(state), heap, 0.2};
    Baskets baskets(grid);
    settle(baskets, grid);
    baskets.steps(aFew);
    std::fprintf(stderr, "measuring\n");
    Least least;
    least.measure(baskets, state);
    const int contacts = baskets.system().getStats().m_contacts, ground = baskets.contactsWithGround();
    least.tell(state, contacts);
    state.counters["contacts"] = contacts;
    state.counters["ground"] = ground;
    state.counters["us_body"] = 1e6 * least.whole / grid.count;
    state.counters["us_side"] = 1e6 * least.whole / std::max(1, 2 * contacts - ground);
}

void piled(benchmark::State& state) {
    settled(state, bodiesOf(state));
}

void heaps(benchmark::State& state) {
    settled(state, kHeap);
}

void sizes(benchmark::internal::Benchmark* benchmark) {
    const int steps = std::max(1, static_cast<int>(numberFrom("PLIANT_STEPS", 20)));
    benchmark->ArgName("bodies")->RangeMultiplier(2)->Range(kHeap, 2048);
    benchmark->UseManualTime()->Iterations(steps)->Unit(benchmark::kMillisecond);
}

BENCHMARK(falling)->Apply(sizes);
BENCHMARK(fallingBlocks)->Apply(sizes);
BENCHMARK(fallingBoxes)->Apply(sizes);
BENCHMARK(piled)->Apply(sizes);
BENCHMARK(heaps)->Apply(sizes);

}  // namespace

BENCHMARK_MAIN();
