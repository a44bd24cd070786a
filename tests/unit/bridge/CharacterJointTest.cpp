// SPDX-License-Identifier: Zlib
// Joints at bones and at flesh.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "CharacterWorld.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/data/BodyPlace.h"

namespace {

using namespace pliant::test;
using btPliantInternal::toEigen;
using pliant::MatrixX;
using pliant::Vector3;
using pliant::VectorX;

btPliantCharacterInfo damped() {
    btPliantCharacterInfo info = standing();
    info.m_damping.mass = 10.0;
    return info;
}

TEST(CharacterJoint, AWeightHangsFromABoneAndIsCarriedByIt) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(damped());
    btRigidBody& bone = bar->getBoneBody(1);
    const btVector3 held(btScalar(0.5), btScalar(-0.4), 0);
    btRigidBody* weight = scene.addBall(0.05, 0.5, held);
    weight->setActivationState(DISABLE_DEACTIVATION);
    btPoint2PointConstraint joint(*weight, bone, btVector3(0, btScalar(0.4), 0), btVector3(0, 0, 0));
    scene.world.addConstraint(&joint, true);
    const double rest = bar->getReducedCoordinates().norm();
    double x = 0.0;
    for (int i = 0; i < 240; ++i) {
        x += 0.5 / 120.0 * std::min(1.0, i / 120.0);
        btTransform place = btTransform::getIdentity();
        place.setOrigin(btVector3(static_cast<btScalar>(x), 0, 0));
        bar->setMeshTransform(place);
        scene.step();
        const btVector3 hook = weight->getCenterOfMassTransform() * btVector3(0, btScalar(0.4), 0);
        EXPECT_LT((hook - bar->getBoneTransform(1).getOrigin()).length(), 0.02) << i;
    }
    EXPECT_NEAR(bar->getBoneTransform(1).getOrigin().x(), 0.5 + x, 1e-5);
    EXPECT_LT(bar->getReducedCoordinates().norm(), 3.0 * rest + 0.1);  // the flesh feels nothing of the weight
    scene.world.removeConstraint(&joint);
}

TEST(CharacterJoint, AWeightOnTheFleshPullsItDownByItsCompliance) {
    for (const double angle : {0.0, 0.6}) {
        CharacterWorld scene;
        btPliantCharacterInfo info = damped();
        info.m_pose = noddedPose(angle);
        btPliantCharacter* bar = scene.add(info);
        const btVector3 rest(btScalar(0.98), btScalar(-0.1), 0);  // of the end of the lower bone
        const pliant::MaterialPoint point = bar->locate(rest);
        const btVector3 place = bar->getPointPosition(point);
        btRigidBody* weight = scene.addBall(0.05, 0.4, place - btVector3(0, btScalar(0.3), 0));
        weight->setActivationState(DISABLE_DEACTIVATION);
        weight->setLinearFactor(btVector3(0, 1, 0));
        weight->setAngularFactor(0);
        btTransform onWeight = btTransform::getIdentity(), onBar = btTransform::getIdentity();
        onWeight.setOrigin(btVector3(0, btScalar(0.3), 0));
        onBar.setOrigin(rest);
        btPliantPoint2PointConstraint joint(*weight, *bar, btVector3(0, btScalar(0.3), 0), rest);
        scene.world.addConstraint(&joint, true);
        EXPECT_LT((joint.getPivotPosition(1) - place).length(), 1e-4);
        const VectorX before = bar->getReducedCoordinates();
        scene.step(900);
        // B' F at the point, on the model's own stiffness.
        const pliant::ReducedModel& flesh = *barCharacter()->flesh;
        MatrixX rows = MatrixX::Zero(3, flesh.dimension());
        for (std::size_t c = 0; c < point.vertex.size(); ++c)
            if (point.weight[c] != 0.0) rows += point.weight[c] * flesh.basis.middleRows<3>(3 * point.vertex[c]);
        const Eigen::Matrix3d turn = btPliantInternal::placeOf(btPliantInternal::dataOf(*bar), point).leftCols<3>();
        const Vector3 pull = toEigen(joint.getLinearImpulse()) * -120.0;
        EXPECT_NEAR(pull.y(), -0.4 * 9.81, 0.02);
        const VectorX known =
            MatrixX(flesh.energy.linearStiffness).ldlt().solve(rows.transpose() * (turn.transpose() * pull));
        const VectorX bent = bar->getReducedCoordinates() - before;
        ASSERT_GT(known.norm(), 1e-4);
        EXPECT_LT((bent - known).norm(), 0.02 * known.norm()) << angle;
        EXPECT_LT((joint.getPivotPosition(0) - joint.getPivotPosition(1)).length(), 1e-3);
        scene.world.removeConstraint(&joint);
    }
}

TEST(CharacterJoint, RestFramesAreFoundOnFleshThatIsPosed) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing(noddedPose(0.8), btVector3(1, 2, 3)));
    bar->setReducedCoordinates(VectorX::Zero(barCharacter()->flesh->dimension()));
    for (const btVector3& rest :
         {btVector3(btScalar(0.2), btScalar(0.05), 0), btVector3(btScalar(0.55), 0, btScalar(0.05)),
          btVector3(btScalar(0.9), btScalar(-0.06), btScalar(0.03))}) {
        const btVector3 there = bar->getPointPosition(rest);
        const btTransform found = btPliantJoint::restFrame(*bar, btTransform(btQuaternion::getIdentity(), there));
        EXPECT_LT((found.getOrigin() - rest).length(), 5e-3);
        EXPECT_LT((bar->getPointPosition(found.getOrigin()) - there).length(), 1e-3);
    }
}

}  // namespace
