// SPDX-License-Identifier: Zlib
// What moves a character, and what that does to its flesh.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "CharacterWorld.h"
#include "pliant/runtime/SkinForces.h"

namespace {

using namespace pliant::test;
using btPliantInternal::toEigen;
using pliant::AffineMap;
using pliant::MatrixX;
using pliant::MovingFrame;
using pliant::Vector3;
using pliant::VectorX;

/// K^-1 of the load of bones that stand still in a pose, reckoned from the model's matrices.
VectorX staticAnswer(const pliant::Pose& pose, const Vector3& gravity) {
    const pliant::CharacterModel& model = *barCharacter();
    std::vector<MovingFrame> frames;
    motionOf(model.skeleton, pose, frames);
    VectorX load = VectorX::Zero(model.flesh->dimension());
    for (Eigen::Index p = 0; p < model.forcing.pairCount(); ++p) {
        const AffineMap &b = frames[static_cast<std::size_t>(model.forcing.pairs(0, p))].map,
                        &c = frames[static_cast<std::size_t>(model.forcing.pairs(1, p))].map;
        AffineMap accelerated = AffineMap::Zero(), moved;
        accelerated.col(3) = b.leftCols<3>().transpose() * -gravity;
        moved.leftCols<3>() = b.leftCols<3>().transpose() * c.leftCols<3>() - Eigen::Matrix3d::Identity();
        moved.col(3) = b.leftCols<3>().transpose() * (c.col(3) - b.col(3));
        const bool two = model.forcing.pairs(0, p) != model.forcing.pairs(1, p);
        for (int k = 0; k < 12; ++k) {
            load -= model.forcing.inertia.col(12 * p + k) * accelerated(k % 3, k / 3);
            if (two) load -= model.forcing.pose.col(12 * p + k) * moved(k % 3, k / 3);
        }
    }
    return MatrixX(model.flesh->energy.linearStiffness).ldlt().solve(load);
}

const Vector3 kGravity(0, -9.81, 0);

TEST(CharacterMotion, BeginsAtRestInItsPose) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing(noddedPose(0.5)));
    const VectorX known = staticAnswer(noddedPose(0.5), kGravity);
    ASSERT_GT(known.norm(), 0.01);
    EXPECT_LT((bar->getReducedCoordinates() - known).norm(), 1e-6 * known.norm());
    scene.step(60);
    EXPECT_LT((bar->getReducedCoordinates() - known).norm(), 1e-6 * known.norm());
}

TEST(CharacterMotion, AJumpIsTheStaticAnswer) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing());
    btRigidBody* ball = scene.addBall(0.05, 0.2, btVector3(btScalar(0.9), btScalar(0.16), 0));
    scene.step(20);
    const pliant::Pose far = [] {
        pliant::Pose pose = noddedPose(0.8);
        pose[0].translation += Vector3(3, 1, 0);
        return pose;
    }();
    ASSERT_TRUE(bar->setPose(far));
    scene.step();
    const VectorX known = staticAnswer(far, kGravity);
    EXPECT_LT((bar->getReducedCoordinates() - known).norm(), 1e-5 * known.norm());
    EXPECT_LT(bar->getReducedVelocities().norm(), 1e-4);
    EXPECT_LT(ball->getLinearVelocity().length(), 1.0);  // not swept away
    EXPECT_NEAR(bar->getBoneTransform(0).getOrigin().x(), 3.0, 1e-5);
    scene.step(30);
    EXPECT_LT((bar->getReducedCoordinates() - known).norm(), 1e-4 * known.norm());
}

// A user may look for contacts between two steps, and move the character then: the step finds what the character comes
// to on its new way. The bar rises by 5 cm within a step, towards a ball 1 cm above it.
TEST(CharacterMotion, AMoveAfterAUsersOwnCollisionDetectionIsSeenByTheStep) {
    std::vector<double> speeds;
    for (const bool looks : {false, true}) {
        CharacterWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantCharacter* bar = scene.add(standing());
        btRigidBody* ball = scene.addBall(0.05, 0.2, btVector3(btScalar(0.5), btScalar(0.16), 0));
        ball->setActivationState(DISABLE_DEACTIVATION);
        scene.step(5);
        ASSERT_EQ(ball->getLinearVelocity().length(), btScalar(0)) << "nothing has touched it";
        if (looks) scene.world.performDiscreteCollisionDetection();
        pliant::Pose raised = noddedPose(0.0);
        raised[0].translation += Vector3(0, 0.05, 0);
        ASSERT_TRUE(bar->setPose(raised));
        scene.step();
        speeds.push_back(static_cast<double>(ball->getLinearVelocity().y()));
    }
    EXPECT_GT(speeds[0], 1.0) << "it is struck at 6 m/s";
    EXPECT_NEAR(speeds[1], speeds[0], 1e-3 * speeds[0]);
}

