// SPDX-License-Identifier: Zlib
// Bodies that are stiff within a step leave the ground with the share of their speed that was asked for; soft ones
// bounce by their elasticity, and neither gains energy.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "SolidBodies.h"
#include "TruthModels.h"
#include "unit/bridge/TestWorld.h"
#include "unit/reduce/InputMeshes.h"

namespace {

using pliant::Vector3;
using pliant::test::TestWorld;
using Models = std::vector<std::shared_ptr<const pliant::ReducedModel>>;

constexpr double edge = 0.2;  ///< m, of the cube's edge and of the ball

bool insideSphere(int i, int j, int k) {
    return Vector3(i - 3.5, j - 3.5, k - 3.5).norm() < 4.2;
}

pliant::ReduceOptions solidReduction() {
    pliant::ReduceOptions options;
    options.modes = 14;
    options.dimension = 30;
    return options;
}

pliant::test::SolidMaterial materialOf(double young) {
    pliant::test::SolidMaterial material;
    material.young = young;
    material.modes = solidReduction().modes;
    material.dimension = solidReduction().dimension;
    return material;
}

/// What `pliant reduce` makes of the surface of a cube, and of a ball.
std::shared_ptr<const pliant::ReducedModel> cubeAsReduced(double young) {
    return pliant::test::solidBox({edge, edge, edge}, materialOf(young));
}
std::shared_ptr<const pliant::ReducedModel> ballAsReduced(double young) {
    return pliant::test::solidSphere(0.5 * edge, materialOf(young));
}

std::shared_ptr<const pliant::ReducedModel> cubeLaidByHand(double young) {
    pliant::test::BlockShape shape;
    shape.a = shape.b = shape.c = 3;
    shape.young = young;
    auto model = pliant::test::reduceMesh(pliant::test::blockMesh(shape), solidReduction());
    pliant::test::setBlockSkeleton(*model, shape, 4, 4, 4, 0.01);
    return model;
}

/// Small spheres below the surface collide, one of them straight below the middle.
std::shared_ptr<const pliant::ReducedModel> ballLaidByHand(double young) {
    pliant::VolumeMesh mesh = pliant::test::bricks(8, 8, 8, Vector3::Constant(edge / 8.0), insideSphere);
    mesh.materials = {pliant::ElasticMaterial{"ball", 500.0, young, 0.3}};
    auto model = pliant::test::reduceMesh(mesh, solidReduction());
    const int count = 400;
    const double small = 0.01;
    pliant::Points centres(3, count);
    std::vector<std::array<int, 2>> segments;
    for (int i = 0; i < count; ++i) {
        const double z = -1.0 + 2.0 * i / (count - 1.0), across = std::sqrt(std::max(0.0, 1.0 - z * z));
        const double turn = 2.399963229728653 * i;
        centres.col(i) = model->meshFromBody.translation +
                         (0.5 * edge - small) * Vector3(across * std::cos(turn), across * std::sin(turn), z);
        segments.push_back({i, i});
    }
    pliant::test::setSkeleton(*model, centres, small, segments);
    return model;
}

struct Throw {
    double h = 1.0 / 60, restitution = 0, speed = 2, height = 0.02, gravity = 0, seconds = 0.1;
};

struct Rebound {
    double speed = 0;   ///< of the centre of mass at the end, m/s
    double energy = 0;  ///< largest of all steps, as a share of that at the start
};

Rebound throwDown(const std::shared_ptr<const pliant::ReducedModel>& model, const Throw& shot) {
    btPliantSystemInfo settings = TestWorld::oneThread();
    settings.m_settings.doublePrecision = true;
    TestWorld scene(settings);
    scene.world.setGravity(btVector3(0, 0, static_cast<btScalar>(-shot.gravity)));
    scene.addRigid(new btStaticPlaneShape(btVector3(0, 0, 1), 0), 0, btVector3(0, 0, 0))->setRestitution(1);
    btPliantBodyInfo info;
    info.m_friction = 0;
    info.m_restitution = static_cast<btScalar>(shot.restitution);
    info.m_newmark.iterations = 3;
    const double lowest = 0.5 * edge - model->meshFromBody.translation.z();  // of the mesh
    info.m_meshTransform.setOrigin(btVector3(0, 0, static_cast<btScalar>(shot.height + lowest)));
    info.m_linearVelocity = btVector3(0, 0, static_cast<btScalar>(-shot.speed));
    btPliantBody* body = scene.system->createBody(model, info);
    scene.world.addRigidBody(body);
    const auto energy = [&] {
        const double above = static_cast<double>(body->getCenterOfMassPosition().z()) - 0.5 * edge;
        return static_cast<double>(body->getKineticEnergy()) + static_cast<double>(body->getStrainEnergy()) +
               shot.gravity * model->totalMass() * above;
    };
    const double start = energy();
    Rebound found;
    for (int i = 0; i * shot.h < shot.seconds; ++i) {
        scene.step(1, shot.h);
        found.energy = std::max(found.energy, energy() / start);
    }
    found.speed = static_cast<double>(body->getLinearVelocity().z());
    return found;
}

void expectTheShareThatWasAskedFor(const Models& models) {
    for (const auto& model : models)
        for (const double h : {1.0 / 60, 1.0 / 120, 1.0 / 240, 1.0 / 480, 1.0 / 960}) {
            ASSERT_GT(std::sqrt(model->elasticEigenvalues[0]) * h, 10.0);
            for (const double e : {0.0, 0.5, 0.9})
                for (const double gap : {0.02, 0.0213, 0.0294}) {  // it meets the ground at any time of a step
                    const Rebound found = throwDown(model, {h, e, 2.0, gap});
                    EXPECT_NEAR(found.speed, 2.0 * e, 2.0 * 0.05) << "1/h = " << 1 / h << ", gap " << gap;
                    EXPECT_LE(found.energy, 1.001) << "1/h = " << 1 / h << ", e = " << e;
                }
        }
}

TEST(Restitution, StiffBodiesLeaveWithTheShareThatWasAskedFor) {
    expectTheShareThatWasAskedFor({cubeAsReduced(2e9), ballAsReduced(2e9)});
}

TEST(Restitution, StiffBodiesLeaveWithTheShareThatWasAskedForOnSpheresLaidByHand) {
    expectTheShareThatWasAskedFor({cubeLaidByHand(2e9), ballLaidByHand(2e9)});
}

// The surplus of 0.2 % is that of the elastic bounce itself in long steps.
void expectElasticity(const Models& models) {
    for (const auto& model : models)
        for (const double h : {1.0 / 60, 1.0 / 240, 1.0 / 960}) {
            const double elastic = throwDown(model, {h, 0.0}).speed;
            for (const double e : {0.5, 0.9, 1.0}) {
                const Rebound found = throwDown(model, {h, e});
                EXPECT_LE(found.energy, 1.002) << "1/h = " << 1 / h << ", e = " << e;
                EXPECT_GE(found.speed, elastic - 0.01) << "1/h = " << 1 / h << ", e = " << e;
            }
        }
}

TEST(Restitution, SoftBodiesBounceByTheirElasticityAndNeverHaveMoreEnergyThanTheyHad) {
    expectElasticity({cubeAsReduced(1e5), ballAsReduced(3e4), cubeAsReduced(1e7)});
}

TEST(Restitution, SoftBodiesBounceByTheirElasticityAndNeverHaveMoreEnergyThanTheyHadOnSpheresLaidByHand) {
    expectElasticity({cubeLaidByHand(1e5), ballLaidByHand(3e4), cubeLaidByHand(1e7)});
}

// The threshold holds against the approach without the step's own gravity, 0.33 m/s in the longest of these steps. What
// bounces has at least 0.8 of 0.2 m/s; what rests still trembles by less than a tenth of that.
TEST(Restitution, BodiesThatBounceStillComeToRest) {
    for (const auto& model : {cubeAsReduced(2e9), cubeLaidByHand(2e9)})
        for (const double h : {1.0 / 30, 1.0 / 60, 1.0 / 240}) {
            const Rebound found = throwDown(model, {h, 0.8, 0.0, 0.1, 9.81, 3.0});
            EXPECT_LE(found.energy, 1.001) << "1/h = " << 1 / h;
            EXPECT_NEAR(found.speed, 0.0, 0.016) << "1/h = " << 1 / h;
        }
}

}  // namespace
