// SPDX-License-Identifier: Zlib
// What touches the flesh of a character: known answers.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "CharacterWorld.h"
#include "pliant/collision/body/DeformedBody.h"

namespace {

using namespace pliant::test;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::MatrixX;
using pliant::Vector3;
using pliant::VectorX;

/// Displacement of a material point along y by a unit force there, at rest: the model's own, without the bridge.
double complianceAlongY(const pliant::MaterialPoint& point) {
    const pliant::ReducedModel& flesh = *barCharacter()->flesh;
    VectorX row = VectorX::Zero(flesh.dimension());
    for (std::size_t c = 0; c < point.vertex.size(); ++c)
        if (point.weight[c] != 0.0)
            row += point.weight[c] *
                   (flesh.meshFromBody.rotation * flesh.basis.middleRows<3>(3 * point.vertex[c])).row(1).transpose();
    return row.dot(MatrixX(flesh.energy.linearStiffness).ldlt().solve(row));
}

/// The point of the contact surface that is nearest, mesh frame: a ball above it touches there alone.
btVector3 surfacePointNear(const Vector3& wanted) {
    const pliant::ReducedModel& flesh = *barCharacter()->flesh;
    Vector3 nearest = Vector3::Constant(1e9);
    for (Eigen::Index i = 0; i < flesh.skeleton.restCentres.cols(); ++i) {
        const Vector3 at = flesh.meshFromBody.point(flesh.skeleton.restCentres.col(i).cast<double>());
        if ((at - wanted).norm() < (nearest - wanted).norm()) nearest = at;
    }
    return toBullet(nearest);
}

// On a point of the contact surface and between two, where the nearest one would give way otherwise. Gravity pulls the
// ball alone: flesh that sags as well leans by 0.03 rad, so that the ball touches it 2 mm beside the place, where a
// push moves the place by 2.2 % less.
TEST(CharacterContact, BallDentsTheFleshByItsWeightTimesTheCompliance) {
    for (const double beside : {0.0, 0.01}) {
        CharacterWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantCharacterInfo info = standing();
        info.m_damping.mass = 10.0;
        btPliantCharacter* bar = scene.add(info);
        const btVector3 place =
            surfacePointNear(Vector3(0.5, 0.1, 0.0)) + btVector3(static_cast<btScalar>(beside), 0, 0);
        const pliant::MaterialPoint point = bar->locate(place);
        const double before = static_cast<double>(bar->getPointPosition(point).y());
        btRigidBody* ball = scene.addBall(0.06, 1.0, place + btVector3(0, btScalar(0.06), 0));
        ball->setGravity(btVector3(0, btScalar(-9.81), 0));
        ball->setLinearFactor(btVector3(0, 1, 0));
        ball->setAngularFactor(0);
        scene.step(1200);
        const double dent = before - static_cast<double>(bar->getPointPosition(point).y());
        const double known = 9.81 * complianceAlongY(point);
        ASSERT_GT(known, 1e-4);
        EXPECT_NEAR(dent, known, 0.02 * known) << beside;
        EXPECT_LT(std::abs(ball->getLinearVelocity().y()), 1e-3) << beside;
    }
}

double energyOf(const btPliantCharacter& character, const btRigidBody& ball) {
    const double mass = 1.0 / static_cast<double>(ball.getInvMass());
    const Vector3 inverse = toEigen(ball.getInvInertiaDiagLocal()), spin = toEigen(ball.getAngularVelocity());
    return character.getStrainEnergy() + character.getKineticEnergy() +
           0.5 * mass * static_cast<double>(ball.getLinearVelocity().length2()) +
           0.5 * spin.dot(spin.cwiseQuotient(inverse));
}

/// Frequencies are 2 to 50 Hz: omega h from 0.01 to 15.
class CharacterEnergy : public testing::TestWithParam<double> {};

TEST_P(CharacterEnergy, IsNeverGainedFromFleshOnBonesAtRest) {
    for (const double speed : {0.5, 3.0}) {
        CharacterWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantCharacter* bar = scene.add(standing());
        btRigidBody* ball = scene.addBall(0.06, 0.3, btVector3(btScalar(0.7), btScalar(0.18), btScalar(0.02)));
        ball->setLinearVelocity(btVector3(btScalar(0.2 * speed), static_cast<btScalar>(-speed), 0));
        double most = energyOf(*bar, *ball);
        const double start = most;
        bool touched = false;
        const int steps = std::max(60, static_cast<int>(0.3 / GetParam()));
        for (int i = 0; i < steps; ++i) {
            scene.step(1, GetParam());
            most = std::max(most, energyOf(*bar, *ball));
            touched = touched || bar->getStrainEnergy() > 0.01 * start;
        }
        EXPECT_TRUE(touched || GetParam() > 0.01) << speed;  // long steps swallow the wave
        EXPECT_LE(most, start * (1.0 + (doublePrecision ? 1e-9 : 1e-4))) << speed;
    }
}

// Bones that go on steadily are at rest in a frame that goes with them: there neither flesh nor ball has ever more than
// at the start, though in the world the bones do work.
TEST_P(CharacterEnergy, IsNeverGainedFromFleshOnBonesInSteadyMotion) {
    const btVector3 drive(4, 1, -2);  // m/s
    for (const double speed : {0.5, 3.0}) {
        CharacterWorld scene;
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantCharacterInfo info = standing();
        info.m_linearVelocity = drive;
        btPliantCharacter* bar = scene.add(info);
        btRigidBody* ball = scene.addBall(0.06, 0.3, btVector3(btScalar(0.7), btScalar(0.18), btScalar(0.02)));
        const auto moveBall = [&](const btVector3& by) { ball->setLinearVelocity(ball->getLinearVelocity() + by); };
        const auto energy = [&] {
            moveBall(-drive);
            const double found = energyOf(*bar, *ball);
            moveBall(drive);
            return found;
        };
        ball->setLinearVelocity(drive + btVector3(btScalar(0.2 * speed), static_cast<btScalar>(-speed), 0));
        const double start = energy();
        double most = start, least = start;
        const int steps = std::max(60, static_cast<int>(0.3 / GetParam()));
        for (int i = 1; i <= steps; ++i) {
            btTransform place = btTransform::getIdentity();
            place.setOrigin(static_cast<btScalar>(i * GetParam()) * drive);
            bar->setMeshTransform(place);
            scene.step(1, GetParam());
            most = std::max(most, energy());
            least = std::min(least, 0.5 * 0.3 * (ball->getLinearVelocity() - drive).length2() / start);
        }
        EXPECT_LT(least, 0.9) << speed << ": it has touched nothing";
        EXPECT_LE(most, start * (1.0 + (doublePrecision ? 1e-9 : 1e-4))) << speed;
    }
}

INSTANTIATE_TEST_SUITE_P(Steps, CharacterEnergy, testing::Values(1.0 / 1000, 1.0 / 240, 1.0 / 60, 0.05));

TEST(CharacterContact, JacobiansAreTheDerivativesOfPlacesAndCoupleSymmetrically) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add(standing(noddedPose(0.7)));
    scene.step();
    btPliantInternal::BodyData& data = btPliantInternal::dataOf(*bar);
    std::mt19937 random(4);
    const VectorX q = randomCoordinates(random, 0.05), dq = randomCoordinates(random, 1.0);
    const double step = 0.02;
    const int r = static_cast<int>(q.size());
    const auto placesAt = [&](const VectorX& at) {
        pliant::DeformedBody body(data.group->collision, data.character->crowd->skin);
        const pliant::DeformedBody::NewState state{&body, at.data(), {}, data.character->bones.data()};
        pliant::DeformedBody::moveTogether(&state, 1);
        return body;
    };
    const pliant::DeformedBody here = placesAt(q), ahead = placesAt(q + step * dq), behind = placesAt(q - step * dq);
    std::vector<VectorX> rows;
    int blended = 0;
    for (int segment = 0; segment < here.model().skeleton().segmentCount(); segment += 7) {
        const int sphere = here.model().skeleton().segments(0, segment);
        blended += data.character->model->skin.spheres.weights(1, sphere) > 0.1 ? 1 : 0;
        for (int k = 0; k < 3; ++k) {
            VectorX row(r);
            pliant::skinnedPointProject(here, segment, 0.0f, Vector3::Unit(k), row.data());
            const double rate =
                (centreOf(ahead.rotatedSphere(sphere)) - centreOf(behind.rotatedSphere(sphere)))[k] / (2.0 * step);
            EXPECT_NEAR(row.dot(dq), rate, 2e-5) << segment;
            rows.push_back(row);
        }
    }
    ASSERT_GT(blended, 3);
    int coupled = 0;
    for (std::size_t a = 0; a + 5 < rows.size(); a += 5) {
        VectorX ya(r), yb(r);
        Vector3 turn;
        const VectorX &Ja = rows[a], &Jb = rows[a + 5];
        data.batch().response(data.slot, Vector3::Zero(), Ja.data(), turn, ya.data());
        data.batch().response(data.slot, Vector3::Zero(), Jb.data(), turn, yb.data());
        EXPECT_NEAR(Ja.dot(yb), Jb.dot(ya), 1e-12 * Ja.norm() * Jb.norm() + 1e-300);
        EXPECT_GE(Ja.dot(ya), 0.0);
        coupled += std::abs(Ja.dot(yb)) > 1e-3 * std::sqrt(Ja.dot(ya) * Jb.dot(yb)) ? 1 : 0;
    }
    EXPECT_GT(coupled, 0) << "there is something to be symmetric";
}