TEST(CharacterMotion, SteadyMotionIsNotFeltAndAccelerationActsAsGravity) {
    CharacterWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacterInfo info = standing();
    info.m_damping.mass = 40.0;
    btPliantCharacter* bar = scene.add(info);
    const double h = 1.0 / 120.0, a = 3.0;
    double x = 0.0, v = 2.0;
    const auto move = [&](double acceleration) {
        v += acceleration * h;
        x += v * h;
        btTransform place = btTransform::getIdentity();
        place.setOrigin(btVector3(static_cast<btScalar>(x), static_cast<btScalar>(0.5 * x), 0));
        bar->setMeshTransform(place);
        scene.step();
    };
    for (int i = 0; i < 400; ++i) move(0.0);
    const double still = bar->getReducedCoordinates().norm();
    EXPECT_LT(still, doublePrecision ? 1e-9 : 2e-4);
    for (int i = 0; i < 400; ++i) move(a);
    const VectorX known = staticAnswer(stance(barCharacter()->skeleton), Vector3(-a, -0.5 * a, 0));
    EXPECT_LT((bar->getReducedCoordinates() - known).norm(), (doublePrecision ? 1e-4 : 2e-2) * known.norm());
}

TEST(CharacterMotion, ClipAdvancesWithTimeAndPosesFollowIt) {
    CharacterWorld scene;
    btPliantCharacterInfo info;
    info.m_speed = 2.0;
    info.m_phase = 0.25;
    info.m_meshTransform.setOrigin(btVector3(0, 1, 2));
    btPliantCharacter* bar = scene.add(info);
    EXPECT_EQ(bar->getClip(), "nod");
    EXPECT_NEAR(bar->getClipTime(), 0.25, 1e-12);
    scene.step(30);
    EXPECT_NEAR(bar->getClipTime(), 0.75, 1e-6);
    std::vector<MovingFrame> frames;
    motionAt(barCharacter()->skeleton, barCharacter()->clips[0], 0.75, frames);
    std::vector<AffineMap> bones;
    bar->getBones(bones);
    for (std::size_t b = 0; b < 2; ++b) {
        AffineMap known = frames[b].map;
        known.col(3) += Vector3(0, 1, 2);
        EXPECT_LT((bones[b] - known).norm(), 1e-5);
    }
    scene.step(30);
    EXPECT_NEAR(bar->getClipTime(), 0.25, 1e-6);
    ASSERT_TRUE(bar->play("nod", -1.0, 0.5));
    scene.step(12);
    EXPECT_NEAR(bar->getClipTime(), 0.4, 1e-6);
}

// A jump puts the bones where the clip has them at the end of its step.
TEST(CharacterMotion, TheClipGoesOnThroughAJump) {
    CharacterWorld scene;
    btPliantCharacterInfo info;
    info.m_clip = "nod";
    info.m_phase = 0.25;
    btPliantCharacter* bar = scene.add(info);
    scene.step(9);
    btTransform far = btTransform::getIdentity();
    far.setOrigin(btVector3(0, 1, 5));
    bar->setMeshTransform(far);
    scene.step();
    std::vector<MovingFrame> frames;
    motionAt(barCharacter()->skeleton, barCharacter()->clips[0], bar->getClipTime(), frames);
    EXPECT_GT(frames[1].velocity.norm(), 0.1) << "it moves there";
    std::vector<AffineMap> bones;
    bar->getBones(bones);
    for (std::size_t b = 0; b < 2; ++b) {
        AffineMap known = frames[b].map;
        known.col(3) += Vector3(0, 1, 5);
        EXPECT_LT((bones[b] - known).norm(), 1e-6) << b;
    }
}

TEST(CharacterMotion, SubstepsPlayTheClipAsSingleStepsDo) {
    CharacterWorld once, often;
    btPliantCharacterInfo info;
    btPliantCharacter *a = once.add(info), *b = often.add(info);
    for (int i = 0; i < 24; ++i) once.step(1, 1.0 / 240.0);
    for (int i = 0; i < 6; ++i) often.world.stepSimulation(btScalar(4.0 / 240.0), 8, btScalar(1.0 / 240.0));
    EXPECT_NEAR(a->getClipTime(), b->getClipTime(), 1e-7);
    EXPECT_LT((a->getReducedCoordinates() - b->getReducedCoordinates()).norm(),
              1e-4 * a->getReducedCoordinates().norm());
}

