// SPDX-License-Identifier: Zlib
// 512 baskets of about 1,300 segments, r = 20, lying in a block so that neighbours touch: what the collision stage of
// one substep costs. Counters give the per-pair numbers.
#include <benchmark/benchmark.h>

#include <cmath>

#include "pliant/collision/body/TriangleQueries.h"
#include "pliant/collision/pair/ClusterContacts.h"
#include "pliant/collision/pair/CollideBodies.h"
#include "pliant/collision/pair/SkeletonQueries.h"
#include "unit/collision/SyntheticBasket.h"

namespace {

using namespace pliant;

class Pile {
public:
    explicit Pile(int dimension) {
        test::BasketShape shape;
        shape.hoops = 18;
        shape.uprights = 18;
        shape.steps = 54;
        shape.strand = 0.0045;
        shape.dimension = dimension;
        m_model = std::make_shared<CollisionModel>(test::basketModel(shape));
        std::mt19937 random(1);
        for (int i = 0; i < 512; ++i) {
            m_q.push_back(test::randomCoordinates(random, dimension, 0.02 / dimension));
            // Close enough that segments of neighbours press into each other by a few millimetres.
            m_pose.push_back(test::randomPose(random, 0.004));
            m_pose.back().rotation = lean(random);
            m_pose.back().translation += Vector3(0.33 * (i % 8), 0.33 * (i / 8 % 8), 0.215 * (i / 64));
            m_bodies.emplace_back(m_model);
        }
        update();
        std::vector<Aabb> boxes;
        for (const DeformedBody& body : m_bodies) boxes.push_back(body.worldBounds());
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if ((boxes[i].lower.array() <= boxes[j].upper.array()).all() &&
                    (boxes[j].lower.array() <= boxes[i].upper.array()).all())
                    m_pairs.emplace_back(i, j);
        m_histories.resize(m_pairs.size());
    }

    /// About an upright axis by any angle, then by up to 0.05 rad about a level one.
    static Matrix3 lean(std::mt19937& random) {
        const VectorX angle = test::randomCoordinates(random, 3, 1.0);
        const double turn = 3.0 * angle[0], x = 0.05 * angle[1], y = 0.05 * angle[2];
        Matrix3 upright, tilt;
        upright << std::cos(turn), -std::sin(turn), 0.0, std::sin(turn), std::cos(turn), 0.0, 0.0, 0.0, 1.0;
        tilt << std::cos(y), 0.0, std::sin(y), std::sin(x) * std::sin(y), std::cos(x), -std::sin(x) * std::cos(y),
            -std::cos(x) * std::sin(y), std::sin(x), std::cos(x) * std::cos(y);
        return tilt * upright;
    }

    void update() {
        for (std::size_t i = 0; i < m_bodies.size(); ++i) m_bodies[i].update(m_q[i].data(), m_pose[i]);
    }

    std::shared_ptr<const CollisionModel> m_model;
    std::vector<DeformedBody> m_bodies;
    std::vector<VectorX> m_q;
    std::vector<RigidTransform> m_pose;
    std::vector<std::pair<std::size_t, std::size_t>> m_pairs;
    std::vector<ContactHistory> m_histories;
};

Pile& pile(int dimension) {
    static Pile twenty(20), forty(40);
    return dimension == 20 ? twenty : forty;
}

void updateAndBounds(benchmark::State& state) {
    Pile& p = pile(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        p.update();
        for (const DeformedBody& body : p.m_bodies) benchmark::DoNotOptimize(body.worldBounds());
    }
    state.counters["segments"] = p.m_model->skeleton().segmentCount();
}

/// The whole stage: update, bounds, all pairs with history and clustering.
void collidePile(benchmark::State& state) {
    Pile& p = pile(static_cast<int>(state.range(0)));
    std::vector<SkeletonContact> contacts;
    std::size_t raw = 0, kept = 0, touching = 0;
    for (auto _ : state) {
        p.update();
        raw = kept = touching = 0;
        for (const DeformedBody& body : p.m_bodies) benchmark::DoNotOptimize(body.worldBounds());
        for (std::size_t k = 0; k < p.m_pairs.size(); ++k) {
            const DeformedBody& a = p.m_bodies[p.m_pairs[k].first];
            const DeformedBody& b = p.m_bodies[p.m_pairs[k].second];
            contacts.clear();
            collideBodies(a, b, 0.002, contacts, &p.m_histories[k]);
            p.m_histories[k].remember(a, contacts);
            raw += contacts.size();
            touching += !contacts.empty();
            clusterContacts(contacts);
            p.m_histories[k].markKept(contacts);
            kept += contacts.size();
        }
    }
    state.counters["pairs"] = static_cast<double>(p.m_pairs.size());
    state.counters["touching"] = static_cast<double>(touching);
    state.counters["raw"] = static_cast<double>(raw);
    state.counters["kept"] = static_cast<double>(kept);
}

void groundPlane(benchmark::State& state) {
    Pile& p = pile(static_cast<int>(state.range(0)));
    std::vector<SkeletonContact> contacts;
    for (auto _ : state) {
        p.update();
        for (std::size_t i = 0; i < 64; ++i) {
            contacts.clear();
            const double height = p.m_pose[i].translation.z() - 0.1;
            collideHalfSpace(p.m_bodies[i], Vector3::UnitZ(), height, 0.002, contacts);
            benchmark::DoNotOptimize(contacts.data());
        }
    }
}

void rays(benchmark::State& state) {
    Pile& p = pile(static_cast<int>(state.range(0)));
    TriangleHit hit;
    for (auto _ : state) {
        p.update();
        for (std::size_t i = 0; i < p.m_bodies.size(); ++i) {
            const Vector3 middle = p.m_pose[i].translation;
            benchmark::DoNotOptimize(rayTriangles(p.m_bodies[i], middle,
                                                  middle + Vector3(0.3, 0.02 * static_cast<double>(i % 7), 0.01), hit));
        }
    }
}

BENCHMARK(updateAndBounds)->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(collidePile)->Arg(20)->Arg(40)->Unit(benchmark::kMillisecond);
BENCHMARK(groundPlane)->Arg(20)->Unit(benchmark::kMillisecond);
BENCHMARK(rays)->Arg(20)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
