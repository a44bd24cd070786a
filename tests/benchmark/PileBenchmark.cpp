// SPDX-License-Identifier: Zlib
// The frame of the flagship: a settled pile of baskets, nothing asleep, one step of 1/60 s; beside it what Bullet needs
// for rigid compounds of the same size. Settling takes 7 s of simulated time, minutes for large piles, before each
// line. Counters: milliseconds of the stages, contacts, their 99th percentile and largest depth in strand radii.
//
// PLIANT_PILE_MODEL names a reduced model to use; without it media/basket/basket.obj is reduced with r = 40.
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/reduce/Reduce.h"

namespace {

using pliant::ReducedModel;

constexpr double kSpacing = 0.48;  // m, of the grid that falls

std::shared_ptr<const ReducedModel> basket() {
    static const std::shared_ptr<const ReducedModel> model = [] {
        if (const char* file = std::getenv("PLIANT_PILE_MODEL")) return pliant::loadModel(file);
        pliant::ReduceOptions options;
        options.modes = 20;
        options.dimension = 40;
        options.youngsModulus = 1.0e7;
        options.poissonRatio = 0.3;
        options.density = 400;
        std::fprintf(stderr, "reducing the basket to r = 40\n");
        return pliant::reduceFile(PLIANT_MEDIA_DIR "/basket/basket.obj", options);
    }();
    return model;
}

/// A world with a ground, gravity and stacks of things; x, y, layer of the i-th of `count` things.
class Pile {
public:
    explicit Pile(std::unique_ptr<btConstraintSolver> solver)
        : m_dispatcher(&m_configuration),
          m_solver(std::move(solver)),
          m_world(&m_dispatcher, &m_broadphase, m_solver.get(), &m_configuration),
          m_plane(btVector3(0, 0, 1), 0),
          m_ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &m_plane)) {
        m_ground.setFriction(btScalar(0.8));
        m_world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        m_world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        m_world.addRigidBody(&m_ground);
    }
    virtual ~Pile() = default;

    /// As many square layers as high as wide, turned a little by chance.
    btTransform place(int i, int count) {
        const int side = std::max(1, static_cast<int>(std::lround(std::cbrt(count))));
        const auto at = [&](int k) { return kSpacing * (k - 0.5 * (side - 1)) + 0.02 * m_uniform(m_random); };
        const double x = at(i % side), y = at(i / side % side), z = 0.15 + kSpacing * (i / side / side);
        const btQuaternion turn(btVector3(static_cast<btScalar>(m_uniform(m_random)),
                                          static_cast<btScalar>(m_uniform(m_random)), btScalar(0.5))
                                    .normalized(),
                                static_cast<btScalar>(0.5 * m_uniform(m_random)));
        return btTransform(turn,
                           btVector3(static_cast<btScalar>(x), static_cast<btScalar>(y), static_cast<btScalar>(z)));
    }

    void settle() {
        for (int step = 0; step < 1680; ++step) m_world.stepSimulation(btScalar(1) / 240, 0);
        for (int step = 0; step < 20; ++step) m_world.stepSimulation(btScalar(1) / 60, 0);
    }

    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    std::unique_ptr<btConstraintSolver> m_solver;
    btDiscreteDynamicsWorld m_world;

private:
    btStaticPlaneShape m_plane;
    btRigidBody m_ground;
    std::mt19937 m_random{512};
    std::uniform_real_distribution<double> m_uniform{-1.0, 1.0};
};

class ReducedPile : public Pile {
public:
    ReducedPile(int count, int threads) : Pile(std::make_unique<btPliantConstraintSolver>()) {
        btPliantSystemInfo settings;
        settings.m_threads = threads;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        for (int i = 0; i < count; ++i) {
            btPliantBodyInfo info;
            info.m_meshTransform = place(i, count);
            info.m_rollingFriction = btScalar(0.01);
            info.m_damping.mass = 0.2;
            info.m_damping.stiffness = 0.002;
            info.m_coupling = pliant::Coupling::Inertia;
            btPliantBody* body = m_system->createBody(basket(), info);
            m_world.addRigidBody(body);
            body->forceActivationState(DISABLE_DEACTIVATION);
        }
        // Steps of 1/60 s need a little more than Bullet's defaults to hold eight layers.
        m_world.getSolverInfo().m_numIterations = 14;
        m_world.getSolverInfo().m_warmstartingFactor = btScalar(0.95);
        settle();
    }
    ~ReducedPile() override { m_system.reset(); }

    std::unique_ptr<btPliantSystem> m_system;
};

