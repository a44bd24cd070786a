// SPDX-License-Identifier: Zlib
#include "World.h"

#include <cmath>

#include "WorldPicture.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"

namespace pliant::python {

World::World(const Vector3& gravity, int threads, int iterations)
    : m_world(std::make_unique<btDiscreteDynamicsWorld>(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration)) {
    if (threads < 0) throw Error("threads", std::to_string(threads) + " is negative", "0 is all cores");
    if (iterations < 1) throw Error("iterations", std::to_string(iterations) + " is below 1");
    m_world->setGravity(toBullet(gravity));
    m_world->getSolverInfo().m_numIterations = iterations;
    m_world->getDispatchInfo().m_deterministicOverlappingPairs = true;
    btPliantSystemInfo info;
    info.m_threads = threads;
    m_system = std::make_unique<btPliantSystem>(m_world.get(), info);
}

World::~World() {
    for (const auto& [number, rigid] : m_rigids) m_world->removeRigidBody(&rigid->body());
}

void World::step(double h, int count) {
    // Bullet leaves steps out that are nothing in single precision, while the time would go on.
    constexpr double kShortest = 1e-6, kLongest = 1e6;
    if (!(h >= kShortest && h <= kLongest)) throw Error("h", "a step has to be from 1e-6 s to 1e6 s");
    if (count < 0) throw Error("count", std::to_string(count) + " is negative");
    expectIdle();
    for (const auto& arrays : m_arrays) arrays->dampFor(h);
    advance(count, [&] {
        m_world->stepSimulation(static_cast<btScalar>(h), 0);
        m_time += h;
    });
}

std::shared_ptr<BodyArrays> World::add(const std::shared_ptr<const ReducedModel>& model,
                                       const std::vector<btPliantBodyInfo>& infos) {
    std::vector<btPliantBody*> bodies;
    try {
        for (const btPliantBodyInfo& info : infos) bodies.push_back(m_system->createBody(model, info));
    } catch (...) {  // all of them or none
        for (btPliantBody* body : bodies) m_system->destroyBody(body);
        throw;
    }
    for (btPliantBody* body : bodies) {
        m_world->addRigidBody(body);
        m_numbers[body] = m_next++;
    }
    ++m_revision;
    return m_arrays.emplace_back(std::make_shared<BodyArrays>(model, std::move(bodies)));
}

void World::remove(BodyArrays& arrays) {
    for (btPliantBody* body : arrays.bodies()) {
        m_numbers.erase(body);
        m_system->destroyBody(body);
    }
    arrays.forget();
    ++m_revision;
    for (auto i = m_arrays.begin(); i != m_arrays.end(); ++i) {
        if (i->get() != &arrays) continue;
        m_arrays.erase(i);
        return;
    }
}

int World::addRigid(std::unique_ptr<Rigid> rigid) {
    m_world->addRigidBody(&rigid->body());
    m_numbers[&rigid->body()] = m_next;
    m_rigids[m_next] = std::move(rigid);
    ++m_revision;
    return m_next++;
}

int World::numberOf(const btCollisionObject& object) const {
    const auto found = m_numbers.find(&object);
    return found == m_numbers.end() ? -1 : found->second;
}

Rigid& World::rigid(int number) {
    const auto found = m_rigids.find(number);
    if (found == m_rigids.end()) throw py::index_error("body " + std::to_string(number) + " is no rigid body");
    return *found->second;
}

WorldPicture& World::picture() {
    if (!m_picture) m_picture = std::make_unique<WorldPicture>(*this);
    return *m_picture;
}

}  // namespace pliant::python