TEST(CharacterContact, ImpulsesOnBonesAreWhatTheBallLost) {
    CharacterWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacterInfo info;
    info.m_clip = "nod";
    btPliantCharacter* bar = scene.add(info);
    btRigidBody* ball = scene.addBall(0.06, 0.3, btVector3(btScalar(0.5), btScalar(0.2), btScalar(0.03)));
    ball->setFriction(btScalar(0.8));
    ball->setLinearVelocity(btVector3(btScalar(0.3), -2, 0));
    Vector3 exchanged = Vector3::Zero(), lost = Vector3::Zero();
    double spun = 0.0;
    for (int i = 0; i < 60; ++i) {
        const auto momenta = [&] {
            Eigen::Matrix<double, 6, 1> both;
            const Vector3 p = toEigen(ball->getLinearVelocity()) / static_cast<double>(ball->getInvMass());
            const Vector3 inverse = toEigen(ball->getInvInertiaDiagLocal());
            both << p, Vector3(toEigen(ball->getAngularVelocity()).cwiseQuotient(inverse));
            return both;
        };
        const auto before = momenta();
        const Vector3 centre = toEigen(ball->getCenterOfMassPosition());
        std::vector<Vector3> heads;
        for (int b = 0; b < 2; ++b) heads.push_back(toEigen(bar->getBoneTransform(b).getOrigin()));
        scene.step();
        const auto change = (momenta() - before).eval();
        Vector3 linear = Vector3::Zero(), angular = Vector3::Zero();
        for (int b = 0; b < 2; ++b) {
            const Vector3 impulse = toEigen(bar->getBoneImpulse(b));
            linear += impulse;
            angular +=
                toEigen(bar->getBoneAngularImpulse(b)) + (heads[static_cast<std::size_t>(b)] - centre).cross(impulse);
        }
        const double tiny = doublePrecision ? 1e-8 : 2e-6;  // normals are unit vectors in single precision
        EXPECT_LT((change.head<3>() + linear).norm(), tiny) << i;
        EXPECT_LT((change.tail<3>() + angular).norm(), tiny) << i;
        exchanged += linear;
        lost -= change.head<3>();
        spun = std::max(spun, change.tail<3>().norm());
    }
    EXPECT_GT(exchanged.norm(), 0.3);
    EXPECT_GT(spun, 1e-4);
}

