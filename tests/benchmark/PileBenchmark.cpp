// SPDX-License-Identifier: Zlib
// The frame of the flagship: a settled pile of baskets, nothing asleep, one step of 1/60 s; beside it what Bullet needs
// for rigid compounds of the same size. Settling takes 7 s of simulated time, minutes for large piles, before each
// line. Counters: milliseconds of the stages, contacts, their 99th percentile and largest depth in segment radii.
//
// PLIANT_PILE_MODEL names a reduced model to use; without it media/basket/basket.obj is reduced with r = 40.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

#include "BasketWorld.h"
#include "btPliant/btPliantConstraintSolver.h"

namespace {

using pliant::benchmarks::kSpacing;

std::shared_ptr<const pliant::ReducedModel> basket() {
    return pliant::benchmarks::basket(40);
}

/// Stacks of things.
class Pile : public pliant::benchmarks::GroundWorld {
public:
    using GroundWorld::GroundWorld;

    /// The i-th of `count` things in as many square layers as high as wide.
    btTransform stacked(int i, int count) {
        const int side = std::max(1, static_cast<int>(std::lround(std::cbrt(count))));
        return place(i % side, i / side % side, side, 0.15 + kSpacing * (i / side / side));
    }

    void settle() {
        for (int step = 0; step < 1680; ++step) m_world.stepSimulation(btScalar(1) / 240, 0);
        for (int step = 0; step < 20; ++step) m_world.stepSimulation(btScalar(1) / 60, 0);
    }
};

class ReducedPile : public Pile {
public:
    ReducedPile(int count, int threads) : Pile(std::make_unique<btPliantConstraintSolver>()) {
        btPliantSystemInfo settings;
        settings.m_threads = threads;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        for (int i = 0; i < count; ++i) addBasket(*m_system, basket(), stacked(i, count));
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
            info.m_startWorldTransform = stacked(i, count);
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

/// A settled pile that benchmark number `user` has to itself: another one would leave it in a later state.
template <class P, int user = 0, class... Arguments>
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

double frameMilliseconds(ReducedPile& pile) {
    const auto start = std::chrono::steady_clock::now();
    pile.m_world.stepSimulation(btScalar(1) / 60, 0);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

constexpr int kWarming = 5, kTurn = 40;

/// Appends what kTurn frames take, after some in which the caches forget the other pile.
void takeTurn(ReducedPile& pile, std::vector<double>& milliseconds) {
    for (int i = 0; i < kWarming; ++i) frameMilliseconds(pile);
    for (int i = 0; i < kTurn; ++i) milliseconds.push_back(frameMilliseconds(pile));
}

/// One worker and two in turns: both piles are the same to the bit, and the machine's neighbours disturb them alike.
/// Milliseconds of a frame, the least and the median, and their ratios; those of the stages by their sums.
void twoWorkersAgainstOne(benchmark::State& state) {
    const int count = static_cast<int>(state.range(0));
    ReducedPile &one = settled<ReducedPile, 1>(count, 1), &two = settled<ReducedPile, 1>(count, 2);
    std::vector<double> times[2];
    for (ReducedPile* pile : {&one, &two}) pile->m_system->resetAccumulatedSeconds();
    for (auto _ : state) {
        takeTurn(one, times[0]);
        takeTurn(two, times[1]);
    }
    for (std::vector<double>& of : times) std::sort(of.begin(), of.end());
    const std::size_t middle = times[0].size() / 2;
    state.counters["one"] = times[0].front();
    state.counters["two"] = times[1].front();
    state.counters["gain"] = times[0].front() / times[1].front();
    state.counters["median_one"] = times[0][middle];
    state.counters["median_two"] = times[1][middle];
    state.counters["median_gain"] = times[0][middle] / times[1][middle];
    const btPliantStats &oneSum = one.m_system->getAccumulatedStats(), &twoSum = two.m_system->getAccumulatedStats();
    state.counters["deformation_gain"] = oneSum.m_deformationSeconds / twoSum.m_deformationSeconds;
    state.counters["collision_gain"] = oneSum.m_collisionSeconds / twoSum.m_collisionSeconds;
    state.counters["solve_gain"] = oneSum.m_contactSolveSeconds / twoSum.m_contactSolveSeconds;
    const btPliantStats &first = one.m_system->getStats(), &second = two.m_system->getStats();
    state.counters["contacts"] = second.m_contacts;
    if (first.m_contacts != second.m_contacts || first.m_largestPenetration != second.m_largestPenetration)
        state.SkipWithError("the two piles are not the same");
}

BENCHMARK(reducedFrame)
    ->ArgNames({"bodies", "threads"})
    ->Args({64, 2})
    ->Args({512, 1})
    ->Args({512, 2})
    ->Args({2048, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(twoWorkersAgainstOne)
    ->ArgName("bodies")
    ->Arg(512)
    ->Iterations(8)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(rigidFrame)->ArgName("bodies")->Arg(512)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
