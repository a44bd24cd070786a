// SPDX-License-Identifier: Zlib
// How the cost of a step grows with the number of bodies: in free fall, a body; in the heap that they make on the
// ground, a contact. The baskets of the main scene stand in a grid of eight layers whatever their number is, so that
// heaps of different numbers are alike but for their rim. Nothing sleeps. Counters: the least microseconds of a step by
// its stages, a body (falling) or a contact (piled).
//
// PLIANT_PILE_MODEL names a reduced model to use; without it media/basket/basket.obj is reduced as in the main scene.
// PLIANT_SETTLE is the simulated time before a heap is measured, s (default 3).
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/reduce/Reduce.h"

namespace {

using pliant::ReducedModel;

constexpr int kLayers = 8;
constexpr double kSpacing = 0.48;  // m
constexpr double kStep = 1.0 / 240;

std::shared_ptr<const ReducedModel> basket() {
    static const std::shared_ptr<const ReducedModel> model = [] {
        if (const char* file = std::getenv("PLIANT_PILE_MODEL")) return pliant::loadModel(file);
        pliant::ReduceOptions options;
        options.modes = 20;
        options.dimension = 24;
        options.youngsModulus = 1.0e7;
        options.poissonRatio = 0.3;
        options.density = 400;
        return pliant::reduceFile(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
    }();
    return model;
}

double settlingTime() {
    const char* text = std::getenv("PLIANT_SETTLE");
    return text ? std::atof(text) : 3.0;
}

class Baskets {
public:
    /// `count` of them, the lowest `height` m above the ground.
    Baskets(int count, double height)
        : m_dispatcher(&m_configuration),
          m_world(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration),
          m_plane(btVector3(0, 0, 1), 0),
          m_ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &m_plane)) {
        m_ground.setFriction(btScalar(0.8));
        m_world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        m_world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        m_world.addRigidBody(&m_ground);
        btPliantSystemInfo settings;
        settings.m_threads = 1;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        for (int i = 0; i < count; ++i) add(i, count, height);
    }
    ~Baskets() {
        m_system.reset();
        m_world.removeRigidBody(&m_ground);
    }
    void step() { m_world.stepSimulation(btScalar(kStep), 0); }
    btPliantSystem& system() { return *m_system; }

private:
    void add(int i, int count, double height) {
        const int columns = std::max(1, count / kLayers);
        const int side = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(columns))));
        const int column = i % columns, layer = i / columns;
        const auto at = [&](int k) { return kSpacing * (k - 0.5 * (side - 1)) + 0.02 * m_uniform(m_random); };
        const double x = at(column % side), y = at(column / side), z = height + kSpacing * layer;
        const btVector3 axis(static_cast<btScalar>(m_uniform(m_random)), static_cast<btScalar>(m_uniform(m_random)),
                             btScalar(0.5));
        btPliantBodyInfo info;
        info.m_meshTransform =
            btTransform(btQuaternion(axis.normalized(), static_cast<btScalar>(0.5 * m_uniform(m_random))),
                        btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y), static_cast<btScalar>(z)));
        info.m_rollingFriction = btScalar(0.01);
        info.m_damping.mass = 0.2;
        info.m_damping.stiffness = 0.002;
        info.m_coupling = pliant::Coupling::Inertia;
        btPliantBody* body = m_system->createBody(basket(), info);
        m_world.addRigidBody(body);
        body->forceActivationState(DISABLE_DEACTIVATION);
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    btPliantConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world;
    btStaticPlaneShape m_plane;
    btRigidBody m_ground;
    std::unique_ptr<btPliantSystem> m_system;
    std::mt19937 m_random{512};
    std::uniform_real_distribution<double> m_uniform{-1.0, 1.0};
};

/// Least seconds of a step, and of its stages, over the iterations.
struct Least {
    double whole = 1e30, deformation = 1e30, collision = 1e30, solve = 1e30;

    void measure(Baskets& baskets, benchmark::State& state) {
        for (auto _ : state) {
            const auto start = std::chrono::steady_clock::now();
            baskets.step();
            const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
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
    Baskets baskets(count, 1000.0);
    for (int i = 0; i < 5; ++i) baskets.step();
    Least least;
    least.measure(baskets, state);
    least.tell(state, count);
}

void piled(benchmark::State& state) {
    const int count = static_cast<int>(state.range(0));
    Baskets baskets(count, 0.2);
    std::fprintf(stderr, "settling %d baskets\n", count);
    const int steps = static_cast<int>(settlingTime() / kStep);
    for (int i = 0; i < steps; ++i) baskets.step();
    Least least;
    least.measure(baskets, state);
    const int contacts = baskets.system().getStats().m_contacts;
    least.tell(state, contacts);
    state.counters["contacts"] = contacts;
    state.counters["us_body"] = 1e6 * least.whole / count;
}

BENCHMARK(falling)->ArgName("bodies")->RangeMultiplier(2)->Range(64, 2048)->UseManualTime()->Iterations(40)->Unit(
    benchmark::kMillisecond);
BENCHMARK(piled)->ArgName("bodies")->RangeMultiplier(2)->Range(64, 2048)->UseManualTime()->Iterations(20)->Unit(
    benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