/// Compounds of 17 boxes: a floor and 16 staves around it, as wide and high as the basket.
class RigidPile : public Pile {
public:
    explicit RigidPile(int count) : Pile(std::make_unique<btSequentialImpulseConstraintSolver>()) {
        const auto& positions = basket()->surface.positions;
        const double height = positions.row(2).maxCoeff() - positions.row(2).minCoeff();
        const double radius = 0.5 * (positions.row(0).maxCoeff() - positions.row(0).minCoeff());
        addPart(m_floor, radius, 0.01, radius, 0, -0.5 * height);
        for (int i = 0; i < 16; ++i) addPart(m_staves[i], radius, height, 0.2 * radius, 0.3926990816987241 * i, 0);
        const auto mass = static_cast<btScalar>(basket()->totalMass());
        btVector3 inertia;
        m_shape.calculateLocalInertia(mass, inertia);
        for (int i = 0; i < count; ++i) {
            btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &m_shape, inertia);
            info.m_startWorldTransform = place(i, count);
            info.m_rollingFriction = btScalar(0.01);
            m_bodies.push_back(std::make_unique<btRigidBody>(info));
            m_world.addRigidBody(m_bodies.back().get());
            m_bodies.back()->forceActivationState(DISABLE_DEACTIVATION);
        }
        settle();
    }
    ~RigidPile() override {
        for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
    }

    int contacts() {
        int sum = 0;
        for (int i = 0; i < m_dispatcher.getNumManifolds(); ++i)
            sum += m_dispatcher.getManifoldByIndexInternal(i)->getNumContacts();
        return sum;
    }

private:
    /// The floor is centred; a stave stands at `angle` on the rim.
    void addPart(std::unique_ptr<btBoxShape>& part, double radius, double height, double width, double angle,
                 double z) {
        const bool floor = width == radius;
        const btVector3 half(static_cast<btScalar>(floor ? 0.8 * radius : 0.01), static_cast<btScalar>(0.9 * width),
                             static_cast<btScalar>(0.5 * height));
        part = std::make_unique<btBoxShape>(half);
        btTransform at(btQuaternion(btVector3(0, 0, 1), static_cast<btScalar>(angle)));
        const double out = floor ? 0.0 : radius;
        at.setOrigin(btVector3(static_cast<btScalar>(out * std::cos(angle)),
                               static_cast<btScalar>(out * std::sin(angle)), static_cast<btScalar>(z)));
        m_shape.addChildShape(at, part.get());
    }

    std::unique_ptr<btBoxShape> m_floor, m_staves[16];
    btCompoundShape m_shape;
    std::vector<std::unique_ptr<btRigidBody>> m_bodies;
};

template <class P, class... Arguments>
P& settled(Arguments... arguments) {
    static std::map<std::tuple<Arguments...>, std::unique_ptr<P>> piles;
    std::unique_ptr<P>& pile = piles[{arguments...}];
    if (!pile) {
        std::fprintf(stderr, "settling a pile\n");
        pile = std::make_unique<P>(arguments...);
    }
    return *pile;
}

void reducedFrame(benchmark::State& state) {
    const int count = static_cast<int>(state.range(0));
    ReducedPile& pile = settled<ReducedPile>(count, static_cast<int>(state.range(1)));
    double total = 0;
    pile.m_system->resetAccumulatedSeconds();
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        pile.m_world.stepSimulation(btScalar(1) / 60, 0);
        total += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    const btPliantStats& sums = pile.m_system->getAccumulatedStats();
    const double each = 1e3 / static_cast<double>(state.iterations());
    state.counters["deformation"] = each * sums.m_deformationSeconds;
    state.counters["collision"] = each * sums.m_collisionSeconds;
    state.counters["solve"] = each * sums.m_contactSolveSeconds;
    state.counters["rest"] = each * pile.m_system->getOtherSeconds(total);
    state.counters["contacts"] = sums.m_contacts;
    state.counters["depth99"] = sums.m_penetration99;
    state.counters["deepest"] = sums.m_largestPenetration;
    state.counters["r"] = basket()->dimension();
}

void rigidFrame(benchmark::State& state) {
    RigidPile& pile = settled<RigidPile>(static_cast<int>(state.range(0)));
    for (auto _ : state) pile.m_world.stepSimulation(btScalar(1) / 60, 0);
    state.counters["contacts"] = pile.contacts();
}

BENCHMARK(reducedFrame)
    ->ArgNames({"bodies", "threads"})
    ->Args({64, 2})
    ->Args({512, 1})
    ->Args({512, 2})
    ->Args({2048, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(rigidFrame)->ArgName("bodies")->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