TEST(CharacterMotion, MotionStateCarriesIt) {
    struct Path : btMotionState {
        void getWorldTransform(btTransform& place) const override {
            place.setIdentity();
            place.setOrigin(btVector3(x, 0, 0));
        }
        void setWorldTransform(const btTransform&) override {}
        btScalar x = 0;
    } path;
    CharacterWorld scene;
    btPliantCharacterInfo info = standing();
    info.m_motionState = &path;
    btPliantCharacter* bar = scene.add(info);
    for (int i = 0; i < 10; ++i) {
        path.x += btScalar(0.01);
        scene.step();
    }
    EXPECT_NEAR(bar->getBoneTransform(0).getOrigin().x(), 0.1, 1e-5);
    EXPECT_NEAR(bar->getMeshTransform().getOrigin().x(), 0.1, 1e-6);
    EXPECT_NEAR(bar->getPointVelocity(btVector3(btScalar(0.25), 0, 0)).x(), 1.2, 1e-2);
}

/// q of every character after a second among balls.
std::vector<VectorX> runCrowd(int threads, int count, bool balls = true) {
    btPliantSystemInfo settings;
    settings.m_threads = threads;
    CharacterWorld scene(settings);
    std::vector<btPliantCharacter*> crowd;
    for (int i = 0; i < count; ++i) {
        btPliantCharacterInfo info;
        info.m_phase = 0.13 * i;
        info.m_meshTransform.setOrigin(btVector3(0, 0, static_cast<btScalar>(3 * i)));
        crowd.push_back(scene.add(info));
        if (!balls) continue;
        scene.addBall(0.05, 0.2, btVector3(btScalar(0.4), btScalar(0.3), static_cast<btScalar>(3 * i)));
        scene.addBall(0.05, 0.2, btVector3(btScalar(0.1), btScalar(0.25), static_cast<btScalar>(3 * i)));
    }
    scene.step(60);
    std::vector<VectorX> q;
    for (const btPliantCharacter* each : crowd) q.emplace_back(each->getReducedCoordinates());
    return q;
}

TEST(CharacterMotion, SameBitsWithAnyNumberOfWorkersAloneAndInACrowd) {
    const std::vector<VectorX> one = runCrowd(1, 20), two = runCrowd(2, 20), four = runCrowd(4, 20);
    EXPECT_EQ(one, two);
    EXPECT_EQ(one, four);
    EXPECT_NE(one[0], one[1]);
    const std::vector<VectorX> crowd = runCrowd(1, 20, false), alone = runCrowd(1, 1, false),
                               few = runCrowd(1, 3, false);
    EXPECT_EQ(crowd[0], alone[0]);
    for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(crowd[i], few[i]) << i;
    EXPECT_NE(crowd[0], one[0]);
}

TEST(CharacterMotion, SleepsWhenItStandsAndWakesWhenItIsToPlay) {
    CharacterWorld scene;
    btPliantCharacterInfo info = standing();
    info.m_damping.mass = 10.0;
    btPliantCharacter* bar = scene.add(info);
    scene.step(400);
    EXPECT_FALSE(bar->isActive());
    ASSERT_TRUE(bar->play("nod"));
    scene.step(400);
    EXPECT_TRUE(bar->isActive());
    EXPECT_NEAR(bar->getClipTime(), 400.0 / 120.0 - 3.0, 1e-6);
}

TEST(CharacterMotion, DetailAndIntegratorsTakeTheForcesAlong) {
    CharacterWorld scene;
    btPliantCharacterInfo info = standing(noddedPose(0.5));
    info.m_damping.mass = 10.0;
    info.m_integrator = pliant::Integrator::Analytic;
    btPliantCharacter* bar = scene.add(info);
    const VectorX known = staticAnswer(noddedPose(0.5), kGravity);
    scene.step(60);
    EXPECT_LT((bar->getReducedCoordinates() - known).norm(), 1e-6 * known.norm());
    bar->setDetail(8);
    scene.step(300);
    const VectorX few = bar->getReducedCoordinates();
    EXPECT_LT((few.head(8) - known.head(8)).norm(), 1e-4 * known.norm());
    EXPECT_EQ(few.tail(few.size() - 8).norm(), 0.0);
}

}  // namespace
