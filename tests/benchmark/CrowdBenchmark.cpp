// SPDX-License-Identifier: Zlib
// Quadrupeds in a world on one core, two balls falling on each: milliseconds a step, stage by stage.
//
//     benchmark_crowd --benchmark_out=crowd.csv --benchmark_out_format=csv
#include <benchmark/benchmark.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "btPliant/btPliantCharacter.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/character/MakeCharacter.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "pliant/runtime/DefaultDamping.h"

namespace {

/// Cuts a bone without children into halves, whose skin goes over from one to the other in the middle third.
void halve(pliant::Rig& rig, const std::string& name) {
    const int whole = findBone(rig.skeleton, name);
    pliant::Bone tip = rig.skeleton.bones[static_cast<std::size_t>(whole)];
    const pliant::Vector3 head = tip.head(), way = tip.ends.front() - head;
    const pliant::Similarity bind = tip.bind;
    tip.name += " tip";
    tip.parent = whole;
    tip.bind.translation = head + 0.5 * way;
    tip.stance = bind.inverse() * tip.bind;
    rig.skeleton.bones.push_back(tip);
    std::vector<std::vector<pliant::Influence>> influences(static_cast<std::size_t>(rig.weights.pointCount()));
    for (int v = 0; v < rig.weights.pointCount(); ++v)
        for (int k = 0; k < 4; ++k) {
            const pliant::Influence all{rig.weights.bones(k, v), rig.weights.weights(k, v)};
            const double along = (rig.surface.positions.col(v) - head).dot(way) / way.squaredNorm();
            const double share = all.bone == whole ? std::clamp(3.0 * along - 1.0, 0.0, 1.0) : 0.0;
            influences[static_cast<std::size_t>(v)].push_back({all.bone, (1.0 - share) * all.weight});
            influences[static_cast<std::size_t>(v)].push_back({rig.skeleton.boneCount() - 1, share * all.weight});
        }
    pliant::WeightChanges changes;
    rig.weights = limitWeights(rig.skeleton, influences, name, changes);
}

/// The quadruped of media/ with tail and ears of two bones each: 20 bones.
std::shared_ptr<const pliant::CharacterModel> quadruped() {
    static const auto made = [] {
        pliant::Rig rig = pliant::readRig(PLIANT_MEDIA_DIR "/characters/quadruped.glb").rig;
        for (const char* name : {"tail", "left ear", "right ear"}) halve(rig, name);
        for (pliant::Bone& bone : rig.skeleton.bones) bone.ends.clear();
        findBoneEnds(rig, "quadruped");
        return pliant::makeCharacter(rig, {}, "quadruped");
    }();
    return made;
}

struct Crowd {
    Crowd(int count, bool balls)
        : world(&dispatcher, &broadphase, &solver, &configuration), system(&world, oneThread()) {
        world.setGravity(btVector3(0, 0, btScalar(-9.81)));
        const auto model = quadruped();
        for (int i = 0; i < count; ++i) {
            btPliantCharacterInfo info;
            info.m_clip = "run";
            info.m_phase = 0.37 * i;
            info.m_damping = pliant::defaultDamping(*model->flesh);
            const btVector3 place(btScalar(2 * (i % 23)), btScalar(2 * (i / 23)), 0);
            info.m_meshTransform.setOrigin(place);
            world.addRigidBody(system.createCharacter(model, info), btBroadphaseProxy::DefaultFilter,
                               btBroadphaseProxy::AllFilter);
            for (int k = 0; balls && k < 2; ++k) addBall(place + btVector3(btScalar(0.2 * k - 0.1), 0, btScalar(0.75)));
        }
    }
    ~Crowd() {
        for (auto& ball : rigid) world.removeRigidBody(ball.get());
    }
    static btPliantSystemInfo oneThread() {
        btPliantSystemInfo info;
        info.m_threads = 1;
        return info;
    }
    void addBall(const btVector3& place) {
        const btScalar mass = btScalar(0.2);
        btVector3 inertia;
        shape.calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
        info.m_startWorldTransform.setIdentity();
        info.m_startWorldTransform.setOrigin(place);
        rigid.push_back(std::make_unique<btRigidBody>(info));
        world.addRigidBody(rigid.back().get());
    }

    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    btPliantSystem system;
    btSphereShape shape{btScalar(0.05)};
    std::vector<std::unique_ptr<btRigidBody>> rigid;
};

/// Of the program's only thread, ms.
double processorTime() {
    return 1e3 * static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// `step_ms` and `least_ms` are processor time of steps with bounds, as a game makes them: mean and least. Energies are
/// measured for whoever asks (getStats()); the last step's say what that costs beside it.
void step(benchmark::State& state, bool balls) {
    Crowd crowd(static_cast<int>(state.range(0)), balls);
    constexpr int steps = 40;  // in which the balls fall onto backs
    double contacts = 0, sum = 0, least = 1e9;
    crowd.system.resetAccumulatedSeconds();
    for (auto _ : state) {
        for (int i = 0; i < steps; ++i) {
            const double before = processorTime();
            crowd.world.stepSimulation(btScalar(1.0 / 120.0), 0);
            const double took = processorTime() - before;
            sum += took;
            least = std::min(least, took);
            contacts += crowd.system.getAccumulatedStats().m_contacts;
        }
    }
    const double all = static_cast<double>(steps) * static_cast<double>(state.iterations());
    const btPliantStats stages = crowd.system.getAccumulatedStats();
    const double before = processorTime();
    crowd.system.getStats();
    state.counters["bones"] = quadruped()->skeleton.boneCount();
    state.counters["pairs"] = static_cast<double>(quadruped()->forcing.pairs.cols());
    state.counters["r"] = quadruped()->flesh->dimension();
    state.counters["energies_ms"] = processorTime() - before;
    state.counters["deformation_ms"] = 1e3 * stages.m_deformationSeconds / all;
    state.counters["collision_ms"] = 1e3 * stages.m_collisionSeconds / all;
    state.counters["contact_ms"] = 1e3 * stages.m_contactSolveSeconds / all;
    state.counters["contacts"] = contacts / all;
    state.counters["step_ms"] = sum / all;
    state.counters["least_ms"] = least;
}

BENCHMARK_CAPTURE(step, alone, false)->Arg(512)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK_CAPTURE(step, balls, true)->Arg(512)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