/// Where the ball is as seen from the upper bone.
Vector3 seenFromBone(const btPliantCharacter& bar, const btRigidBody& ball) {
    return toEigen(bar.getBoneTransform(0).invXform(ball.getCenterOfMassPosition()));
}

TEST(CharacterContact, BallIsCarriedAlong) {
    for (const bool turns : {false, true}) {
        CharacterWorld scene;
        btPliantCharacterInfo info = standing();
        info.m_damping.mass = 10.0;
        info.m_friction = 1;
        btPliantCharacter* bar = scene.add(info);
        btRigidBody* ball = scene.addRigid(new btBoxShape(btVector3(btScalar(0.05), btScalar(0.05), btScalar(0.05))),
                                           0.2, btVector3(btScalar(0.15), btScalar(0.15), 0));
        ball->setFriction(1);
        scene.step(480);
        const double h = 1.0 / 120.0, rate = 0.6;
        double way = 0.0;
        const auto move = [&](double speed) {
            way += speed * h;
            btTransform place = btTransform::getIdentity();
            if (turns)
                place.setRotation(btQuaternion(btVector3(0, 1, 0), static_cast<btScalar>(way)));
            else
                place.setOrigin(btVector3(static_cast<btScalar>(way), 0, static_cast<btScalar>(0.5 * way)));
            bar->setMeshTransform(place);
            scene.step();
        };
        ball->setActivationState(DISABLE_DEACTIVATION);
        for (int i = 1; i <= 240; ++i) move(rate * i / 240.0);
        for (int i = 0; i < 120; ++i) move(rate);
        const Vector3 then = seenFromBone(*bar, *ball);
        for (int i = 0; i < 240; ++i) move(rate);
        EXPECT_LT((seenFromBone(*bar, *ball) - then).norm(), 2e-3) << turns;
        EXPECT_GT((ball->getCenterOfMassPosition() - btVector3(btScalar(0.15), btScalar(0.15), 0)).length(), 0.1);
    }
}

