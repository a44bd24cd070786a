// SPDX-License-Identifier: Zlib
// Flesh on bones that are scaled: p = s(x) + sum_b w_b R_b U q in contact, for points and joints as in the picture.
#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "CharacterWorld.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/data/BodyCollision.h"
#include "pliant/collision/body/DeformedBody.h"
#include "pliant/model/CharacterShape.h"

namespace {

using namespace pliant::test;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::MatrixX;
using pliant::Points;
using pliant::Vector3;
using pliant::VectorX;

/// The lower bone bent and half as large again, the upper one smaller.
pliant::Pose scaledPose() {
    pliant::Pose pose = noddedPose(0.5);
    pose[0].scale = 0.8;
    pose[1].scale = 1.5 / 0.8;
    return pose;
}

struct ScaledBar {
    ScaledBar() {
        bar = scene.add(standing(scaledPose(), btVector3(1, 2, 3)));
        std::mt19937 random(3);
        bar->setReducedCoordinates(randomCoordinates(random, 0.2));
    }
    CharacterWorld scene;
    btPliantCharacter* bar = nullptr;
};

TEST(CharacterScale, WhatCollidesIsWhatTheModelSays) {
    ScaledBar scaled;
    Points known;
    const VectorX q = scaled.bar->getReducedCoordinates();
    surfacePoints(*barCharacter(), framesOf(*scaled.bar), q.data(), known);
    EXPECT_LT((known - drawnVertices(*scaled.bar)).cwiseAbs().maxCoeff(), 1e-12);
    btPliantInternal::updateCollision(btPliantInternal::dataOf(*scaled.bar));
    const pliant::DeformedBody& body = *btPliantInternal::dataOf(*scaled.bar).deformed;
    const Vector3 origin = body.worldFromBody().translation;
    for (Eigen::Index v = 0; v < known.cols(); ++v) {
        const Vector3 at = origin + centreOf(body.vertex(static_cast<int>(v)));
        ASSERT_LT((at - known.col(v)).norm(), 2e-6) << v;  // single precision at 2 m
    }
}

TEST(CharacterScale, PointsOfTheFleshAreWhereTheModelSays) {
    ScaledBar scaled;
    Points known;
    const VectorX q = scaled.bar->getReducedCoordinates();
    fleshPoints(*barCharacter(), framesOf(*scaled.bar), q.data(), known);
    const pliant::VolumeMesh& mesh = barCharacter()->flesh->mesh;
    for (Eigen::Index v = 0; v < known.cols(); v += 7) {
        const Vector3 rest = mesh.positions.col(v);
        const Vector3 at = toEigen(scaled.bar->getPointPosition(btPliantInternal::toBullet(rest)));
        ASSERT_LT((at - known.col(v)).norm(), 2e-6) << v;
    }
}

TEST(CharacterScale, JacobiansAreThoseOfThePoints) {
    ScaledBar scaled;
    const pliant::DeformedBody& body = *btPliantInternal::dataOf(*scaled.bar).deformed;
    const int r = barCharacter()->flesh->dimension();
    const VectorX q = scaled.bar->getReducedCoordinates();
    const Vector3 direction = Vector3(1, -2, 3).normalized();
    VectorX row(r);
    const int count = static_cast<int>(body.model().skeleton().segments.cols());
    for (int segment = 0; segment < count; segment += count / 9) {
        scaled.bar->setReducedCoordinates(q);
        btPliantInternal::updateCollision(btPliantInternal::dataOf(*scaled.bar));
        pliant::skinnedPointProject(body, segment, 0.0f, direction, row.data());
        const Vector3 before = body.segmentPoint(segment, 0.0);
        VectorX change = 0.1 * row;
        scaled.bar->setReducedCoordinates(q + change);
        btPliantInternal::updateCollision(btPliantInternal::dataOf(*scaled.bar));
        // Linear in q, so that the difference is the product but for single precision at 3 m.
        EXPECT_NEAR(direction.dot(body.segmentPoint(segment, 0.0) - before), row.dot(change), 4e-6) << segment;
    }
}

TEST(CharacterScale, AJointPullsByTheSameCompliance) {
    CharacterWorld scene;
    btPliantCharacterInfo info = standing(scaledPose());
    info.m_damping.mass = 10.0;
    btPliantCharacter* bar = scene.add(info);
    const btVector3 rest(btScalar(0.98), btScalar(-0.1), 0);
    const pliant::MaterialPoint point = bar->locate(rest);
    const btVector3 place = bar->getPointPosition(point), down(0, btScalar(0.3), 0);
    btRigidBody* weight = scene.addBall(0.05, 0.2, place - down);
    weight->setActivationState(DISABLE_DEACTIVATION);
    weight->setLinearFactor(btVector3(0, 1, 0));
    weight->setAngularFactor(0);
    btPliantPoint2PointConstraint joint(*weight, *bar, down, rest);
    scene.world.addConstraint(&joint, true);
    EXPECT_LT((joint.getPivotPosition(1) - place).length(), 1e-4);
    const VectorX before = bar->getReducedCoordinates();
    scene.step(900);
    const pliant::ReducedModel& flesh = *barCharacter()->flesh;
    MatrixX rows = MatrixX::Zero(3, flesh.dimension());
    for (std::size_t c = 0; c < point.vertex.size(); ++c)
        if (point.weight[c] != 0.0) rows += point.weight[c] * flesh.basis.middleRows<3>(3 * point.vertex[c]);
    const Matrix3 L = framesOf(*bar)[1].map.leftCols<3>(), R = L / std::cbrt(L.determinant());  // the end follows one
    const Vector3 pull = toEigen(joint.getLinearImpulse()) * -120.0;  // it holds the point's x and z, too
    EXPECT_NEAR(pull.y(), -0.2 * 9.81, 0.02);
    const VectorX force = rows.transpose() * (R.transpose() * pull);
    const VectorX known = MatrixX(flesh.energy.linearStiffness).ldlt().solve(force);
    const VectorX bent = bar->getReducedCoordinates() - before;
    ASSERT_GT(known.norm(), 1e-4);
    EXPECT_LT((bent - known).norm(), 0.02 * known.norm());
    scene.world.removeConstraint(&joint);
}

}  // namespace
