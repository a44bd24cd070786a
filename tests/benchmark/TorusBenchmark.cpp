// SPDX-License-Identifier: Zlib
// One reduced torus on a box, of Bullet's own data (r = 20): a step of ours beside one of Bullet's
// btReducedDeformableBody. Both fall onto a box and lie there, awake; then blocks of steps of either alternate, and the
// fastest step of each is kept, because other work on the machine only ever adds. Bullet's settings are those of
// its own demonstration of this torus. Ours has its contacts solved with the deformation's full response.
//
// The data is Bullet's, not ours: PLIANT_REFERENCE_DATA names the folder that holds bullet/reduced_torus.
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBody.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBodyHelpers.h>
#include <BulletSoftBody/BulletReducedDeformableBody/btReducedDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/exchange/ImportBullet.h"

namespace {

constexpr int kModes = 20;
constexpr double kHeight = 0.8;      // m, of the torus' centre above the box; its tube is 0.25 thick
constexpr double kStep = 1.0 / 240;  // s
const btVector3 kGravity(0, btScalar(-9.81), 0);

std::string dataFolder() {
    const char* folder = std::getenv("PLIANT_REFERENCE_DATA");
    return std::string(folder && *folder ? folder : PLIANT_REFERENCE_DATA_DEFAULT) + "/bullet/reduced_torus/";
}

struct Box {
    btBoxShape shape{btVector3(5, 1, 5)};
    btRigidBody body{btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &shape)};
    explicit Box(btDiscreteDynamicsWorld& world) {
        body.setWorldTransform(btTransform(btQuaternion::getIdentity(), btVector3(0, -1, 0)));
        body.setFriction(btScalar(0.5));
        world.setGravity(kGravity);
        world.addRigidBody(&body);
    }
};

/// The torus lies flat: its axis is z in the file.
btTransform place() {
    return btTransform(btQuaternion(btVector3(1, 0, 0), SIMD_HALF_PI), btVector3(0, btScalar(kHeight), 0));
}

class OurTorus {
public:
    explicit OurTorus(pliant::Coupling coupling)
        : m_dispatcher(&m_configuration),
          m_world(&m_dispatcher, &m_broadphase, &m_solver, &m_configuration),
          m_box(m_world) {
        pliant::BulletImport files;
        files.folder = dataFolder();
        files.modes = kModes;
        btPliantSystemInfo settings;
        settings.m_threads = 1;
        m_system = std::make_unique<btPliantSystem>(&m_world, settings);
        btPliantBodyInfo info;
        info.m_meshTransform = place();
        info.m_coupling = coupling;
        info.m_damping.stiffness = 0.002;
        m_body = m_system->createBody(pliant::importBullet(files).model, info);
        m_world.addRigidBody(m_body);
        m_body->forceActivationState(DISABLE_DEACTIVATION);
    }
    ~OurTorus() {
        m_system.reset();
        m_world.removeRigidBody(&m_box.body);
    }
    void step() { m_world.stepSimulation(btScalar(kStep), 0); }
    double height() const { return m_body->getCenterOfMassPosition().y(); }
    const btPliantStats& stats() const { return m_system->getStats(); }
    int dimension() const { return m_body->getModel().dimension(); }

private:
    btDefaultCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    btPliantConstraintSolver m_solver;
    btDiscreteDynamicsWorld m_world;
    Box m_box;
    std::unique_ptr<btPliantSystem> m_system;
    btPliantBody* m_body = nullptr;
};