TEST(CharacterContact, FleshGivesWayToAFloorThatBonesLeadItInto) {
    CharacterWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    scene.addGround();
    btPliantCharacterInfo info = standing({}, btVector3(0, btScalar(0.105), 0));
    info.m_damping.mass = 20.0;
    btPliantCharacter* bar = scene.add(info);
    for (int i = 0; i < 120; ++i) {
        btTransform place = btTransform::getIdentity();
        place.setOrigin(btVector3(0, btScalar(0.105 - 0.015 * std::min(1.0, i / 60.0)), 0));
        bar->setMeshTransform(place);
        scene.step();
    }
    scene.step(240);
    EXPECT_GT(bar->getReducedCoordinates().norm(), 1e-3);
    const double lowest = drawnVertices(*bar).row(1).minCoeff();
    EXPECT_GT(lowest, -0.006);  // of 0.01 m that the bones are too low
    EXPECT_GT((bar->getBoneImpulse(0) + bar->getBoneImpulse(1)).y(), 0.05);
}

TEST(CharacterContact, CharactersTouchEachOther) {
    CharacterWorld scene;
    scene.world.setGravity(btVector3(0, 0, 0));
    btPliantCharacterInfo info = standing();
    info.m_damping.mass = 20.0;
    btPliantCharacter* lower = scene.add(info);
    info.m_meshTransform.setOrigin(btVector3(btScalar(0.02), btScalar(0.205), btScalar(0.01)));
    btPliantCharacter* upper = scene.add(info);
    for (int i = 0; i < 120; ++i) {
        btTransform place = info.m_meshTransform;
        place.getOrigin().setY(btScalar(0.205 - 0.015 * std::min(1.0, i / 60.0)));
        upper->setMeshTransform(place);
        scene.step();
    }
    const btVector3 down = lower->getBoneImpulse(0) + lower->getBoneImpulse(1);
    const btVector3 up = upper->getBoneImpulse(0) + upper->getBoneImpulse(1);
    EXPECT_LT(down.y(), -0.01);
    EXPECT_LT((down + up).length(), 1e-4 * down.length());
    EXPECT_GT(lower->getReducedCoordinates().norm(), 1e-3);
    EXPECT_GT(upper->getReducedCoordinates().norm(), 1e-3);
}

}  // namespace