class BulletTorus {
public:
    BulletTorus()
        : m_dispatcher(&m_configuration),
          m_world(&m_dispatcher, &m_broadphase, &m_constraints, &m_configuration, &m_solver),
          m_box((m_constraints.setDeformableSolver(&m_solver), m_world)) {
        btSoftBodyWorldInfo& info = m_world.getWorldInfo();
        info.m_gravity = kGravity;
        info.m_sparsesdf.setDefaultVoxelsz(btScalar(0.25));
        info.m_sparsesdf.Reset();
        m_body = btReducedDeformableBodyHelpers::createReducedDeformableObject(info, dataFolder(), "torus_mesh.vtk",
                                                                               kModes, false);
        m_world.addSoftBody(m_body);
        m_body->getCollisionShape()->setMargin(btScalar(0.01));
        m_body->transformTo(place());
        m_body->setStiffnessScale(10);
        m_body->setDamping(0, btScalar(0.01));
        m_body->setTotalMass(15);
        m_body->m_cfg.kKHR = m_body->m_cfg.kCHR = 1;
        m_body->m_cfg.kDF = 0;
        m_body->m_cfg.collisions = btSoftBody::fCollision::SDF_RD | btSoftBody::fCollision::SDF_RDN;
        m_body->m_sleepingThreshold = 0;
        btSoftBodyHelpers::generateBoundaryFaces(m_body);
        btContactSolverInfo& solver = m_world.getSolverInfo();
        solver.m_deformable_erp = btScalar(0.3);
        solver.m_deformable_maxErrorReduction = btScalar(200);
        solver.m_leastSquaresResidualThreshold = btScalar(1e-3);
        solver.m_splitImpulse = false;
        m_world.setImplicit(false);
        m_world.setLineSearch(false);
        m_world.setUseProjection(false);
    }
    ~BulletTorus() {
        m_world.removeSoftBody(m_body);
        delete m_body;
        m_world.removeRigidBody(&m_box.body);
    }
    void step() { m_world.stepSimulation(btScalar(kStep), 0); }
    double height() const { return m_body->getRigidTransform().getOrigin().y(); }
    int nodes() const { return m_body->m_nodes.size(); }

private:
    btSoftBodyRigidBodyCollisionConfiguration m_configuration;
    btCollisionDispatcher m_dispatcher;
    btDbvtBroadphase m_broadphase;
    btReducedDeformableBodySolver m_solver;
    btDeformableMultiBodyConstraintSolver m_constraints;
    btDeformableMultiBodyDynamicsWorld m_world;
    Box m_box;
    btReducedDeformableBody* m_body = nullptr;
};

/// The fastest of so many steps, s.
template <class Torus>
double fastestStep(Torus& torus, int steps) {
    double least = 1e30;
    for (int i = 0; i < steps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        torus.step();
        least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

void torusOnABox(benchmark::State& state) {
    if (!std::ifstream(dataFolder() + "modes.bin")) {
        state.SkipWithError(("no data in " + dataFolder() + "; set PLIANT_REFERENCE_DATA").c_str());
        return;
    }
    OurTorus ours(state.range(0) ? pliant::Coupling::Full : pliant::Coupling::Inertia);
    BulletTorus bullets;
    fastestStep(ours, 480);
    fastestStep(bullets, 480);
    double least = 1e30, leastOfBullet = 1e30, deformation = 1e30, collision = 1e30, solve = 1e30;
    for (auto _ : state) {
        const double seconds = fastestStep(ours, 50);
        least = std::min(least, seconds);
        deformation = std::min(deformation, ours.stats().m_deformationSeconds);
        collision = std::min(collision, ours.stats().m_collisionSeconds);
        solve = std::min(solve, ours.stats().m_contactSolveSeconds);
        leastOfBullet = std::min(leastOfBullet, fastestStep(bullets, 10));
        state.SetIterationTime(seconds);
    }
    state.counters["deformation"] = 1e6 * deformation;
    state.counters["collision"] = 1e6 * collision;
    state.counters["solve"] = 1e6 * solve;
    state.counters["us"] = 1e6 * least;
    state.counters["us_bullet"] = 1e6 * leastOfBullet;
    state.counters["ratio"] = leastOfBullet / least;
    state.counters["r"] = ours.dimension();
    state.counters["nodes"] = bullets.nodes();
    state.counters["contacts"] = ours.stats().m_contacts;
    state.counters["depth"] = ours.stats().m_largestPenetration;
    state.counters["height"] = ours.height();
    state.counters["height_bullet"] = bullets.height();
}
BENCHMARK(torusOnABox)->ArgName("full")->Arg(0)->Arg(1)->UseManualTime()->Iterations(20)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
